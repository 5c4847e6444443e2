/** One try: a signed POST through the guarded door, and what the answer means. */
import { type GuardedFetch, GuardedFetchError } from '../base/guarded-fetch.ts'
import type { SecretBox } from '../base/secret-box.ts'
import type { ClaimedDelivery, Outcome } from './deliveries.ts'
import { readRetryAfter } from './retry-schedule.ts'
import { signatureHeaders } from './signing.ts'

export interface SendDeps {
  guardedFetch: Pick<GuardedFetch, 'fetch'>
  webhookSecrets: SecretBox
  /** Names the program to receivers. */
  userAgent: string
}

/** Bytes of an answer that are kept. */
const EXCERPT_BYTES = 1024

/** Never rejects. `signal` ends the try when the server stops. */
export async function sendMessage(
  deps: SendDeps,
  delivery: ClaimedDelivery,
  { timeoutMs, signal }: { timeoutMs: number; signal: AbortSignal },
): Promise<Outcome> {
  const secret = deps.webhookSecrets.open(delivery.secret, delivery.endpointId)
  if (secret === null)
    return failed('It cannot be signed: the secret of this Octavo was changed. Make the webhook anew.')
  const { eventId } = delivery
  const body = messageBody(delivery)
  try {
    const {
      status,
      headers,
      body: answer,
    } = await deps.guardedFetch.fetch(delivery.url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent': deps.userAgent,
        ...signatureHeaders(secret, { id: eventId, at: new Date(), body }),
      },
      body,
      timeoutMs,
      maxBytes: EXCERPT_BYTES,
      onLarger: 'cut',
      signal,
    })
    const excerpt = excerptOf(answer)
    if (status >= 200 && status < 300) return { kind: 'delivered', status, excerpt }
    if (status === 410) return { kind: 'gone', status, excerpt }
    const retryAfterSeconds = readRetryAfter(headers['retry-after'], Date.now())
    return { ...failed(statusSentence(status)), status, excerpt, retryAfterSeconds }
  } catch (error) {
    if (signal.aborted) return { kind: 'abandoned' }
    if (error instanceof GuardedFetchError) return failed(error.message)
    throw error
  }
}

/** What is sent and signed. */
export function messageBody({
  type,
  createdAt,
  data,
}: Pick<ClaimedDelivery, 'type' | 'createdAt' | 'data'>): string {
  return JSON.stringify({ type, timestamp: createdAt.toISOString(), data })
}

function failed(error: string): Extract<Outcome, { kind: 'failed' }> {
  return { kind: 'failed', status: null, excerpt: null, error, retryAfterSeconds: null }
}

function statusSentence(status: number): string {
  return status >= 300 && status < 400
    ? `The receiver answered ${status}: redirects are not followed, give the address that they lead to.`
    : `The receiver answered ${status}.`
}

/** Text for people: PostgreSQL takes no U+0000, and nobody wants the rest of the control characters. */
function excerptOf(answer: Uint8Array): string | null {
  const text = Buffer.from(answer)
    .toString('utf8')
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g, '')
    .trim()
  return text === '' ? null : text
}
