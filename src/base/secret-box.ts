/** Encrypts secrets that must be read again: AES-256-GCM with a key derived from the node's secret. */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

export interface SecretBox {
  /** `context` identifies the storage location, such as an id. Decryption fails with a different context. */
  seal(secret: Uint8Array, context: string): Buffer
  /** Returns null if the data was encrypted with another context or secret, or was altered. */
  open(sealed: Uint8Array, context: string): Buffer | null
}

const IV_BYTES = 12
const TAG_BYTES = 16

/** Creates a box. `purpose` separates the secrets of different features. The main secret must survive restarts. */
export function createSecretBox(secret: string, purpose: string): SecretBox {
  const key = Buffer.from(hkdfSync('sha256', secret, '', `octavo secret box: ${purpose}`, 32))
  return {
    seal(text, context) {
      const iv = randomBytes(IV_BYTES)
      const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(context))
      const hidden = Buffer.concat([cipher.update(text), cipher.final()])
      return Buffer.concat([iv, cipher.getAuthTag(), hidden])
    },
    open(sealed, context) {
      if (sealed.byteLength < IV_BYTES + TAG_BYTES) return null
      const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, IV_BYTES), {
        authTagLength: TAG_BYTES,
      })
      decipher.setAAD(Buffer.from(context)).setAuthTag(sealed.subarray(IV_BYTES, IV_BYTES + TAG_BYTES))
      try {
        return Buffer.concat([decipher.update(sealed.subarray(IV_BYTES + TAG_BYTES)), decipher.final()])
      } catch {
        return null
      }
    },
  }
}
