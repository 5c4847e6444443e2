/** Server-sent events out of the bytes of a stream. */

export interface ServerSentEvent {
  id: string | null
  type: string
  data: string
}

/** Whole events only: what a broken connection left of the last one is dropped with it. Skips comments. */
export async function* readEvents(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<ServerSentEvent> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of chunks) {
    const blocks = (rest + decoder.decode(chunk, { stream: true })).split('\n\n')
    rest = blocks.pop() ?? ''
    for (const block of blocks) {
      const event = readEvent(block)
      if (event !== null) yield event
    }
  }
}

/** Null for comments and for the pause that the server asks for. */
function readEvent(block: string): ServerSentEvent | null {
  const fields = new Map<string, string>()
  for (const line of block.split('\n')) {
    const colon = line.indexOf(': ')
    if (colon > 0) fields.set(line.slice(0, colon), line.slice(colon + 2))
  }
  const [type, data] = [fields.get('event'), fields.get('data')]
  if (type === undefined || data === undefined) return null
  return { id: fields.get('id') ?? null, type, data }
}
