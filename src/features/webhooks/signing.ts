/** Signatures of the Standard Webhooks specification: HMAC-SHA256 over id, time and body, under a secret of the endpoint. */
import { createHmac, randomBytes } from 'node:crypto'

/** The specification asks for 24 to 64. */
const SECRET_BYTES = 32

export function createSigningSecret(): Buffer {
  return randomBytes(SECRET_BYTES)
}

/** As the receiver's libraries take it. */
export function secretText(secret: Uint8Array): string {
  return `whsec_${Buffer.from(secret).toString('base64')}`
}

export interface Message {
  /** The same for each try of a delivery: by it a receiver knows what it has had already. */
  id: string
  /** Of this try; receivers refuse what is too old. */
  at: Date
  /** As it is sent. */
  body: string
}

export function signatureHeaders(secret: Uint8Array, { id, at, body }: Message): Record<string, string> {
  const seconds = Math.floor(at.getTime() / 1000)
  const signature = createHmac('sha256', secret).update(`${id}.${seconds}.${body}`).digest('base64')
  return { 'webhook-id': id, 'webhook-timestamp': String(seconds), 'webhook-signature': `v1,${signature}` }
}
