/** A WebSocket connection and its messages. */
import { useEffect, useRef, useState } from 'preact/hooks'
import type { BuiltBody } from '../../../src/openapi/build-request.ts'
import { toFetchBody } from '../../../src/openapi/build-request.ts'
import { uiText } from './ui-text.ts'
import { parseWebUrl } from './web-url.ts'

export interface SocketMessage {
  id: number
  isOwn: boolean
  at: number
  /** Null for a file. */
  text: string | null
  file: Blob | null
  bytes: number
}

export type SocketState = 'closed' | 'connecting' | 'open'

/** Maximum messages stored, and characters per message. */
const MAX_MESSAGES = 300
const MAX_MESSAGE_CHARACTERS = 200_000
/** Interval between updates while messages arrive, in ms. */
const RENDER_INTERVAL_MS = 80
/** Close code for an abnormal closure (RFC 6455), such as an unreachable server. */
const ABNORMAL_CLOSE_CODE = 1006

export interface SocketNotice {
  text: string
  isError: boolean
}

export function useSocket() {
  const [state, setState] = useState<SocketState>('closed')
  const [notice, setNotice] = useState<SocketNotice | null>(null)
  const [messages, setMessages] = useState<readonly SocketMessage[]>([])
  const current = useRef<WebSocket | null>(null)
  const log = useMessageLog(setMessages)
  const end = (words: SocketNotice) => {
    current.current = null
    setState('closed')
    setNotice(words)
  }
  const leave = () => {
    current.current?.close()
    if (current.current) end({ text: uiText('tryClosed', { code: '1000' }), isError: false })
  }
  useEffect(() => () => current.current?.close(), [])
  const connect = (url: string) => {
    current.current?.close()
    const socket = openSocket(url)
    if (socket === null) return end(describeNoConnection(url))
    current.current = socket
    setState('connecting')
    setNotice(null)
    addListeners(socket, url, () => current.current === socket, {
      opened(words) {
        setState('open')
        setNotice(words)
      },
      heard: (data) => log.add(data, false),
      ended: end,
    })
  }
  const send = (body: BuiltBody | null) => {
    const socket = current.current
    if (socket?.readyState !== WebSocket.OPEN) return
    const data = body === null ? '' : toFetchBody(body)
    const message = data instanceof Blob ? data : String(data)
    socket.send(message)
    log.add(message, true)
  }
  return { state, notice, messages, connect, leave, send, clear: log.clear }
}

/** Returns null for an invalid URL, and for `ws:` on an https page. */
function openSocket(url: string): WebSocket | null {
  try {
    return new WebSocket(url)
  } catch {
    return null
  }
}

const displayHost = (url: string) => parseWebUrl(url)?.host ?? url
const describeNoConnection = (url: string): SocketNotice => ({
  text: uiText('tryNoSocket', { host: displayHost(url) }),
  isError: true,
})

interface Listener {
  opened(words: SocketNotice): void
  heard(data: string | Blob): void
  ended(words: SocketNotice): void
}

/** Registers listeners that ignore events of a socket that has been replaced. */
function addListeners(
  socket: WebSocket,
  url: string,
  isCurrent: () => boolean,
  { opened, heard, ended }: Listener,
): void {
  let wasOpen = false
  socket.binaryType = 'blob'
  socket.onopen = () => {
    wasOpen = true
    if (isCurrent()) opened({ text: uiText('tryConnected', { host: displayHost(url) }), isError: false })
  }
  socket.onmessage = ({ data }: MessageEvent<string | Blob>) => isCurrent() && heard(data)
  socket.onclose = ({ code, reason }) => {
    if (!isCurrent()) return
    if (!wasOpen && code === ABNORMAL_CLOSE_CODE) return ended(describeNoConnection(url))
    const text = uiText('tryClosed', { code: [String(code), reason].filter(Boolean).join(' ') })
    ended({ text, isError: code !== 1000 && code !== 1005 })
  }
}

/** Log of messages, rendered at intervals and limited to the newest messages. */
function useMessageLog(setMessages: (messages: readonly SocketMessage[]) => void) {
  const buffer = useRef<SocketMessage[]>([])
  const count = useRef(0)
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null)
  useEffect(() => () => clearTimeout(timer.current ?? undefined), [])
  const flush = () => {
    timer.current = null
    setMessages([...buffer.current])
  }
  return {
    add(data: string | Blob, isOwn: boolean) {
      const isText = typeof data === 'string'
      buffer.current.push({
        id: count.current++,
        isOwn,
        at: Date.now(),
        text: isText ? data.slice(0, MAX_MESSAGE_CHARACTERS) : null,
        file: isText ? null : data,
        bytes: isText ? new TextEncoder().encode(data).byteLength : data.size,
      })
      if (buffer.current.length > MAX_MESSAGES) buffer.current.splice(0, buffer.current.length - MAX_MESSAGES)
      timer.current ??= setTimeout(flush, RENDER_INTERVAL_MS)
    },
    clear() {
      buffer.current = []
      flush()
    },
  }
}
