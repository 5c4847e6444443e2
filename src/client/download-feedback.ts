/** Downloads all matching feedback as JSON lines, resuming broken connections. */
import { pause } from '../base/net/retry.ts'
import type { FeedbackEntry, FeedbackExportQuery } from '../features/feedback/operations/feedback.ts'
import { ApiError } from './call.ts'
import type { OctavoClient } from './client.ts'

export type FeedbackFilters = Omit<FeedbackExportQuery, 'format' | 'cursor' | 'include'>

/** Delay before the second attempt, doubled for each further attempt. */
const PAUSE_MS = 100

/**
 * Yields each entry once, newest first. Resumes a broken connection after the last complete line, with at most
 * `tries` attempts without progress. Throws ApiError for error responses.
 */
export async function* downloadFeedback(
  client: Pick<OctavoClient, 'exportFeedback'>,
  projectId: string,
  filters: FeedbackFilters,
  options: { include?: readonly ('vote' | 'reason')[]; tries?: number } = {},
): AsyncGenerator<FeedbackEntry> {
  const include = [...(options.include ?? []), 'cursor'].join(',')
  let position: { cursor?: string } = {}
  for (let failures = 0; ; ) {
    try {
      const chunks = await client.exportFeedback(projectId, { ...filters, ...position, include })
      for await (const line of readLines(chunks)) {
        const { cursor, ...entry } = JSON.parse(line) as FeedbackEntry & { cursor: string }
        position = { cursor }
        failures = 0
        yield entry as FeedbackEntry
      }
      return
    } catch (error) {
      // Before the first line there is no position to resume from.
      if (error instanceof ApiError || position.cursor === undefined) throw error
      if (++failures >= (options.tries ?? 5)) throw error
      await pause(PAUSE_MS * 2 ** failures)
    }
  }
}

/** Yields complete lines only, dropping a line cut off by a broken connection. */
async function* readLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of chunks) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
}
