/**
 * Solves the proof-of-work challenge of a site under attack: finds a text for which SHA-256 of `<challenge>:<text>`
 * begins with the required number of zero bits. Implemented here because Web Crypto needs a promise per hash, which
 * is ten times as slow, and is not available without https. Runs in slices, so that the page stays responsive.
 */

export interface Challenge {
  challenge: string
  bits: number
}

/** Harder challenges are refused, to protect the reader's device. */
const MAX_CHALLENGE_BITS = 24
const SLICE_MS = 8
const BLOCK = 64

/** Parses `"<challenge>";bits=<n>`; returns null for anything else. */
export function readChallenge(header: string | null): Challenge | null {
  const match = /^"([A-Za-z0-9_-]{1,500})";bits=(\d{1,2})$/.exec(header ?? '')
  const bits = Number(match?.[2])
  return match?.[1] && bits <= MAX_CHALLENGE_BITS ? { challenge: match[1], bits } : null
}

export async function solveChallenge({ challenge, bits }: Challenge, pause = idle): Promise<string> {
  const prefix = new TextEncoder().encode(`${challenge}:`)
  const whole = Math.floor(prefix.length / BLOCK) * BLOCK
  // The constant prefix is hashed once.
  const start = Uint32Array.from(INITIAL)
  const view = new DataView(prefix.buffer)
  for (let at = 0; at < whole; at += BLOCK) compress(start, view, at)
  const rest = prefix.subarray(whole)
  for (let count = 0; ; ) {
    for (const until = performance.now() + SLICE_MS; performance.now() < until; ) {
      for (let tries = 0; tries < 256; tries++, count++) {
        if (Math.clz32(firstWord(start, rest, whole, String(count))) >= bits) return String(count)
      }
    }
    await pause()
  }
}

function idle(): Promise<void> {
  return new Promise((resolve) => {
    if ('requestIdleCallback' in globalThis) requestIdleCallback(() => resolve(), { timeout: 50 })
    else setTimeout(resolve, 4)
  })
}

const tail = new Uint8Array(2 * BLOCK)
const tailView = new DataView(tail.buffer)
const state = new Uint32Array(8)

/**
 * Returns the first 32 bits of the hash; `start` is the state after the first `before` bytes, `rest` the remainder of
 * the prefix. The text must be ASCII.
 */
function firstWord(start: Uint32Array, rest: Uint8Array, before: number, text: string): number {
  const length = rest.length + text.length
  const size = length + 9 > BLOCK ? 2 * BLOCK : BLOCK
  tail.fill(0)
  tail.set(rest)
  for (let index = 0; index < text.length; index++) tail[rest.length + index] = text.charCodeAt(index)
  tail[length] = 0x80
  tailView.setUint32(size - 4, (before + length) * 8)
  state.set(start)
  for (let at = 0; at < size; at += BLOCK) compress(state, tailView, at)
  return state[0] ?? 0
}

const words = new Uint32Array(BLOCK)

/** Processes one block of SHA-256 (FIPS 180-4). */
function compress(hash: Uint32Array, block: DataView, offset: number): void {
  const at = (list: Uint32Array, index: number) => list[index] as number
  for (let t = 0; t < 16; t++) words[t] = block.getUint32(offset + t * 4)
  for (let t = 16; t < BLOCK; t++) {
    const x = at(words, t - 15)
    const y = at(words, t - 2)
    const s0 = rotate(x, 7) ^ rotate(x, 18) ^ (x >>> 3)
    const s1 = rotate(y, 17) ^ rotate(y, 19) ^ (y >>> 10)
    words[t] = at(words, t - 16) + s0 + at(words, t - 7) + s1
  }
  let a = at(hash, 0)
  let b = at(hash, 1)
  let c = at(hash, 2)
  let d = at(hash, 3)
  let e = at(hash, 4)
  let f = at(hash, 5)
  let g = at(hash, 6)
  let h = at(hash, 7)
  for (let t = 0; t < BLOCK; t++) {
    const s1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)
    const one = (h + s1 + ((e & f) ^ (~e & g)) + at(CONSTANTS, t) + at(words, t)) | 0
    const s0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)
    const two = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0
    h = g
    g = f
    f = e
    e = (d + one) | 0
    d = c
    c = b
    b = a
    a = (one + two) | 0
  }
  hash[0] = at(hash, 0) + a
  hash[1] = at(hash, 1) + b
  hash[2] = at(hash, 2) + c
  hash[3] = at(hash, 3) + d
  hash[4] = at(hash, 4) + e
  hash[5] = at(hash, 5) + f
  hash[6] = at(hash, 6) + g
  hash[7] = at(hash, 7) + h
}

function rotate(value: number, by: number): number {
  return (value >>> by) | (value << (32 - by))
}

/**
 * `INITIAL` contains the first 32 bits of the fractional parts of the primes' square roots, `CONSTANTS` those of the
 * cube roots.
 */
const PRIMES = firstPrimes(BLOCK)
const INITIAL = PRIMES.slice(0, 8).map((prime) => fraction(prime ** (1 / 2)))
const CONSTANTS = Uint32Array.from(PRIMES, (prime) => fraction(Math.cbrt(prime)))

function firstPrimes(count: number): number[] {
  const primes: number[] = []
  for (let n = 2; primes.length < count; n++) if (primes.every((prime) => n % prime !== 0)) primes.push(n)
  return primes
}

function fraction(root: number): number {
  return ((root % 1) * 2 ** 32) >>> 0
}
