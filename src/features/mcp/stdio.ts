/** The server over standard input and output: one message per line, and no other output. */
import { answerMessage, type McpServer, unreadable } from './protocol.ts'

/** Maximum size of a message. Longer ones are discarded. */
export const MOST_LINE_BYTES = 1 << 20
const NEWLINE = 10

/** Resolves at the end of the input, once all requests are answered. */
export async function serveLines(
  server: McpServer,
  input: AsyncIterable<Buffer>,
  write: (line: string) => Promise<void>,
): Promise<void> {
  for await (const line of linesOf(input)) {
    const body = line === null ? unreadable().body : await answerLine(server, line)
    if (body !== null) await write(`${JSON.stringify(body)}\n`)
  }
}

async function answerLine(server: McpServer, line: string): Promise<object | null> {
  if (line.trim() === '') return null
  let message: unknown
  try {
    message = JSON.parse(line)
  } catch {
    return unreadable().body
  }
  return (await answerMessage(server, message, null)).body
}

/** Yields null for a line that is too long. */
async function* linesOf(input: AsyncIterable<Buffer>): AsyncGenerator<string | null> {
  let held: Buffer[] = []
  let bytes = 0
  for await (const chunk of input) {
    for (let at = 0; at < chunk.length; ) {
      const end = chunk.indexOf(NEWLINE, at)
      const part = chunk.subarray(at, end < 0 ? undefined : end)
      bytes += part.length
      if (bytes <= MOST_LINE_BYTES) held.push(part)
      else held = []
      if (end < 0) break
      yield bytes <= MOST_LINE_BYTES ? Buffer.concat(held).toString('utf8') : null
      held = []
      bytes = 0
      at = end + 1
    }
  }
  if (bytes > 0) yield bytes <= MOST_LINE_BYTES ? Buffer.concat(held).toString('utf8') : null
}
