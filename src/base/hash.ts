/** SHA-256 as lower-case hex: the name of a blob, and the digest in every manifest. */
import { hash } from 'node:crypto'

export function sha256(data: string | Uint8Array): string {
  return hash('sha256', data, 'hex')
}

/** A digest of several parts that cannot be confused by moving text from one part to the next. */
export function sha256Of(...parts: (string | Uint8Array)[]): string {
  return sha256(parts.map((part) => (typeof part === 'string' ? sha256(part) : sha256(part))).join('\n'))
}
