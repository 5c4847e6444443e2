/** Users for tests: members with a password, and signed-in API clients. */

import { argon2, randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import type { Role } from '../../src/base/api/roles.ts'
import { createId } from '../../src/base/ids.ts'
import type { Database } from '../../src/database/database.ts'
import type { User } from '../../src/features/accounts/people/users.ts'

export const PASSWORD = 'a walk in the harbour'

export async function addPerson(
  database: Database,
  wanted: { email: string; name?: string; password?: string; organizationId?: string; role?: Role },
): Promise<User> {
  const { email, name = 'Ada Lovelace', password = PASSWORD, organizationId, role = 'owner' } = wanted
  return database.transaction(async (tx) => {
    const user = { id: createId('usr'), name, email: email.toLowerCase() }
    await tx.insertInto('users').values(user).execute()
    await tx
      .insertInto('credentials')
      .values({
        ...{ id: createId('crd'), user_id: user.id, provider_id: 'credential', account_id: user.id },
        password: await leastHash(password),
      })
      .execute()
    if (organizationId !== undefined)
      await tx
        .insertInto('members')
        .values({ organization_id: organizationId, user_id: user.id, role })
        .execute()
    return user
  })
}

/** Hashes with minimal parameters, which the hash includes, so that sign-ins cost next to nothing. */
async function leastHash(password: string): Promise<string> {
  const [parameters, nonce] = [{ memory: 8, passes: 1, parallelism: 1 }, randomBytes(15)]
  const hash = await promisify(argon2)('argon2id', { ...parameters, message: password, nonce, tagLength: 30 })
  return `$argon2id$v=19$m=8,t=1,p=1$${nonce.toString('base64')}$${hash.toString('base64')}`
}

/** Keeps and sends cookies like a browser. */
export class Browser {
  readonly cookies = new Map<string, string>()
  readonly url: string
  /** Organization sent with each request; null sends none. */
  organizationId: string | null

  constructor(url: string, organizationId: string | null = null) {
    this.url = url
    this.organizationId = organizationId
  }

  /** Sends a same-origin request. */
  async ask(
    path: string,
    {
      method = 'GET',
      body,
      headers = {},
    }: { method?: string; body?: unknown; headers?: Record<string, string> } = {},
  ): Promise<Response> {
    const response = await fetch(path.startsWith('http') ? path : this.url + path, {
      method,
      redirect: 'manual',
      headers: {
        ...(this.cookies.size === 0 ? {} : { Cookie: this.cookieHeader() }),
        ...(method === 'GET' ? {} : { Origin: this.url, 'Content-Type': 'application/json' }),
        'Sec-Fetch-Site': 'same-origin',
        ...(this.organizationId === null ? {} : { 'Octavo-Organization': this.organizationId }),
        ...headers,
      },
      ...(method === 'GET' || body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    for (const text of response.headers.getSetCookie()) this.keep(text)
    return response
  }

  async json<Body = Record<string, unknown>>(
    path: string,
    options: { method?: string; body?: unknown } = {},
  ): Promise<Body> {
    const response = await this.ask(path, options)
    const text = await response.text()
    if (!response.ok) throw new Error(`${options.method ?? 'GET'} ${path}: ${response.status} ${text}`)
    return JSON.parse(text) as Body
  }

  post<Body = Record<string, unknown>>(path: string, body: unknown = {}): Promise<Body> {
    return this.json(path, { method: 'POST', body })
  }

  cookieHeader(): string {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  }

  private keep(text: string): void {
    const [pair = '', ...attributes] = text.split(';')
    const name = pair.slice(0, pair.indexOf('='))
    const isOver = attributes.some((attribute) => /^\s*max-age=0$/i.test(attribute))
    if (isOver) this.cookies.delete(name)
    else this.cookies.set(name, pair.slice(pair.indexOf('=') + 1))
  }
}

export async function signedIn(
  url: string,
  {
    email,
    organizationId,
    password = PASSWORD,
  }: { email: string; organizationId?: string; password?: string },
): Promise<Browser> {
  const browser = new Browser(url, organizationId ?? null)
  await browser.post('/auth/sign-in/email', { email, password })
  return browser
}
