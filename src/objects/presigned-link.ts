/**
 * Links to objects that our own server serves, for stores without a server.
 *
 * `<publicUrl>/_octavo/objects/<key>?expires=<unix seconds>&filename=<name>&signature=<base64url
 * HMAC-SHA256>`. The signature covers key, expiry and file name, so no state is stored except for the secret.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { PresignOptions } from './object-store.ts'

export const OBJECTS_PATH = '/_octavo/objects/'

export const MIN_LIFETIME_SECONDS = 60
export const MAX_LIFETIME_SECONDS = 604_800

export interface LinkSigner {
  /** With or without a trailing slash. */
  publicUrl: string
  /** At least 16 bytes. Must be the same on every node. */
  secret: string | Uint8Array
}

export type LinkVerdict = { kind: 'ok'; filename: string } | { kind: 'expired' } | { kind: 'altered' }

/** Throws RangeError unless the lifetime is between 60 seconds and seven days. */
export function makeLink(
  signer: LinkSigner,
  key: string,
  options: PresignOptions,
  now: number = Date.now(),
): { url: string; expiresAt: Date } {
  checkLifetime(options.lifetimeSeconds)
  const expires = Math.floor(now / 1000) + options.lifetimeSeconds
  const query = new URLSearchParams({
    expires: String(expires),
    filename: options.filename,
    signature: sign(signer.secret, key, String(expires), options.filename),
  })
  const base = signer.publicUrl.replace(/(?<!\/)\/+$/, '')
  return { url: `${base}${OBJECTS_PATH}${key}?${query}`, expiresAt: new Date(expires * 1000) }
}

/**
 * Verifies a request for `key`. The link is `altered` if a part was changed, added, repeated or removed. Only
 * unaltered links can be `expired`.
 */
export function verifyLink(
  secret: string | Uint8Array,
  key: string,
  query: URLSearchParams,
  now: number = Date.now(),
): LinkVerdict {
  const [expires, filename, signature] = ['expires', 'filename', 'signature'].map((name) =>
    query.getAll(name),
  )
  if (query.size !== 3 || !expires?.[0] || !signature?.[0] || filename?.[0] === undefined)
    return { kind: 'altered' }
  if (!/^\d{1,12}$/.test(expires[0])) return { kind: 'altered' }
  const expected = Buffer.from(sign(secret, key, expires[0], filename[0]))
  const given = Buffer.from(signature[0])
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return { kind: 'altered' }
  return now < Number(expires[0]) * 1000 ? { kind: 'ok', filename: filename[0] } : { kind: 'expired' }
}

export function checkLifetime(seconds: number): void {
  if (Number.isInteger(seconds) && seconds >= MIN_LIFETIME_SECONDS && seconds <= MAX_LIFETIME_SECONDS) return
  throw new RangeError(
    `the link lifetime must be a whole number of seconds from ${MIN_LIFETIME_SECONDS} to ${MAX_LIFETIME_SECONDS}, but is ${seconds}`,
  )
}

/** Throws RangeError for a secret that is too short. */
export function checkSecret(secret: string | Uint8Array): void {
  if (Buffer.byteLength(secret) < 16) throw new RangeError('the secret for links must have at least 16 bytes')
}

// The file name comes last, because it is the only part that may contain a line break, which is the separator.
function sign(secret: string | Uint8Array, key: string, expires: string, filename: string): string {
  return createHmac('sha256', secret)
    .update(`octavo-link-1\n${key}\n${expires}\n${filename}`)
    .digest('base64url')
}
