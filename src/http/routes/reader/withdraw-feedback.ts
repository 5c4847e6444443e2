/** DELETE /_octavo/feedback and /_octavo/sites/{siteId}/feedback: a bare vote is taken back. */
import type { WithdrawnFeedback } from '../../../contract/reader.ts'
import { deleteVote } from '../../../feedback/store.ts'
import type { ReaderCall } from '../../reader-route.ts'

export function withdrawFeedback({
  site,
  body,
  commit,
}: ReaderCall<'withdrawFeedback'>): Promise<WithdrawnFeedback> {
  return commit(null, async (tx) => ({ removed: await deleteVote(tx, site.projectId, body.id) }))
}
