/** SHA-256 as lower-case hex, used as blob name and in manifests. */
import { hash } from 'node:crypto'

export function sha256(data: string | Uint8Array): string {
  return hash('sha256', data, 'hex')
}

/** Hashes several parts such that moving text between them changes the digest. */
export function hashParts(...parts: (string | Uint8Array)[]): string {
  return sha256(parts.map((part) => (typeof part === 'string' ? sha256(part) : sha256(part))).join('\n'))
}
