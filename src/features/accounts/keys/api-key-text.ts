/**
 * Format of an API key: the prefix of its kind, 32 random bytes as 43 base62 digits, and their CRC-32 as 6
 * more. The checksum distinguishes keys from similar texts without a lookup. It is used by scanners for
 * leaked secrets, and by authentication before it queries the database.
 */
import { hash, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { KEY_PREFIXES, type KeyKind } from '../../../base/api/operation.ts'

const SECRET_DIGITS = 43 // 62^43 > 2^256
const CHECKSUM_DIGITS = 6 // 62^6 > 2^32
const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const BODY = new RegExp(`^[0-9A-Za-z]{${SECRET_DIGITS + CHECKSUM_DIGITS}}$`)

/** `random` is exactly 32 bytes; tests pass their own. */
export function createApiKeyText(kind: KeyKind = 'admin', random: Uint8Array = randomBytes(32)): string {
  const secret = base62(BigInt(`0x${Buffer.from(random).toString('hex')}`), SECRET_DIGITS)
  return KEY_PREFIXES[kind] + secret + checksum(secret)
}

/** Returns true for every generated key, and for one in four billion other texts of the same shape. */
export function isApiKeyText(text: string): boolean {
  const prefix = Object.values(KEY_PREFIXES).find((one) => text.startsWith(one))
  if (prefix === undefined) return false
  const body = text.slice(prefix.length)
  return BODY.test(body) && body.endsWith(checksum(body.slice(0, SECRET_DIGITS)))
}

/** Returns the stored form: 32 bytes. No salt and no stretching, since 256 random bits cannot be guessed. */
export function hashApiKey(text: string): Buffer {
  return hash('sha256', text, 'buffer')
}

function checksum(secret: string): string {
  return base62(BigInt(crc32(secret)), CHECKSUM_DIGITS)
}

function base62(value: bigint, width: number): string {
  let text = ''
  for (let rest = value; rest > 0n; rest /= 62n) text = DIGITS.charAt(Number(rest % 62n)) + text
  return text.padStart(width, '0')
}
