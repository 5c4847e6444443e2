/** Review links, which give access to one change and to nothing else. */
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { JobRow } from '../store.ts'

export type LinkedJob = Pick<JobRow, 'id' | 'link_salt'>

/**
 * Uses of a link: to open a review, or to show rendered pages. Scripts in rendered pages can read their URL, and must
 * not gain access to the review with it.
 */
type LinkUse = 'review' | 'review preview'

/** Valid for one job and use until the secret of the node or the salt of the job changes. */
export function linkToken(secret: string, use: LinkUse, { id, link_salt: salt }: LinkedJob): string {
  const text = [use, id, ...(salt === '' ? [] : [salt])].join('\n')
  return createHmac('sha256', secret).update(text).digest('base64url').slice(0, 32)
}

export function isLinkToken(secret: string, use: LinkUse, job: LinkedJob, token: string): boolean {
  const [given, right] = [Buffer.from(token), Buffer.from(linkToken(secret, use, job))]
  return given.length === right.length && timingSafeEqual(given, right)
}

/** The token is in the fragment, which browsers do not send to servers, so no log and no `Referer` contains it. */
export function reviewLink(deps: { publicUrl: () => string; secret: string }, job: LinkedJob): string {
  return `${deps.publicUrl()}/reviews/${job.id}#token=${linkToken(deps.secret, 'review', job)}`
}
