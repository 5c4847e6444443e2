/** The link under which a change can be looked at: whoever has it may look, and no more. */
import { createHmac, timingSafeEqual } from 'node:crypto'

/** Of one job, as long as the node keeps its secret. */
export function reviewToken(secret: string, jobId: string): string {
  return createHmac('sha256', secret).update(`review\n${jobId}`).digest('base64url').slice(0, 32)
}

export function isReviewToken(secret: string, jobId: string, token: string): boolean {
  const [given, right] = [Buffer.from(token), Buffer.from(reviewToken(secret, jobId))]
  return given.length === right.length && timingSafeEqual(given, right)
}

export function reviewLink(deps: { publicUrl: () => string; secret: string }, jobId: string): string {
  return `${deps.publicUrl()}/reviews/${jobId}/${reviewToken(deps.secret, jobId)}`
}
