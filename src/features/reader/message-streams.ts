/** Converts the assistant's answers to the two stream protocols of the AI SDK's chat components. */
import { encodePath } from '../../render/html/encode-path.ts'
import type { ServerEvent } from '../../routing/event-stream.ts'
import type { StreamResponse } from '../../routing/handler.ts'
import type { AssistantEvent } from '../assistant/operations/assistant.ts'

const UNANSWERED = 'The documentation does not answer this question.'

type Events = AsyncIterable<AssistantEvent>

export function pageUrl(origin: string, path: string, anchor: string | null): string {
  return `${origin}${encodePath(path)}${anchor === null ? '' : `#${encodeURIComponent(anchor)}`}`
}

/** Parts of an answer that both protocols can express. */
type Piece =
  | { kind: 'start'; id: string; threadId: string }
  | { kind: 'text'; text: string }
  | { kind: 'source'; id: string; url: string; title: string }
  | { kind: 'end' }
  | { kind: 'error'; error: string }

async function* piecesOf(events: Events, origin: string): AsyncGenerator<Piece> {
  const sentIds = new Set<string>()
  function* source({ path, anchor, title }: { path: string; anchor: string | null; title: string }) {
    const url = pageUrl(origin, path, anchor)
    if (sentIds.has(url)) return
    sentIds.add(url)
    yield { kind: 'source', id: `source-${sentIds.size}`, url, title } as const
  }
  let texts = 0
  for await (const { event, data } of events)
    switch (event) {
      case 'start':
        yield { kind: 'start', ...data }
        break
      case 'claim':
        yield { kind: 'text', text: `${texts++ === 0 ? '' : '\n\n'}${data.text}` }
        yield* source(data.source)
        break
      case 'end':
        if (data.resolutionStatus === 'unanswered') {
          yield { kind: 'text', text: UNANSWERED }
          for (const page of data.nearest) yield* source(page)
        }
        yield { kind: 'end' }
        break
      case 'error':
        yield { kind: 'error', error: data.error }
    }
}

/** Version 5: server-sent events. */
export function uiMessages(events: Events, origin: string): AsyncIterable<ServerEvent> {
  return uiEvents(events, origin)
}
uiMessages.headers = { 'X-Vercel-AI-UI-Message-Stream': 'v1' }

const TEXT_ID = 'answer'

async function* uiEvents(events: Events, origin: string): AsyncGenerator<ServerEvent> {
  const part = (type: string, more: object = {}) => ({ event: type, data: { type, ...more } })
  let messageMetadata = {}
  let isOpen = false
  const close = () => (isOpen ? [part('text-end', { id: TEXT_ID })] : [])
  for await (const piece of piecesOf(events, origin))
    switch (piece.kind) {
      case 'start':
        messageMetadata = { threadId: piece.threadId }
        yield part('start', { messageId: piece.id, messageMetadata })
        break
      case 'text':
        if (!isOpen) yield part('text-start', { id: TEXT_ID })
        isOpen = true
        yield part('text-delta', { id: TEXT_ID, delta: piece.text })
        break
      case 'source':
        yield part('source-url', { sourceId: piece.id, url: piece.url, title: piece.title })
        break
      case 'end':
        yield* close()
        yield part('finish', { messageMetadata })
        break
      case 'error':
        yield* close()
        yield part('error', { errorText: piece.error })
    }
}

/** Version 4: one part per line. */
export function dataStream(events: Events, origin: string): StreamResponse {
  return { contentType: 'text/plain', body: dataLines(events, origin) }
}
dataStream.headers = { 'X-Vercel-AI-Data-Stream': 'v1' }

async function* dataLines(events: Events, origin: string): AsyncGenerator<string> {
  const part = (code: string, value: unknown) => `${code}:${JSON.stringify(value)}\n`
  const end = { finishReason: 'stop', usage: { promptTokens: 0, completionTokens: 0 } }
  let threadId = ''
  for await (const piece of piecesOf(events, origin))
    switch (piece.kind) {
      case 'start':
        threadId = piece.threadId
        yield part('f', { messageId: piece.id })
        break
      case 'text':
        yield part('0', piece.text)
        break
      case 'source':
        yield part('h', { sourceType: 'url', id: piece.id, url: piece.url, title: piece.title })
        break
      case 'end':
        yield part('e', { ...end, isContinued: false })
        yield part('d', { ...end, threadId })
        break
      case 'error':
        yield part('3', piece.error)
    }
}
