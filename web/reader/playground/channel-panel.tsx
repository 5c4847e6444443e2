/** WebSocket channel: connect, send messages and view incoming ones, directly from the browser. */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { PlaygroundData } from '../../../src/openapi/playground-data.ts'
import { AuthForm } from './auth-form.tsx'
import { BodyForm } from './body-form.tsx'
import { buildRequests, createForm, resolveServer } from './form-state.ts'
import { ParametersForm } from './parameters-form.tsx'
import { Head, RequestTarget } from './playground-frame.tsx'
import { formatSize, JsonTree, parseJsonText, saveFile } from './response-view.tsx'
import { ServerForm } from './server-form.tsx'
import { uiText } from './ui-text.ts'
import { useCredentials } from './use-credentials.ts'
import { useForm } from './use-form.ts'
import { type SocketMessage, useSocket } from './use-socket.ts'

interface ChannelPanelProps {
  data: PlaygroundData
  server: string | null
  onClose(): void
}

export function ChannelPanel({ data, server, onClose }: ChannelPanelProps) {
  const { form, change } = useForm(data, server, data.isPrefilled)
  const [round, setRound] = useState(0)
  const [missing, setMissing] = useState<readonly string[]>([])
  const address = resolveServer(data, form)
  const { stateOf, onCredential } = useCredentials(address)
  const credentials = { stateOf, onChange: onCredential }
  const { sent } = useMemo(() => buildRequests(data, form, stateOf), [data, form, stateOf])
  const socket = useSocket()
  const isOpen = socket.state === 'open'
  const refill = () => {
    const { parameters, media, body } = createForm(data, server, true)
    change({ parameters, media, body })
    setRound((now) => now + 1)
    setMissing([])
  }
  const connect = () => {
    setMissing(sent.missing)
    if (sent.missing.length === 0) socket.connect(sent.url)
  }
  const container = useLeaveOnClose(socket.leave)
  return (
    <form
      ref={container}
      class="try-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (isOpen && data.bodies.length > 0) socket.send(sent.body)
        else if (socket.state === 'closed') connect()
      }}
    >
      <Head data={data} onClose={onClose} />
      <div class="try-columns">
        <div class="try-left" key={round}>
          <ServerForm data={data} form={form} onChange={change} />
          <AuthForm {...credentials} data={data} way={form.way} onWay={(way) => change({ way })} />
          <ParametersForm
            data={data}
            values={form.parameters}
            missing={missing}
            onChange={(parameters) => change({ parameters })}
          />
          <BodyForm data={data} form={form} isMissing={false} onChange={change} />
        </div>
        <div class="try-right">
          <MessageLog {...socket} />
        </div>
      </div>
      <footer class="try-foot">
        <RequestTarget address={address} missing={missing} />
        <Buttons {...socket} refill={refill} canSend={data.bodies.length > 0} />
      </footer>
    </form>
  )
}

function useLeaveOnClose(leave: () => void) {
  const container = useRef<HTMLFormElement>(null)
  useEffect(() => {
    const dialog = container.current?.closest('dialog')
    dialog?.addEventListener('close', leave)
    return () => dialog?.removeEventListener('close', leave)
  })
  return container
}

type Socket = ReturnType<typeof useSocket>

interface ButtonsProps extends Pick<Socket, 'state' | 'leave'> {
  canSend: boolean
  refill(): void
}

/** The primary action is the submit button, so that Enter triggers it. */
function Buttons({ state, leave, canSend, refill }: ButtonsProps) {
  const example = (
    <button type="button" class="try-plain" key="example" onClick={refill}>
      {uiText('tryExample')}
    </button>
  )
  if (state === 'closed') {
    return (
      <>
        {example}
        <button type="submit" class="try-send" key="connect">
          {uiText('tryConnect')}
        </button>
      </>
    )
  }
  return (
    <>
      {example}
      <button type="button" class="try-plain" key="leave" onClick={leave}>
        {uiText(state === 'open' ? 'tryDisconnect' : 'tryCancel')}
      </button>
      {canSend && (
        <button type="submit" class="try-send" key="send" disabled={state !== 'open'}>
          {uiText('trySend')}
        </button>
      )}
    </>
  )
}

function MessageLog({
  state,
  notice,
  messages,
  clear,
}: Pick<Socket, 'state' | 'notice' | 'messages' | 'clear'>) {
  const end = useRef<HTMLOListElement>(null)
  const last = messages.at(-1)?.id
  useEffect(() => {
    const list = end.current
    // Do not scroll if the reader has scrolled up.
    if (list && list.scrollHeight - list.scrollTop - list.clientHeight < 400)
      list.scrollTop = list.scrollHeight
  }, [last])
  return (
    <section class="try-result">
      <div class="try-bar">
        <h3>{uiText('apiMessages')}</h3>
        {messages.length > 0 && (
          <button type="button" class="try-small" onClick={clear}>
            {uiText('clear')}
          </button>
        )}
      </div>
      {state === 'connecting' && (
        <p class="try-about" role="status">
          {uiText('tryWaiting')}
        </p>
      )}
      {notice && (
        <p class={notice.isError ? 'try-fault' : 'try-about'} role={notice.isError ? 'alert' : 'status'}>
          {notice.text}
        </p>
      )}
      {messages.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard.
        <ol class="try-log" ref={end} tabIndex={0} aria-label={uiText('apiMessages')}>
          {messages.map((message) => (
            <Message key={message.id} {...message} />
          ))}
        </ol>
      )}
    </section>
  )
}

/** Longer messages are not formatted, because many are rendered at once. */
const MAX_FORMATTED_CHARACTERS = 20_000

function Message({ isOwn, at, text, file, bytes }: SocketMessage) {
  const json = useMemo(
    () => (text === null || text.length > MAX_FORMATTED_CHARACTERS ? undefined : parseJsonText(text)),
    [text],
  )
  return (
    <li class="try-message" data-own={isOwn || undefined}>
      <p class="try-type">
        <span aria-hidden="true">{isOwn ? '↑' : '↓'}</span> {uiText(isOwn ? 'apiSend' : 'apiReceive')} ·{' '}
        {new Date(at).toLocaleTimeString(document.documentElement.lang || 'en')} · {formatSize(bytes)}
      </p>
      {typeof json === 'object' && json !== null ? (
        <JsonTree value={json} />
      ) : (
        text !== null && <pre>{text}</pre>
      )}
      {file && (
        <button type="button" class="try-small" onClick={() => saveFile(file, 'message')}>
          {uiText('download')}
        </button>
      )}
    </li>
  )
}
