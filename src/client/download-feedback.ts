/** Everything that the filters match, as JSON lines, over connections that break. */
import { pause } from '../base/net/retry.ts'
import type { FeedbackEntry, FeedbackExportQuery } from '../features/feedback/operations/feedback.ts'
import { ApiError } from './call.ts'
import type { OctavoClient } from './client.ts'

export type FeedbackFilters = Omit<FeedbackExportQuery, 'format' | 'cursor' | 'include'>

/** Before the second try of a connection; doubled for each further one. */
const PAUSE_MS = 100

/**
 * Yields each entry once, newest first. A broken connection is taken up again behind the last whole line, at most
 * `tries` times without any progress. Throws ApiError when the API refuses.
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
      for await (const line of linesOf(chunks)) {
        const { cursor, ...entry } = JSON.parse(line) as FeedbackEntry & { cursor: string }
        position = { cursor }
        failures = 0
        yield entry as FeedbackEntry
      }
      return
    } catch (error) {
      // Without a first line there is nothing to go on behind.
      if (error instanceof ApiError || position.cursor === undefined) throw error
      if (++failures >= (options.tries ?? 5)) throw error
      await pause(PAUSE_MS * 2 ** failures)
    }
  }
}

/** Whole lines only: what a broken connection left of the last one is dropped with it. */
async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of chunks) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
}
