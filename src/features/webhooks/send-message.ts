/** One try: a signed POST through the guarded door, and what the answer means. */
import { type GuardedFetch, GuardedFetchError } from '../../base/net/guarded-fetch.ts'
import type { SecretBox } from '../../base/secret-box.ts'
import type { ClaimedDelivery, Outcome } from './deliveries.ts'
import type { EventData } from './operations/webhooks.ts'
import { readRetryAfter } from './retry-schedule.ts'
import { signatureHeaders } from './signing.ts'

export interface SendDeps {
  guardedFetch: Pick<GuardedFetch, 'fetch'>
  webhookSecrets: SecretBox
  /** Names the program to receivers. */
  userAgent: string
  /** Where links of sentences lead. */
  publicUrl: () => string
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
    return { ...failed(statusSentence(status)), status, excerpt, retryAfterSeconds }
  } catch (error) {
    if (signal.aborted) return { kind: 'abandoned' }
    if (error instanceof GuardedFetchError) return failed(error.message)
    throw error
  }
}

/** The address of a chat is the secret itself, and takes no signature. */
function messageOf(deps: SendDeps, delivery: ClaimedDelivery, secret: Buffer) {
  const body = messageBody(delivery, deps.publicUrl())
  if (delivery.format === 'slack') return { url: secret.toString(), headers: {}, body }
  return {
    url: delivery.url,
    headers: signatureHeaders(secret, { id: delivery.eventId, at: new Date(), body }),
    body,
  }
}

/** What is sent, and signed where that is done. */
export function messageBody(
  { format, type, createdAt, data }: Pick<ClaimedDelivery, 'format' | 'type' | 'createdAt' | 'data'>,
  publicUrl: string,
): string {
  return format === 'slack'
    ? JSON.stringify({ text: chatText(data, publicUrl) })
    : JSON.stringify({ type, timestamp: createdAt.toISOString(), data })
}

/** Sentences in the marks that Slack reads, and a link. */
function chatText(data: object, publicUrl: string): string {
  const { notification, message } = data as Partial<EventData<'notification.job_failed'>> & {
    message?: string
  }
  if (notification === undefined) return `Octavo: ${escaped(message ?? '')}`
  const { projectName, text, path } = notification
  return `*${escaped(projectName)}*: ${escaped(text)}. <${publicUrl}${path}|Open>`
}

/** Nobody sees it, and no mark goes on behind it. */
const BREAK = '\u200b'

/** Text of others can neither link nor call people: by the marks of Slack, nor by the Markdown of Mattermost and Rocket.Chat. */
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
