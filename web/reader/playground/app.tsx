/** API playground of an operation: the request form on one side, code and response on the other. */

import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { BuiltRequest } from '../../../src/openapi/build-request.ts'
import type { PlaygroundData } from '../../../src/openapi/playground-data.ts'
import { AuthForm } from './auth-form.tsx'
import { BodyForm } from './body-form.tsx'
import { newForm, requestsOf, serverOf } from './form-state.ts'
import { Goes, Head } from './frame.tsx'
import { ParametersForm } from './parameters-form.tsx'
import { ResponseView } from './response-view.tsx'
import { SampleView } from './sample-view.tsx'
import { sendAnyhow } from './send-anyhow.ts'
import type { Answer } from './send-request.ts'
import { ServerForm } from './server-form.tsx'
import { addHistory, clearHistory, type HistoryEntry, readHistory } from './tab-storage.ts'
import { useCredentials } from './use-credentials.ts'
import { useForm } from './use-form.ts'
import { webUrl } from './web-url.ts'
import { word } from './words.ts'

interface PlaygroundProps {
  data: PlaygroundData
  server: string | null
  onClose(): void
}

type Sending =
  | { kind: 'still' }
  | { kind: 'waiting'; answer: Answer | null; through: string | null }
  | { kind: 'answered'; answer: Answer; url: string; through: string | null }
  /** Includes the part of the response received before the failure. */
  | { kind: 'failed'; message: string; answer: Answer | null }

export function Playground({ data, server, onClose }: PlaygroundProps) {
  const { form, change } = useForm(data, server, data.isPrefilled)
  const [round, setRound] = useState(0)
  const [missing, setMissing] = useState<readonly string[]>([])
  const address = serverOf(data, form)
  const { stateOf, onCredential } = useCredentials(address)
  const { sent, shown } = useMemo(() => requestsOf(data, form, stateOf), [data, form, stateOf])
  const { sending, send, cancel, history, forget } = useSending(data)
  const isWaiting = sending.kind === 'waiting'
  const refill = (wantsExample: boolean) => {
    const { parameters, media, body } = newForm(data, server, wantsExample)
    change({ parameters, media, body })
    setRound((now) => now + 1)
    setMissing([])
  }
  const submit = () => {
    setMissing(sent.missing)
    if (sent.missing.length === 0) void send(sent)
  }
  return (
    <form
      class="try-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (!isWaiting) submit()
        // Send and cancel are the same button, so that it keeps the focus; Enter in a field never cancels.
        else if (document.activeElement === event.submitter) cancel()
      }}
    >
      <Head data={data} onClose={onClose} />
      <div class="try-columns">
        <div class="try-left" key={round}>
          <ServerForm data={data} form={form} onChange={change} />
          <AuthForm
            data={data}
            way={form.way}
            onWay={(way) => change({ way })}
            stateOf={stateOf}
            onChange={onCredential}
          />
          <ParametersForm
            data={data}
            values={form.parameters}
            missing={missing}
            onChange={(parameters) => change({ parameters })}
          />
          <BodyForm data={data} form={form} isMissing={missing.includes('body')} onChange={change} />
        </div>
        <div class="try-right">
          <SendingView sending={sending} />
          <SampleView request={shown} languages={data.languages} />
          <HistoryView entries={history} onClear={forget} />
        </div>
      </div>
      <Foot {...{ address, missing, isWaiting, refill }} />
    </form>
  )
}

interface FootProps {
  address: string
  missing: readonly string[]
  isWaiting: boolean
  refill(wantsExample: boolean): void
}

function Foot({ address, missing, isWaiting, refill }: FootProps) {
  return (
    <footer class="try-foot">
      <Goes address={address} missing={missing} />
      <button type="button" class="try-plain" onClick={() => refill(false)}>
        {word('tryReset')}
      </button>
      <button type="button" class="try-plain" onClick={() => refill(true)}>
        {word('tryExample')}
      </button>
      <button type="submit" class="try-send">
        {word(isWaiting ? 'tryCancel' : 'trySend')}
      </button>
    </footer>
  )
}

