/**
 * Browsers that have signed in before, as OWASP's "Slow Down Online Guessing Attacks with Device Cookies" describes: such
 * a browser has places of its own for its tries, which no stranger can use up. The cookie is proof of nothing else.
 */
import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'
import { cookieName, isSecure, readCookie } from './sign-in-cookies.ts'

/** As long as browsers keep a cookie: 400 days. */
const SECONDS = 34_560_000
/** Accounts that one browser is known for, the newest first. */
const MOST_ACCOUNTS = 8
const SHAPE = /^([\w-]{22})((?:\.[\w-]{22}){1,8})\.([\w-]{43})$/

export interface DeviceCookies {
  /** Which browser this is, when it has signed in to the account before; else null. */
  knownDevice(cookieHeader: string | undefined, email: string): string | null
  /** The header that makes the browser known for the account too. */
  remember(cookieHeader: string | undefined, email: string): string
}

interface Device {
  id: string
  accounts: string[]
}

/** `secret` is the node's own; `publicUrl` without a slash at the end. */
export function createDeviceCookies(secret: string, publicUrl: () => string): DeviceCookies {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'octavo devices', 32))
  const name = () => cookieName(publicUrl(), 'device')
  const read = (header: string | undefined) => readDevice(key, readCookie(header, name()))
  return {
    knownDevice(header, email) {
      const device = read(header)
      return device?.accounts.includes(accountHash(key, email)) ? device.id : null
    },
    remember(header, email) {
      const device = read(header) ?? { id: randomBytes(16).toString('base64url'), accounts: [] }
      const account = accountHash(key, email)
      const accounts = [account, ...device.accounts.filter((known) => known !== account)]
      const value = writeDevice(key, { id: device.id, accounts: accounts.slice(0, MOST_ACCOUNTS) })
      const secure = isSecure(publicUrl()) ? '; Secure' : ''
      return `${name()}=${value}; Max-Age=${SECONDS}; Path=/; HttpOnly${secure}; SameSite=Lax`
    },
  }
}

function readDevice(key: Buffer, text: string | null): Device | null {
  const [, id, accounts, tag] = SHAPE.exec(text ?? '') ?? []
  if (id === undefined || accounts === undefined || tag === undefined) return null
  const right = tagOf(key, id + accounts)
  if (!timingSafeEqual(Buffer.from(tag), Buffer.from(right))) return null
  return { id, accounts: accounts.slice(1).split('.') }
}

function writeDevice(key: Buffer, { id, accounts }: Device): string {
  const body = [id, ...accounts].join('.')
  return `${body}.${tagOf(key, body)}`
}

function tagOf(key: Buffer, body: string): string {
  return createHmac('sha256', key).update(`device\n${body}`).digest('base64url')
}

/** The cookie names no address that somebody who finds it could read. */
function accountHash(key: Buffer, email: string): string {
  const digest = createHmac('sha256', key).update(`account\n${email.trim().toLowerCase()}`).digest()
  return digest.subarray(0, 16).toString('base64url')
}
