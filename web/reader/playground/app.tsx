/** API playground of an operation: the request form on one side, code and response on the other. */

import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { BuiltRequest } from '../../../src/openapi/build-request.ts'
import type { PlaygroundData } from '../../../src/openapi/playground-data.ts'
import { AuthForm } from './auth-form.tsx'
import { BodyForm } from './body-form.tsx'
import { buildRequests, createForm, resolveServer } from './form-state.ts'
import { ParametersForm } from './parameters-form.tsx'
import { Head, RequestTarget } from './playground-frame.tsx'
import { addHistory, clearHistory, type HistoryEntry, readHistory } from './playground-storage.ts'
import { ResponseView } from './response-view.tsx'
import { SampleView } from './sample-view.tsx'
import type { Answer } from './send-request.ts'
import { sendWithProxyFallback } from './send-with-proxy-fallback.ts'
import { ServerForm } from './server-form.tsx'
import { uiText } from './ui-text.ts'
import { useCredentials } from './use-credentials.ts'
import { useForm } from './use-form.ts'
import { parseWebUrl } from './web-url.ts'

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
  const address = resolveServer(data, form)
  const { stateOf, onCredential } = useCredentials(address)
  const { sent, shown } = useMemo(() => buildRequests(data, form, stateOf), [data, form, stateOf])
  const { sending, send, cancel, history, forget } = useRequest(data)
  const isWaiting = sending.kind === 'waiting'
  const refill = (wantsExample: boolean) => {
    const { parameters, media, body } = createForm(data, server, wantsExample)
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
        // Send and cancel are the same button, which therefore keeps the focus; Enter in a field never
        // cancels.
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
      <Footer {...{ address, missing, isWaiting, refill }} />
    </form>
  )
}

interface FooterProps {
  address: string
  missing: readonly string[]
  isWaiting: boolean
  refill(wantsExample: boolean): void
}

function Footer({ address, missing, isWaiting, refill }: FooterProps) {
  return (
    <footer class="try-foot">
      <RequestTarget address={address} missing={missing} />
      <button type="button" class="try-plain" onClick={() => refill(false)}>
        {uiText('tryReset')}
      </button>
      <button type="button" class="try-plain" onClick={() => refill(true)}>
        {uiText('tryExample')}
      </button>
      <button type="submit" class="try-send">
        {uiText(isWaiting ? 'tryCancel' : 'trySend')}
      </button>
    </footer>
  )
}

function useRequest(data: PlaygroundData) {
  const [sending, setSending] = useState<Sending>({ kind: 'still' })
  const [history, setHistory] = useState<readonly HistoryEntry[]>(readHistory)
  const current = useRef<AbortController | null>(null)
  useEffect(() => () => current.current?.abort(), [])
  const send = async (request: BuiltRequest) => {
    current.current?.abort()
    const controller = new AbortController()
    current.current = controller
    const started = performance.now()
    const recordHistory = (status: number | null) =>
      setHistory(
        addHistory({
          id: data.id,
          at: Date.now(),
          method: data.method,
          url: stripQuery(request.url),
          status,
          milliseconds: Math.round(performance.now() - started),
        }),
      )
    let through: string | null = null
    const received: { answer: Answer | null } = { answer: null }
    setSending({ kind: 'waiting', answer: null, through })
    try {
      const answer = await sendWithProxyFallback(request, {
        signal: controller.signal,
        sendsCookies: data.sendsCookies,
        onProgress(answer) {
          if (controller.signal.aborted) return
          received.answer = answer
          setSending({ kind: 'waiting', answer, through })
        },
        onProxy(host) {
          through = host
          setSending({ kind: 'waiting', answer: null, through })
        },
      })
      setSending({ kind: 'answered', answer, url: request.url, through })
      recordHistory(answer.status)
    } catch (error) {
      if (current.current !== controller) return
      const message = describeFailure(request, error, controller.signal)
      const answer = received.answer && markResponseDone(received.answer)
      setSending({ kind: 'failed', message, answer })
      recordHistory(answer?.status ?? null)
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

function describeFailure({ url }: BuiltRequest, error: unknown, signal: AbortSignal): string {
  if (signal.aborted) return uiText('tryCancelled')
  if (error instanceof TypeError) return uiText('tryNoAnswer', { host: parseWebUrl(url)?.host ?? url })
  return String((error as Error).message)
}

/** Marks a cancelled or broken response as finished, with what was received. */
function markResponseDone(answer: Answer): Answer {
  return { ...answer, isDone: true, file: answer.text === null ? null : new Blob([answer.text]) }
}

/** Removes the query, which may contain a key, from a URL before it is stored. */
function stripQuery(url: string): string {
  return url.split('?')[0] ?? url
}

function SendingView({ sending }: { sending: Sending }) {
  const container = useRef<HTMLElement>(null)
  const { kind } = sending
  // In a single column, the response is below the form; scrolling to it leaves the button visible.
  useEffect(() => {
    container.current?.scrollIntoView({ block: 'start' })
  }, [kind])
  if (sending.kind === 'still') return null
  return (
    <section class="try-result" ref={container}>
      <h3>{uiText('apiResponse')}</h3>
      {'through' in sending && sending.through !== null && (
        <p class="try-about">{uiText('tryThrough', { host: sending.through })}</p>
      )}
      {sending.kind === 'failed' && (
        <p class="try-fault" role="alert">
          {sending.message}
        </p>
      )}
      {sending.kind === 'failed' && sending.answer && <ResponseView answer={sending.answer} url="" />}
      {sending.kind === 'waiting' && sending.answer === null && (
        <p class="try-about" role="status">
          {uiText('tryWaiting')}
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
        {uiText('tryHistory')} <span class="try-type">{entries.length}</span>
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
        {uiText('clear')}
      </button>
    </details>
  )
}
