/** Makes a delivery attempt: sends a signed POST through the guarded fetch and interprets the response. */
import { type GuardedFetch, GuardedFetchError } from '../../base/net/guarded-fetch.ts'
import type { SecretBox } from '../../base/secret-box.ts'
import type { ClaimedDelivery, Outcome } from './deliveries.ts'
import type { EventData } from './operations/webhooks.ts'
import { readRetryAfter } from './retry-schedule.ts'
import { signatureHeaders } from './signing.ts'

export interface SendDeps {
  guardedFetch: Pick<GuardedFetch, 'fetch'>
  webhookSecrets: SecretBox
  userAgent: string
  publicUrl: () => string
}

const MAX_EXCERPT_BYTES = 1024

/** Never rejects. `signal` aborts the attempt when the server stops. */
export async function sendMessage(
  deps: SendDeps,
  delivery: ClaimedDelivery,
  { timeoutMs, signal }: { timeoutMs: number; signal: AbortSignal },
): Promise<Outcome> {
  const secret = deps.webhookSecrets.open(delivery.secret, delivery.endpointId)
  if (secret === null)
    return failedOutcome(
      'The delivery cannot be signed because the secret of the server has changed. Create the webhook again.',
    )
  const { url, headers: signed, body } = messageOf(deps, delivery, secret)
  try {
    const {
      status,
      headers,
      body: answer,
    } = await deps.guardedFetch.fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent': deps.userAgent,
        ...signed,
      },
      body,
      timeoutMs,
      maxBytes: MAX_EXCERPT_BYTES,
      onLarger: 'cut',
      signal,
    })
    const excerpt = excerptOf(answer)
    if (status >= 200 && status < 300) return { kind: 'delivered', status, excerpt }
    if (status === 410) return { kind: 'gone', status, excerpt }
    const retryAfterSeconds = readRetryAfter(headers['retry-after'], Date.now())
    return { ...failedOutcome(statusMessage(status)), status, excerpt, retryAfterSeconds }
  } catch (error) {
    if (signal.aborted) return { kind: 'abandoned' }
    if (error instanceof GuardedFetchError) return failedOutcome(error.message)
    throw error
  }
}

/** Messages to a chat have no signature, because the URL is the secret. */
function messageOf(deps: SendDeps, delivery: ClaimedDelivery, secret: Buffer) {
  const body = messageBody(delivery, deps.publicUrl())
  if (delivery.format === 'slack') return { url: secret.toString(), headers: {}, body }
  return {
    url: delivery.url,
    headers: signatureHeaders(secret, { id: delivery.eventId, at: new Date(), body }),
    body,
  }
}

export function messageBody(
  { format, type, createdAt, data }: Pick<ClaimedDelivery, 'format' | 'type' | 'createdAt' | 'data'>,
  publicUrl: string,
): string {
  return format === 'slack'
    ? JSON.stringify({ text: chatText(data, publicUrl) })
    : JSON.stringify({ type, timestamp: createdAt.toISOString(), data })
}

function chatText(data: object, publicUrl: string): string {
  const { notification, message } = data as Partial<EventData<'notification.job_failed'>> & {
    message?: string
  }
  if (notification === undefined) return `Octavo: ${escaped(message ?? '')}`
  const { projectName, text, path } = notification
  return `*${escaped(projectName)}*: ${escaped(text)}. <${publicUrl}${path}|Open>`
}

/** An invisible zero-width space, which interrupts markup. */
const BREAK = '\u200b'

/**
 * Escapes untrusted text, so that it cannot link or mention users in the markup of Slack or in the Markdown of
 * Mattermost and Rocket.Chat.
 */
function escaped(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('@', `@${BREAK}`)
    .replaceAll('](', `]${BREAK}(`)
    .replaceAll('://', `:${BREAK}//`)
}

function failedOutcome(error: string): Extract<Outcome, { kind: 'failed' }> {
  return { kind: 'failed', status: null, excerpt: null, error, retryAfterSeconds: null }
}

function statusMessage(status: number): string {
  return status >= 300 && status < 400
    ? `The receiver responded with ${status}. Redirects are not followed: use the target URL.`
    : `The receiver responded with ${status}.`
}

/** Removes control characters for display, including U+0000, which PostgreSQL does not accept. */
function excerptOf(answer: Uint8Array): string | null {
  const text = Buffer.from(answer)
    .toString('utf8')
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g, '')
    .trim()
  return text === '' ? null : text
}
