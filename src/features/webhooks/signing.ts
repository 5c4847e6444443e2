/**
 * Signatures of the Standard Webhooks specification: HMAC-SHA256 of id, time and body with the endpoint's
 * secret.
 */
import { createHmac, randomBytes } from 'node:crypto'

/** The specification requires 24 to 64 bytes. */
const SECRET_BYTES = 32

export function createSigningSecret(): Buffer {
  return randomBytes(SECRET_BYTES)
}

export function secretText(secret: Uint8Array): string {
  return `whsec_${Buffer.from(secret).toString('base64')}`
}

export interface Message {
  /** Does not change between attempts of a delivery, so that receivers can detect duplicates. */
  id: string
  /** Time of this attempt. Receivers reject messages that are too old. */
  at: Date
  body: string
}

export function signatureHeaders(secret: Uint8Array, { id, at, body }: Message): Record<string, string> {
  const seconds = Math.floor(at.getTime() / 1000)
  const signature = createHmac('sha256', secret).update(`${id}.${seconds}.${body}`).digest('base64')
  return { 'webhook-id': id, 'webhook-timestamp': String(seconds), 'webhook-signature': `v1,${signature}` }
}
