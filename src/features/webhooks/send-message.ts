/** Makes one delivery attempt: a signed POST through the guarded fetch, and the interpretation of the response. */
import { type GuardedFetch, GuardedFetchError } from '../../base/net/guarded-fetch.ts'
import type { SecretBox } from '../../base/secret-box.ts'
import type { ClaimedDelivery, Outcome } from './deliveries.ts'
import type { EventData } from './operations/webhooks.ts'
import { readRetryAfter } from './retry-schedule.ts'
import { signatureHeaders } from './signing.ts'

export interface SendDeps {
  guardedFetch: Pick<GuardedFetch, 'fetch'>
  webhookSecrets: SecretBox
  /** User agent sent to receivers. */
  userAgent: string
  /** Base URL of links in chat messages. */
  publicUrl: () => string
}

/** Bytes of a response that are stored. */
const EXCERPT_BYTES = 1024

/** Never rejects. `signal` aborts the attempt when the server stops. */
export async function sendMessage(
  deps: SendDeps,
  delivery: ClaimedDelivery,
  { timeoutMs, signal }: { timeoutMs: number; signal: AbortSignal },
): Promise<Outcome> {
  const secret = deps.webhookSecrets.open(delivery.secret, delivery.endpointId)
  if (secret === null)
    return failedOutcome('It cannot be signed: the secret of this Octavo was changed. Make the webhook anew.')
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
      maxBytes: EXCERPT_BYTES,
      onLarger: 'cut',
      signal,
    })
    const excerpt = excerptOf(answer)
    if (status >= 200 && status < 300) return { kind: 'delivered', status, excerpt }
    if (status === 410) return { kind: 'gone', status, excerpt }
    const retryAfterSeconds = readRetryAfter(headers['retry-after'], Date.now())
    return { ...failedOutcome(statusSentence(status)), status, excerpt, retryAfterSeconds }
  } catch (error) {
    if (signal.aborted) return { kind: 'abandoned' }
    if (error instanceof GuardedFetchError) return failedOutcome(error.message)
    throw error
  }
}

/** The URL of a chat is the secret itself, and takes no signature. */
function messageOf(deps: SendDeps, delivery: ClaimedDelivery, secret: Buffer) {
  const body = messageBody(delivery, deps.publicUrl())
  if (delivery.format === 'slack') return { url: secret.toString(), headers: {}, body }
  return {
    url: delivery.url,
    headers: signatureHeaders(secret, { id: delivery.eventId, at: new Date(), body }),
    body,
  }
}

/** Builds the body, which is signed except for chats. */
export function messageBody(
  { format, type, createdAt, data }: Pick<ClaimedDelivery, 'format' | 'type' | 'createdAt' | 'data'>,
  publicUrl: string,
): string {
  return format === 'slack'
    ? JSON.stringify({ text: chatText(data, publicUrl) })
    : JSON.stringify({ type, timestamp: createdAt.toISOString(), data })
}

/** Builds a message in Slack's markup, with a link. */
function chatText(data: object, publicUrl: string): string {
  const { notification, message } = data as Partial<EventData<'notification.job_failed'>> & {
    message?: string
  }
  if (notification === undefined) return `Octavo: ${escaped(message ?? '')}`
  const { projectName, text, path } = notification
  return `*${escaped(projectName)}*: ${escaped(text)}. <${publicUrl}${path}|Open>`
}

/** A zero-width space: invisible, and interrupts markup. */
const BREAK = '\u200b'

/**
 * Escapes text of others, so that it can neither link nor mention people: in the markup of Slack, and in the Markdown
 * of Mattermost and Rocket.Chat.
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

function statusSentence(status: number): string {
  return status >= 300 && status < 400
    ? `The receiver answered ${status}: redirects are not followed, give the address that they lead to.`
    : `The receiver answered ${status}.`
}

/** Removes control characters for display. PostgreSQL does not accept U+0000. */
function excerptOf(answer: Uint8Array): string | null {
  const text = Buffer.from(answer)
    .toString('utf8')
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g, '')
    .trim()
  return text === '' ? null : text
}
