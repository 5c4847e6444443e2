/** Passwords: rejects weak ones, and hashes with argon2id, whose parameters are stored with each hash. */

import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { createFault, type Fault } from '../../../base/errors/fault.ts'

export const MIN_PASSWORD_LENGTH = 12
export const MAX_PASSWORD_LENGTH = 200

/** Memory in KiB. A hash takes about 30 ms on one core, and so does every guess of an attacker. */
const PARAMETERS = { memory: 19_456, passes: 2, parallelism: 1 }
const SALT_BYTES = 16
const HASH_BYTES = 32

const derive = promisify(argon2)

/** Returns `$argon2id$v=19$m=…,t=…,p=…$salt$hash`, the format of other programs. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES)
  const { memory, passes, parallelism } = PARAMETERS
  const hash = await derive('argon2id', {
    ...PARAMETERS,
    message: normalize(password),
    nonce: salt,
    tagLength: HASH_BYTES,
  })
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${encodeUnpaddedBase64(salt)}$${encodeUnpaddedBase64(hash)}`
}

/** Also returns false for a hash of another kind. */
export async function verifyPassword(password: string, stored: string): Promise<boolean> {
  const match =
    /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,2}),p=(\d{1,2})\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/.exec(stored)
  if (match === null) return false
  const [, memory, passes, parallelism, salt = '', hash = ''] = match
  const expected = Buffer.from(hash, 'base64')
  const found = await derive('argon2id', {
    message: normalize(password),
    nonce: Buffer.from(salt, 'base64'),
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    tagLength: expected.length,
  })
  return timingSafeEqual(found, expected)
}

/** `about` contains the user's name and email address. */
export function passwordFaults(password: string, about: readonly string[] = []): Fault[] {
  const length = [...normalize(password)].length
  if (length < MIN_PASSWORD_LENGTH) return [createFault('password_short', { min: MIN_PASSWORD_LENGTH })]
  if (length > MAX_PASSWORD_LENGTH) return [createFault('password_long', { max: MAX_PASSWORD_LENGTH })]
  const text = normalize(password).toLowerCase()
  if (isMonotonous(text)) return [createFault('password_monotonous')]
  const rest = withoutKnownWords(text, about)
  if ([...rest].length < MIN_UNKNOWN_CHARACTERS) {
    return [createFault('password_guessable')]
  }
  return []
}

/** Minimum number of characters after well-known words and the person's name and address are removed. */
const MIN_UNKNOWN_CHARACTERS = 6

const KNOWN_WORDS = [
  'administrator',
  'password',
  'passwort',
  'qwertyuiop',
  'asdfghjkl',
  'zxcvbnm',
  'qwertz',
  'qwerty',
  'azerty',
  'changeme',
  'iloveyou',
  'letmein',
  'welcome',
  'dragon',
  'monkey',
  'football',
  'baseball',
  'superman',
  'sunshine',
  'princess',
  'default',
  'secret',
  'master',
  'octavo',
  'admin',
  'login',
  'hello',
  '1234567890',
  '0123456789',
  '123456789',
  '12345678',
  '1234567',
  '123456',
  '12345',
  '1234',
  '123',
  '2024',
  '2025',
  '2026',
  'p@ssw0rd',
  'passw0rd',
]

function withoutKnownWords(text: string, about: readonly string[]): string {
  const ownWords = about
    .flatMap((part) => part.toLowerCase().split(/[^\p{L}\p{N}]+/u))
    .filter((part) => part.length >= 3)
  const words = [...KNOWN_WORDS, ...ownWords].sort((a, b) => b.length - a.length)
  return words.reduce((rest, word) => rest.replaceAll(word, ''), text).replace(/[^\p{L}\p{N}\p{S}]+/gu, '')
}

/** Returns whether a text has few different characters, a repeated piece, or a run of adjacent characters. */
function isMonotonous(text: string): boolean {
  const characters = [...text]
  if (new Set(characters).size < 5) return true
  if (/^(.{1,6})\1+.{0,5}$/su.test(text) && new Set(characters).size < 7) return true
  const steps = characters.slice(1).map((character, index) => code(character) - code(characters[index]))
  return steps.filter((step) => Math.abs(step) <= 1).length > characters.length * 0.7
}

function code(character: string | undefined): number {
  return character?.codePointAt(0) ?? 0
}

/** Normalizes characters that look the same, so that a password works from every keyboard. */
function normalize(password: string): string {
  return password.normalize('NFKC')
}

function encodeUnpaddedBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64').replaceAll('=', '')
}
