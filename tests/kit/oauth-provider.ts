/**
 * A small OAuth 2.0 and OpenID Connect provider that follows RFC 6749 and RFC 7636: it rejects unknown clients and
 * redirects, requests without a code challenge, reused codes and wrong verifiers. Pages of any origin may call it.
 */
import { createHash, randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

export interface OAuthProvider extends AsyncDisposable {
  url: string
  /** The user's answer to the next authorization request. */
  answer: 'consent' | 'refuse' | 'other state' | 'wait'
  /** Only accepts the client secret in the `Authorization` header. */
  wantsHeader: boolean
  /** Authorization requests, the latest last. */
  authorizations: URLSearchParams[]
  tokens: { fields: URLSearchParams; authorization: string | undefined; answer: object }[]
}

export const CLIENT = { id: 'docs & more', secret: 'p:w%' }

interface Grant {
  redirect: string
  challenge: string
  client: string
}

export async function startOAuthProvider(redirects: () => readonly string[]): Promise<OAuthProvider> {
  const grants = new Map<string, Grant>()
  const server = createServer((request, response) => {
    void handle(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const provider: OAuthProvider = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    answer: 'consent',
    wantsHeader: false,
    authorizations: [],
    tokens: [],
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', provider.url)
    response.setHeader('Access-Control-Allow-Origin', request.headers.origin ?? '*')
    response.setHeader('Access-Control-Allow-Headers', 'authorization, content-type, accept')
    if (request.method === 'OPTIONS') return void response.writeHead(204).end()
    if (url.pathname === '/authorize') return authorize(url.searchParams, response)
    if (url.pathname === '/.well-known/openid-configuration') {
      const { url: issuer } = provider
      return json(response, 200, {
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
      })
    }
    if (url.pathname !== '/token' || request.method !== 'POST') return json(response, 404, {})
    const fields = new URLSearchParams(await text(request))
    const { authorization } = request.headers
    const answer = tokenFor(fields, authorization)
    provider.tokens.push({ fields, authorization, answer })
    json(response, 'error' in answer ? (answer.error === 'invalid_client' ? 401 : 400) : 200, answer)
  }

  function authorize(asked: URLSearchParams, response: ServerResponse): void {
    provider.authorizations.push(asked)
    const redirect = asked.get('redirect_uri') ?? ''
    const client = asked.get('client_id')
    // Never redirect to an unknown address, not even with an error.
    if (client !== CLIENT.id || !redirects().includes(redirect)) return void response.writeHead(400).end()
    if (provider.answer === 'wait') return void response.end('<p>Who are you?</p>')
    const back = new URL(redirect)
    const challenge = asked.get('code_challenge') ?? ''
    const isRight =
      asked.get('response_type') === 'code' &&
      asked.get('code_challenge_method') === 'S256' &&
      /^[\w-]{43}$/.test(challenge)
    if (provider.answer === 'refuse' || !isRight) {
      back.searchParams.set('error', isRight ? 'access_denied' : 'invalid_request')
      back.searchParams.set('error_description', isRight ? 'The person said no.' : 'PKCE is needed.')
    } else {
      const code = randomBytes(16).toString('hex')
      grants.set(code, { redirect, challenge, client })
      back.searchParams.set('code', code)
    }
    const state = asked.get('state') ?? ''
    back.searchParams.set('state', provider.answer === 'other state' ? `${state}x` : state)
    response.writeHead(302, { Location: back.href }).end()
  }

  function tokenFor(fields: URLSearchParams, authorization: string | undefined): object {
    const given = clientOf(fields, authorization, provider.wantsHeader)
    if (fields.get('grant_type') === 'client_credentials') {
      const isKnown = given.id === CLIENT.id && given.secret === CLIENT.secret
      return isKnown ? token('machine') : { error: 'invalid_client', error_description: 'Unknown client.' }
    }
    const code = fields.get('code') ?? ''
    const grant = grants.get(code)
    grants.delete(code)
    const proof = createHash('sha256')
      .update(fields.get('code_verifier') ?? '')
      .digest('base64url')
    const isRight =
      fields.get('grant_type') === 'authorization_code' &&
      /^[\w.~-]{43,128}$/.test(fields.get('code_verifier') ?? '') &&
      grant?.challenge === proof &&
      grant.redirect === fields.get('redirect_uri') &&
      grant.client === given.id
    return isRight ? token('person') : { error: 'invalid_grant' }
  }
  return provider
}

function token(whose: string): object {
  return { access_token: `${whose}-${randomBytes(8).toString('hex')}`, token_type: 'Bearer', expires_in: 60 }
}

function clientOf(fields: URLSearchParams, authorization: string | undefined, wantsHeader: boolean) {
  if (authorization?.startsWith('Basic ')) {
    const [id = '', secret = ''] = Buffer.from(authorization.slice(6), 'base64').toString().split(':')
    return { id: decodeURIComponent(id), secret: decodeURIComponent(secret) }
  }
  return { id: fields.get('client_id'), secret: wantsHeader ? null : fields.get('client_secret') }
}

function json(response: ServerResponse, status: number, content: object): void {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(content))
}
