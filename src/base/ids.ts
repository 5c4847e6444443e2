/** Opaque ids: a type prefix and a 26-character body that sorts by creation time (ULID layout, lower case). */
import { randomFillSync } from 'node:crypto'

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

const RANDOM_BYTES = 16
/** Random bytes for many ids at once, because asking the system costs more than creating an id. */
const random = Buffer.alloc(256 * RANDOM_BYTES)
let used = random.length

/** Creates an id: `createId('se')` → `se_01jd…`, with 48 bits of milliseconds and 80 random bits. */
export function createId(prefix: IdPrefix, now: number = Date.now()): string {
  let body = ''
  let time = now
  for (let i = 0; i < 10; i++) {
    body = ALPHABET.charAt(time % 32) + body
    time = Math.floor(time / 32)
  }
  if (used === random.length) {
    randomFillSync(random)
    used = 0
  }
  for (const end = used + RANDOM_BYTES; used < end; used++)
    body += ALPHABET.charAt((random[used] as number) % 32)
  return `${prefix}_${body}`
}
