/** Opaque ids: a type prefix and a 26-character body that sorts by creation time (ULID layout, lower case). */
import { randomBytes } from 'node:crypto'

export type IdPrefix =
  | 'org'
  | 'prj'
  | 'site'
  | 'key'
  | 'fb'
  | 'aj'
  | 'se'
  | 'dep'
  | 'ptr'
  | 'evt'
  | 'whk'
  | 'aud'
  | 'view'
  | 'pass'
  | 'usr'
  | 'ses'
  | 'inv'
  | 'crd'
  | 'req'
  | 'gitc'
  | 'ask'
  | 'aut'
  | 'arn'
  | 'crp'
  | 'pv'
  | 'nev'
  | 'ntf'
  | 'lbl'
  | 'mail'

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz' // Crockford base32

/** `createId('se')` → `se_01jd…`: 48 bits of milliseconds, then 80 random bits. */
export function createId(prefix: IdPrefix, now: number = Date.now()): string {
  let body = ''
  let time = now
  for (let i = 0; i < 10; i++) {
    body = ALPHABET.charAt(time % 32) + body
    time = Math.floor(time / 32)
  }
  for (const byte of randomBytes(16)) body += ALPHABET.charAt(byte % 32)
  return `${prefix}_${body}`
}
