/**
 * Signatures according to the Standard Webhooks specification: HMAC-SHA256 over id, time and body, with a secret of
 * the endpoint.
 */
import { createHmac, randomBytes } from 'node:crypto'

/** The specification requires 24 to 64. */
const SECRET_BYTES = 32

export function createSigningSecret(): Buffer {
  return randomBytes(SECRET_BYTES)
}

/** Formats the secret for the receiver's library. */
export function secretText(secret: Uint8Array): string {
  return `whsec_${Buffer.from(secret).toString('base64')}`
}

export interface Message {
  /** Same for every attempt of a delivery, so that a receiver can detect duplicates. */
  id: string
  /** Time of this attempt. Receivers reject old ones. */
  at: Date
  /** Body exactly as sent. */
  body: string
}

export function signatureHeaders(secret: Uint8Array, { id, at, body }: Message): Record<string, string> {
  const seconds = Math.floor(at.getTime() / 1000)
  const signature = createHmac('sha256', secret).update(`${id}.${seconds}.${body}`).digest('base64')
  return { 'webhook-id': id, 'webhook-timestamp': String(seconds), 'webhook-signature': `v1,${signature}` }
}
