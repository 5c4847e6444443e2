/** MCP server over standard input and output: one message per line, and no other output. */
import { handleMcpMessage, type McpServer, parseErrorResponse } from './protocol.ts'

/** Maximum size of a message; larger ones are discarded. */
export const MAX_LINE_BYTES = 1 << 20
const NEWLINE = 10

export async function serveLines(
  server: McpServer,
  input: AsyncIterable<Buffer>,
  write: (line: string) => Promise<void>,
): Promise<void> {
  for await (const line of readLines(input)) {
    const body = line === null ? parseErrorResponse().body : await handleMessageLine(server, line)
    if (body !== null) await write(`${JSON.stringify(body)}\n`)
  }
}

async function handleMessageLine(server: McpServer, line: string): Promise<object | null> {
  if (line.trim() === '') return null
  let message: unknown
  try {
    message = JSON.parse(line)
  } catch {
    return parseErrorResponse().body
  }
  return (await handleMcpMessage(server, message, null)).body
}

/** Yields null for a line that is too long. */
async function* readLines(input: AsyncIterable<Buffer>): AsyncGenerator<string | null> {
  let pending: Buffer[] = []
  let bytes = 0
  for await (const chunk of input) {
    for (let at = 0; at < chunk.length; ) {
      const end = chunk.indexOf(NEWLINE, at)
      const part = chunk.subarray(at, end < 0 ? undefined : end)
      bytes += part.length
      if (bytes <= MAX_LINE_BYTES) pending.push(part)
      else pending = []
      if (end < 0) break
      yield bytes <= MAX_LINE_BYTES ? Buffer.concat(pending).toString('utf8') : null
      pending = []
      bytes = 0
      at = end + 1
    }
  }
  if (bytes > 0) yield bytes <= MAX_LINE_BYTES ? Buffer.concat(pending).toString('utf8') : null
}
