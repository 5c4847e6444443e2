/**
 * Web APIs that require no document, network or clock. Time is fixed, and random numbers come from the seeded
 * `Math.random`, so that the same page results in the same bytes.
 */
import { Address, SearchParams } from './web-address.ts'

export function installWebGlobals(): void {
  const never = () => 0
  const globals: Record<string, unknown> = {
    URL: Address,
    URLSearchParams: SearchParams,
    TextEncoder: Utf8Encoder,
    TextDecoder: Utf8Decoder,
    AbortController: StubAbortController,
    AbortSignal: Signal,
    atob: fromBase64,
    btoa: toBase64,
    structuredClone: (value: unknown) => cloneValue(value, new Map()),
    performance: { now: never, timeOrigin: Date.now(), mark: never, measure: never },
    crypto: { randomUUID, getRandomValues },
    // Deferred work runs only in the browser.
    setTimeout: never,
    setInterval: never,
    clearTimeout: never,
    clearInterval: never,
    queueMicrotask: never,
  }
  for (const [name, value] of Object.entries(globals)) {
    if (name in globalThis) continue
    Object.defineProperty(globalThis, name, { value, writable: true, configurable: true })
  }
}

/**
 * Removes APIs that wait without using the processor, because author code is limited by processor time. Browsers
 * also forbid `Atomics.wait` on pages. Removes WebAssembly, because its modules can wait with an instruction.
 */
export function disableBlockingWaits(): void {
  Atomics.wait = () => {
    throw new TypeError('Atomics.wait cannot be called in this context')
  }
  Reflect.deleteProperty(globalThis, 'WebAssembly')
}

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

function toBase64(text: unknown): string {
  const source = String(text)
  let made = ''
  for (let at = 0; at < source.length; at += 3) {
    const codes = [0, 1, 2].map((offset) => source.charCodeAt(at + offset))
    if (codes.some((code) => code > 255)) throw new RangeError('btoa accepts only single-byte characters')
    const [a = 0, b = 0, c = 0] = codes.map((code) => code || 0)
    const bits = (a << 16) | (b << 8) | c
    const digits = [18, 12, 6, 0].map((shift) => DIGITS[(bits >> shift) & 63] ?? '')
    const missing = Math.max(0, at + 3 - source.length)
    made += digits.slice(0, 4 - missing).join('') + '='.repeat(missing)
  }
  return made
}

function fromBase64(text: unknown): string {
  const source = String(text)
    .replace(/[\t\n\f\r ]/g, '')
    .replace(/={1,2}$/, '')
  if (source.length % 4 === 1 || /[^A-Za-z0-9+/]/.test(source)) throw new RangeError('atob takes Base64')
  let made = ''
  let bits = 0
  let count = 0
  for (const digit of source) {
    bits = (bits << 6) | DIGITS.indexOf(digit)
    count += 6
    if (count < 8) continue
    count -= 8
    made += String.fromCharCode((bits >> count) & 255)
    bits &= (1 << count) - 1
  }
  return made
}

class Utf8Encoder {
  readonly encoding = 'utf-8'

  encode(text: unknown = ''): Uint8Array {
    const bytes = unescapeBytes(encodeURIComponent(String(text).toWellFormed()))
    return Uint8Array.from(bytes)
  }
}

function unescapeBytes(text: string): number[] {
  const bytes: number[] = []
  for (let at = 0; at < text.length; at++) {
    if (text[at] !== '%') bytes.push(text.charCodeAt(at))
    else {
      bytes.push(Number.parseInt(text.slice(at + 1, at + 3), 16))
      at += 2
    }
  }
  return bytes
}

class Utf8Decoder {
  readonly encoding = 'utf-8'

  decode(bytes: Uint8Array | ArrayBuffer = new Uint8Array()): string {
    const list = new Uint8Array(bytes as ArrayBuffer)
    let escaped = ''
    for (const byte of list) escaped += `%${byte.toString(16).padStart(2, '0')}`
    try {
      return decodeURIComponent(escaped)
    } catch {
      return [...list].map((byte) => (byte < 128 ? String.fromCharCode(byte) : '\ufffd')).join('')
    }
  }
}

class Signal {
  aborted = false
  reason: unknown = undefined
  addEventListener(): void {}
  removeEventListener(): void {}
  throwIfAborted(): void {
    if (this.aborted) throw this.reason
  }
}

class StubAbortController {
  readonly signal = new Signal()

  abort(reason: unknown = new Error('This was aborted.')): void {
    this.signal.aborted = true
    this.signal.reason = reason
  }
}

function getRandomValues<Bytes extends { length: number; [index: number]: number }>(bytes: Bytes): Bytes {
  for (let index = 0; index < bytes.length; index++) bytes[index] = Math.floor(Math.random() * 4294967296)
  return bytes
}

function randomUUID(): string {
  const bytes = getRandomValues(new Uint8Array(16))
  bytes[6] = ((bytes[6] ?? 0) & 15) | 64
  bytes[8] = ((bytes[8] ?? 0) & 63) | 128
  const digits = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

function cloneValue(value: unknown, seen: Map<object, unknown>): unknown {
  if (typeof value === 'function' || typeof value === 'symbol')
    throw new TypeError('A function cannot be cloned.')
  if (typeof value !== 'object' || value === null) return value
  const existing = seen.get(value)
  if (existing !== undefined) return existing
  if (value instanceof Date) return new Date(value.getTime())
  if (value instanceof RegExp) return new RegExp(value.source, value.flags)
  const made: object = Array.isArray(value)
    ? []
    : value instanceof Map
      ? new Map()
      : value instanceof Set
        ? new Set()
        : {}
  seen.set(value, made)
  if (value instanceof Map)
    for (const [key, one] of value)
      (made as Map<unknown, unknown>).set(cloneValue(key, seen), cloneValue(one, seen))
  else if (value instanceof Set) for (const one of value) (made as Set<unknown>).add(cloneValue(one, seen))
  else
    for (const [key, one] of Object.entries(value))
      Object.defineProperty(made, key, {
        value: cloneValue(one, seen),
        enumerable: true,
        writable: true,
        configurable: true,
      })
  return made
}
