/** Parser for server-sent events. */

export interface ServerSentEvent {
  id: string | null
  type: string
  data: string
}

/** Yields complete events only, dropping an event cut off by a broken connection. Skips comments. */
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

/** Parses an event. Returns null for comments and for the `retry` field. */
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
