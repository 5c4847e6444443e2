/** Review links: they give access to view one change, and to nothing else. */
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { JobRow } from '../store.ts'

export type LinkedJob = Pick<JobRow, 'id' | 'link_salt'>

/** Valid for one job until the secret of the node or the salt of the job changes. */
export function reviewToken(secret: string, job: LinkedJob): string {
  return linkToken(secret, 'review', job)
}

/** `use` separates tokens for different purposes. */
export function linkToken(secret: string, use: string, { id, link_salt: salt }: LinkedJob): string {
  const text = [use, id, ...(salt === '' ? [] : [salt])].join('\n')
  return createHmac('sha256', secret).update(text).digest('base64url').slice(0, 32)
}

export function isReviewToken(secret: string, job: LinkedJob, token: string): boolean {
  const [given, right] = [Buffer.from(token), Buffer.from(reviewToken(secret, job))]
  return given.length === right.length && timingSafeEqual(given, right)
}

export function reviewLink(deps: { publicUrl: () => string; secret: string }, job: LinkedJob): string {
  return `${deps.publicUrl()}/reviews/${job.id}/${reviewToken(deps.secret, job)}`
}
