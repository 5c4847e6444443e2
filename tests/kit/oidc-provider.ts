/**
 * A small OpenID Connect provider: discovery, JWKS, authorization with state, nonce and PKCE, tokens signed with RS256.
 * Like a real one, it rejects unknown clients and redirects, reused codes and wrong verifiers.
 */
import { createHash, createSign, generateKeyPairSync, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface OidcUser {
  sub: string
  email: string
  name?: string
  /** Omitted from the token when undefined. */
  email_verified?: unknown
}

export interface OidcProvider extends AsyncDisposable {
  issuer: string
  clientId: string
  clientSecret: string
  /** The user signed in at the provider. */
  user: OidcUser
  /** Makes the next token invalid: wrong key, other client, other nonce, no expiry, or no token at all. */
  spoil: 'signature' | 'audience' | 'nonce' | 'expiry' | 'token' | null
  /** The user denies access. */
  refuses: boolean
  /** Parameters of the authorization requests, the latest first. */
  asked: URLSearchParams[]
  /** Number of requests to the token endpoint. */
  exchanges: number
}

interface Grant {
  user: OidcUser
  nonce: string | null
  challenge: string
  redirectUri: string
}

/** Starts the provider; port 0 picks a free port. */
export async function startOidcProvider(redirectUris: () => string[], port = 0): Promise<OidcProvider> {
  const key = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const stranger = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const grants = new Map<string, Grant>()
  const server = createServer((request, response) => {
    answer(request, response).catch((error: Error) => {
      response.writeHead(500).end(error.message)
    })
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const provider: OidcProvider = {
    issuer,
    clientId: 'octavo',
    clientSecret: 'the secret of the client',
    user: { sub: '1', email: 'nobody@example.com' },
    spoil: null,
    refuses: false,
    asked: [],
    exchanges: 0,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', issuer)
    switch (url.pathname) {
      case '/.well-known/openid-configuration':
        return sendJson(response, 200, {
          issuer,
          authorization_endpoint: `${issuer}/authorize`,
          token_endpoint: `${issuer}/token`,
          jwks_uri: `${issuer}/jwks`,
          userinfo_endpoint: `${issuer}/userinfo`,
          id_token_signing_alg_values_supported: ['RS256'],
          response_types_supported: ['code'],
          code_challenge_methods_supported: ['S256'],
        })
      case '/jwks': {
        const jwk = key.publicKey.export({ format: 'jwk' })
        return sendJson(response, 200, { keys: [{ ...jwk, kid: 'one', alg: 'RS256', use: 'sig' }] })
      }
      case '/userinfo':
        return sendJson(response, 200, provider.user)
      case '/authorize':
        return authorize(url.searchParams, response)
      case '/token':
        return exchange(new URLSearchParams(await textOf(request)), request, response)
      default:
        return sendJson(response, 404, { error: 'not_found' })
    }
  }

  function authorize(query: URLSearchParams, response: ServerResponse): void {
    provider.asked.unshift(query)
    const redirectUri = query.get('redirect_uri') ?? ''
    const isFine =
      query.get('client_id') === provider.clientId &&
      query.get('response_type') === 'code' &&
      redirectUris().includes(redirectUri) &&
      query.get('code_challenge_method') === 'S256' &&
      (query.get('scope') ?? '').split(' ').includes('openid')
    if (!isFine) {
      sendJson(response, 400, { error: 'invalid_request' })
      return
    }
    const back = new URL(redirectUri)
    back.searchParams.set('state', query.get('state') ?? '')
    if (provider.refuses) {
      back.searchParams.set('error', 'access_denied')
      response.writeHead(302, { Location: back.href }).end()
      return
    }
    const code = randomBytes(16).toString('hex')
    const challenge = query.get('code_challenge') ?? ''
    grants.set(code, { user: provider.user, nonce: query.get('nonce'), challenge, redirectUri })
    back.searchParams.set('code', code)
    response.writeHead(302, { Location: back.href }).end()
  }

  function exchange(form: URLSearchParams, request: IncomingMessage, response: ServerResponse): void {
    provider.exchanges++
    const code = form.get('code') ?? ''
    const grant = grants.get(code)
    grants.delete(code)
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url')
    if (!isClient(form, request)) {
      sendJson(response, 401, { error: 'invalid_client' })
    } else if (grant?.challenge !== challenge || grant.redirectUri !== form.get('redirect_uri')) {
      sendJson(response, 400, { error: 'invalid_grant' })
    } else {
      const answered = { access_token: randomBytes(8).toString('hex'), token_type: 'Bearer', expires_in: 300 }
      sendJson(response, 200, provider.spoil === 'token' ? answered : { ...answered, id_token: sign(grant) })
    }
  }

  function isClient(form: URLSearchParams, { headers }: IncomingMessage): boolean {
    const basic = /^Basic (.+)$/.exec(headers.authorization ?? '')?.[1]
    if (basic !== undefined) {
      const [id, secret] = Buffer.from(basic, 'base64').toString().split(':').map(decodeURIComponent)
      return id === provider.clientId && secret === provider.clientSecret
    }
    return form.get('client_id') === provider.clientId && form.get('client_secret') === provider.clientSecret
  }

  function sign({ user, nonce }: Grant): string {
    const now = Math.floor(Date.now() / 1000)
    const claims = {
      ...user,
      iss: issuer,
      aud: provider.spoil === 'audience' ? 'somebody-else' : provider.clientId,
      nonce: provider.spoil === 'nonce' ? 'another' : nonce,
      iat: now,
      ...(provider.spoil === 'expiry' ? {} : { exp: now + 300 }),
    }
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const body = `${part({ alg: 'RS256', kid: 'one', typ: 'JWT' })}.${part(claims)}`
    const { privateKey } = provider.spoil === 'signature' ? stranger : key
    return `${body}.${createSign('RSA-SHA256').update(body).sign(privateKey).toString('base64url')}`
  }

  return provider
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body))
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request) text += chunk
  return text
}
