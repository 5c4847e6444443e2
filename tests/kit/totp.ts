/** Time-based codes as an authenticator app computes them (RFC 6238: SHA-1, 30 seconds, 6 digits). */
import { createHmac } from 'node:crypto'

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** `uri` is the content of the QR code; `at` is in milliseconds. */
export function totpCode(uri: string, at: number = Date.now()): string {
  const secret = decodeBase32(new URL(uri).searchParams.get('secret') ?? '')
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.floor(at / 30_000)))
  const mac = createHmac('sha1', secret).update(counter).digest()
  const offset = (mac[mac.length - 1] as number) & 15
  return String((mac.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0')
}

/** Returns the code after the current one, which is already accepted. Each code can be used only once. */
export function nextCode(uri: string): string {
  return totpCode(uri, Date.now() + 30_000)
}

function decodeBase32(text: string): Buffer {
  const bits = [...text.toUpperCase().replace(/=+$/, '')]
    .map((digit) => ALPHABET.indexOf(digit).toString(2).padStart(5, '0'))
    .join('')
  const bytes = bits.match(/.{8}/g) ?? []
  return Buffer.from(bytes.map((byte) => Number.parseInt(byte, 2)))
}
