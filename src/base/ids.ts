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
/** Random bytes for many ids at once, because a call to the system costs more than creating an id. */
const random = Buffer.alloc(256 * RANDOM_BYTES)
let issued = random.length

/** Creates an id: `createId('se')` → `se_01jd…`, with 48 bits of milliseconds and 80 random bits. */
export function createId(prefix: IdPrefix, now: number = Date.now()): string {
  let body = ''
  let time = now
  for (let i = 0; i < 10; i++) {
    body = ALPHABET.charAt(time % 32) + body
    time = Math.floor(time / 32)
  }
  if (issued === random.length) {
    randomFillSync(random)
    issued = 0
  }
  for (const end = issued + RANDOM_BYTES; issued < end; issued++)
    body += ALPHABET.charAt((random[issued] as number) % 32)
  return `${prefix}_${body}`
}