function useSending(data: PlaygroundData) {
  const [sending, setSending] = useState<Sending>({ kind: 'still' })
  const [history, setHistory] = useState<readonly HistoryEntry[]>(readHistory)
  const current = useRef<AbortController | null>(null)
  useEffect(() => () => current.current?.abort(), [])
  const send = async (request: BuiltRequest) => {
    current.current?.abort()
    const controller = new AbortController()
    current.current = controller
    const started = performance.now()
    const note = (status: number | null) =>
      setHistory(
        addHistory({
          id: data.id,
          at: Date.now(),
          method: data.method,
          url: withoutQuery(request.url),
          status,
          milliseconds: Math.round(performance.now() - started),
        }),
      )
    let through: string | null = null
    const came: { answer: Answer | null } = { answer: null }
    setSending({ kind: 'waiting', answer: null, through })
    try {
      const answer = await sendAnyhow(request, {
        signal: controller.signal,
        sendsCookies: data.sendsCookies,
        onProgress(answer) {
          if (controller.signal.aborted) return
          came.answer = answer
          setSending({ kind: 'waiting', answer, through })
        },
        onThrough(host) {
          through = host
          setSending({ kind: 'waiting', answer: null, through })
        },
      })
      setSending({ kind: 'answered', answer, url: request.url, through })
      note(answer.status)
    } catch (error) {
      if (current.current !== controller) return
      const message = failureOf(request, error, controller.signal)
      const answer = came.answer && ended(came.answer)
      setSending({ kind: 'failed', message, answer })
      note(answer?.status ?? null)
    }
  }
  return {
    sending,
    send,
    cancel: () => current.current?.abort(),
    history,
    forget: () => {
      clearHistory()
      setHistory([])
    },
  }
}

function failureOf({ url }: BuiltRequest, error: unknown, signal: AbortSignal): string {
  if (signal.aborted) return word('tryCancelled')
  if (error instanceof TypeError) return word('tryNoAnswer', { host: webUrl(url)?.host ?? url })
  return String((error as Error).message)
}

/** Marks a cancelled or broken response as finished, with what was received. */
function ended(answer: Answer): Answer {
  return { ...answer, isDone: true, file: answer.text === null ? null : new Blob([answer.text]) }
}

/** Removes the query, which may contain a key, from a URL before it is stored. */
function withoutQuery(url: string): string {
  return url.split('?')[0] ?? url
}

function SendingView({ sending }: { sending: Sending }) {
  const place = useRef<HTMLElement>(null)
  const { kind } = sending
  // In a single column the response is below the form, and scrolling there leaves the button in place.
  useEffect(() => {
    place.current?.scrollIntoView({ block: 'start' })
  }, [kind])
  if (sending.kind === 'still') return null
  return (
    <section class="try-result" ref={place}>
      <h3>{word('apiResponse')}</h3>
      {'through' in sending && sending.through !== null && (
        <p class="try-about">{word('tryThrough', { host: sending.through })}</p>
      )}
      {sending.kind === 'failed' && (
        <p class="try-fault" role="alert">
          {sending.message}
        </p>
      )}
      {sending.kind === 'failed' && sending.answer && <ResponseView answer={sending.answer} url="" />}
      {sending.kind === 'waiting' && sending.answer === null && (
        <p class="try-about" role="status">
          {word('tryWaiting')}
        </p>
      )}
      {sending.kind === 'waiting' && sending.answer && <ResponseView answer={sending.answer} url="" />}
      {sending.kind === 'answered' && <ResponseView answer={sending.answer} url={sending.url} />}
    </section>
  )
}

function HistoryView({ entries, onClear }: { entries: readonly HistoryEntry[]; onClear(): void }) {
  if (entries.length === 0) return null
  return (
    <details class="try-history">
      <summary>
        {word('tryHistory')} <span class="try-type">{entries.length}</span>
      </summary>
      <ol>
        {entries.map(({ at, method, url, status, milliseconds }) => (
          <li key={at}>
            <span class="status-dot" data-kind={String(status ?? 5)[0]} aria-hidden="true" />
            <span>{status ?? '–'}</span>
            <span class="method-pill" data-method={method}>
              {method}
            </span>
            <span class="try-path">{url}</span>
            <span class="try-type">
              {milliseconds} ms · {new Date(at).toLocaleTimeString(document.documentElement.lang || 'en')}
            </span>
          </li>
        ))}
      </ol>
      <button type="button" class="try-small" onClick={onClear}>
        {word('clear')}
      </button>
    </details>
  )
}
