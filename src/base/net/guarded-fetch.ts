/**
 * Fetches user-supplied URLs without exposing the private network. All such requests must go through this module.
 *
 * Checks:
 *   the URL              scheme, credentials, port, and a host that is an IP address (in any notation)
 *   each connection      every address that the name resolves to; only checked addresses are connected to, so DNS
 *                        rebinding has no effect
 *   once connected       the peer's address again
 *   each redirect        everything again; only GET and HEAD follow redirects
 */

import { isIP, type LookupFunction, type Socket } from 'node:net'
import type { Agent, buildConnector, Dispatcher } from 'undici'
import { FIELD_ERRORS } from '../errors/catalogue.ts'
import { ENGLISH, type Fault, type FieldErrorCode, faultAt } from '../errors/fault.ts'
import { formatError } from '../errors/format-error.ts'
import { type AddressGuard, type AddressRules, createAddressGuard } from './address-guard.ts'

export interface GuardedFetchOptions extends AddressRules {
  /** Allowed ports; null allows all. Defaults to 80, 443, 8080, 8443. */
  ports?: readonly number[] | null
}

export interface GuardedRequest {
  /** Defaults to GET. */
  method?: 'GET' | 'HEAD' | 'POST'
  headers?: Readonly<Record<string, string>>
  body?: string
  /** Time limit for the whole request: DNS, connections, redirects, body. */
  timeoutMs: number
  maxBytes: number
  /** Treatment of a larger body: fail, or return its first bytes. Defaults to refuse. */
  onLarger?: 'refuse' | 'cut'
  /** Maximum number of redirects for GET and HEAD; a further redirect is returned unchanged. Defaults to 5. */
  maxRedirects?: number
  signal?: AbortSignal
}

export interface GuardedResponse {
  url: string
  status: number
  /** Lower-case names. */
  headers: Readonly<Record<string, string | string[] | undefined>>
  body: Uint8Array
}

export interface GuardedFetch {
  /** Checks a URL without any request. Returns a message if it must not be fetched, or null. */
  objection(url: string): Fault | null
  /**
   * Throws GuardedFetchError, or the reason of the caller's signal. Does not throw for error statuses such as 500.
   */
  fetch(url: string, request: GuardedRequest): Promise<GuardedResponse>
  [Symbol.asyncDispose](): Promise<void>
}

export interface StreamingFetch extends GuardedFetch {
  /**
   * Sends a request with any method, follows no redirects, and streams the body. Fails like `fetch`, also while the
   * body is read. The caller limits time with `signal`, and size by not reading further.
   */
  open(url: string, request: StreamingRequest): Promise<StreamingResponse>
}

export interface StreamingRequest {
  method: string
  headers: readonly (readonly [name: string, value: string])[]
  body: Uint8Array | null
  signal: AbortSignal
}

export interface StreamingResponse {
  status: number
  /** Lower-case names. */
  headers: Readonly<Record<string, string | string[] | undefined>>
  body: AsyncIterable<Uint8Array>
}

/** Failed fetch. The message is for the person who supplied the URL and reveals nothing about the private network. */
export class GuardedFetchError extends Error {
  override name = 'GuardedFetchError'
  readonly kind: 'refused' | 'timeout' | 'too_large' | 'failed'
  constructor(kind: GuardedFetchError['kind'], message: string, options?: ErrorOptions) {
    super(message, options)
    this.kind = kind
  }
}

export const WEB_PORTS: readonly number[] = [80, 443, 8080, 8443]
const MAX_URL_LENGTH = 2048
const HOST_CONNECT_TIMEOUT_MS = 10_000
const REDIRECTS = new Set([301, 302, 303, 307, 308])
/** Headers that are removed when a redirect leads to another host. */
const PRIVATE_HEADERS = new Set(['authorization', 'cookie', 'proxy-authorization'])

export function createGuardedFetch(options: GuardedFetchOptions = {}): StreamingFetch {
  const { ports = WEB_PORTS } = options
  const guard = createAddressGuard(options, ports)
  // Created on first use: most commands and idle servers never fetch, and the library is large.
  let opening: Promise<Agent> | null = null
  const openAgent = async () => {
    const undici = await import('undici')
    return new undici.Agent({
      connect: createGuardedConnector(undici, guard, { timeout: HOST_CONNECT_TIMEOUT_MS }),
      keepAliveTimeout: 5000,
      headersTimeout: 0, // Only the time limit of the whole request applies.
      bodyTimeout: 0,
    })
  }

  const objection = (url: string) => findUrlFault(url, ports, guard)

  return {
    objection,
    async fetch(url, request) {
      const time = AbortSignal.timeout(Math.ceil(request.timeoutMs))
      const signal = request.signal === undefined ? time : AbortSignal.any([time, request.signal])
      try {
        opening ??= openAgent()
        return await fetchFollowingRedirects(await opening, objection, url, { ...request, signal })
      } catch (error) {
        request.signal?.throwIfAborted()
        if (error instanceof GuardedFetchError) throw error
        if (time.aborted) throw timeoutError(request.timeoutMs, error)
        throw failure(error)
      }
    },
    async open(url, request) {
      try {
        opening ??= openAgent()
        return await fetchOnce(await opening, objection, url, request)
      } catch (error) {
        request.signal.throwIfAborted()
        throw error instanceof GuardedFetchError ? error : failure(error)
      }
    },
    [Symbol.asyncDispose]: async () => (await opening)?.destroy(),
  }
}

async function fetchFollowingRedirects(
  agent: Agent,
  objection: GuardedFetch['objection'],
  url: string,
  request: GuardedRequest & { signal: AbortSignal },
): Promise<GuardedResponse> {
  const { method = 'GET', maxRedirects = 5, body = null, signal } = request
  let headers = normalizeHeaders(request.headers)
  let currentUrl = url
  for (let hops = 0; ; hops++) {
    const fault = objection(currentUrl)
    if (fault !== null) throw new GuardedFetchError('refused', describeUrlFault(fault))
    const { origin, pathname, search } = new URL(currentUrl)
    const responsePromise = agent.request({ origin, path: pathname + search, method, headers, body, signal })
    const answer = await raceAbort(responsePromise, signal)
    const next = method === 'POST' || hops >= maxRedirects ? null : redirectTarget(answer, currentUrl)
    if (next === null) {
      const { statusCode: status } = answer
      return { url: currentUrl, status, headers: answer.headers, body: await readBody(answer, request) }
    }
    answer.body.on('error', () => undefined).destroy()
    if (new URL(next).origin !== origin) headers = stripPrivateHeaders(headers)
    currentUrl = next
  }
}

async function fetchOnce(
  agent: Agent,
  objection: GuardedFetch['objection'],
  url: string,
  { method, headers, body, signal }: StreamingRequest,
): Promise<StreamingResponse> {
  const fault = objection(url)
  if (fault !== null) throw new GuardedFetchError('refused', describeUrlFault(fault))
  const { origin, pathname, search } = new URL(url)
  const responsePromise = agent.request({
    ...{ origin, path: pathname + search, body, signal },
    method: method as Dispatcher.HttpMethod,
    headers: { ...normalizeHeaders(Object.fromEntries(headers)) },
  })
  const answer = await raceAbort(responsePromise, signal)
  return { status: answer.statusCode, headers: answer.headers, body: wrapBodyErrors(answer.body) }
}

async function* wrapBodyErrors(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* body
  } catch (error) {
    throw failure(error)
  }
}

/** Rejects immediately on abort, because the library only reacts once it is connected. */
function raceAbort<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>()
  const stop = () => reject(signal.reason)
  signal.addEventListener('abort', stop, { once: true })
  if (signal.aborted) stop()
  work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  return promise
}

const FIELD = '/url'

function describeUrlFault({ code, params = {} }: Fault): string {
  return `The URL ${formatError(FIELD_ERRORS[code as FieldErrorCode], params, ENGLISH)}.`
}

function findUrlFault(text: string, ports: readonly number[] | null, guard: AddressGuard): Fault | null {
  const url = URL.parse(text)
  if (url === null || text.length > MAX_URL_LENGTH) return faultAt(FIELD, 'invalid_url')
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return faultAt(FIELD, 'url_scheme')
  if (url.username !== '' || url.password !== '') return faultAt(FIELD, 'url_credentials')
  // The URL parser has already normalized numeric and short notations of IP addresses.
  const port = effectivePort(url)
  const fault = guard.objection(url.hostname, port)
  if (fault === 'address') return faultAt(FIELD, 'private_url', { setting: guard.setting ?? 'none' })
  return fault === null ? null : faultAt(FIELD, 'url_port', { port, ports: (ports ?? []).map(String) })
}

export function effectivePort({ port, protocol }: { port?: string | null; protocol: string }): number {
  return port ? Number(port) : protocol === 'https:' ? 443 : 80
}

/** Creates a connector that only opens connections allowed by the guard, to exactly the checked addresses. */
export function createGuardedConnector(
  undici: Pick<typeof import('undici'), 'buildConnector'>,
  guard: AddressGuard,
  options: { timeout: number; ca?: string },
): buildConnector.connector {
  const connecting = (lookup: LookupFunction) =>
    undici.buildConnector({
      allowH2: false,
      autoSelectFamily: true,
      ...options,
      lookup,
    } as buildConnector.BuildOptions)
  const connectAnywhere = connecting(createCheckedLookup(guard, () => true))
  const connectChecked = connecting(createCheckedLookup(guard, guard.isAllowed))
  return (target, callback) => {
    const port = effectivePort(target)
    if (guard.objection(target.hostname, port) !== null)
      return callback(new GuardedFetchError('refused', guard.refusal), null)
    if (guard.isNamed(target.hostname, port)) return connectAnywhere(target, callback)
    return connectChecked(target, (...[error, socket]) => {
      if (error !== null) return callback(error, null)
      if (guard.isAllowed((socket as Socket).remoteAddress ?? '')) return callback(null, socket)
      socket.destroy()
      callback(new GuardedFetchError('refused', guard.refusal), null)
    })
  }
}

/**
 * DNS lookup that checks all addresses. Not called for hosts that are IP addresses, which are checked with the URL.
 */
function createCheckedLookup(guard: AddressGuard, isAllowed: (address: string) => boolean): LookupFunction {
  return (hostname, { all, family }, callback) => {
    guard.resolve(hostname).then(
      (addresses) => {
        // A single disallowed address is enough to refuse, since any of them might be used for the connection.
        if (!addresses.every(isAllowed))
          return callback(new GuardedFetchError('refused', guard.refusal) as NodeJS.ErrnoException, '')
        const found = addresses
          .map((address) => ({ address, family: isIP(address) }))
          .filter((one) => (family !== 4 && family !== 6 ? true : one.family === family))
        const [first] = found
        if (first === undefined)
          return callback(Object.assign(new Error('no address'), { code: 'ENOTFOUND' }), '')
        return all ? callback(null, found) : callback(null, first.address, first.family)
      },
      (error: NodeJS.ErrnoException) => callback(error, ''),
    )
  }
}

/** Removes the host header, and disables compression so that the body's size is the number of received bytes. */
function normalizeHeaders(given: GuardedRequest['headers'] = {}): Record<string, string> {
  const lower = Object.entries(given).map(([name, value]) => [name.toLowerCase(), value] as const)
  return { ...Object.fromEntries(lower.filter(([name]) => name !== 'host')), 'accept-encoding': 'identity' }
}

function stripPrivateHeaders(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !PRIVATE_HEADERS.has(name)))
}

function redirectTarget(answer: Dispatcher.ResponseData, from: string): string | null {
  const { location } = answer.headers
  if (!REDIRECTS.has(answer.statusCode) || typeof location !== 'string') return null
  const next = URL.parse(location, from)
  if (next === null) throw new GuardedFetchError('failed', 'It redirects to an invalid URL.')
  return next.href
}

async function readBody(answer: Dispatcher.ResponseData, request: GuardedRequest): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let remainingBytes = request.maxBytes
  for await (const chunk of answer.body as AsyncIterable<Uint8Array>) {
    chunks.push(chunk.subarray(0, remainingBytes))
    remainingBytes -= chunk.byteLength
    if (remainingBytes >= 0) continue
    if (request.onLarger === 'cut') break
    throw new GuardedFetchError('too_large', `The response is larger than ${request.maxBytes} bytes.`)
  }
  return Buffer.concat(chunks)
}

function timeoutError(timeoutMs: number, cause: unknown): GuardedFetchError {
  return new GuardedFetchError(
    'timeout',
    `The response was not complete within ${timeoutMs / 1000} seconds.`,
    {
      cause,
    },
  )
}

/** Converts a connection, DNS or TLS error. Only its code is used, because the rest may reveal internals. */
function failure(error: unknown): GuardedFetchError {
  const { code, cause } = error as { code?: unknown; cause?: { code?: unknown } }
  const known = [code, cause?.code].find((one) => typeof one === 'string') ?? 'unknown'
  const description =
    known === 'ENOTFOUND' || known === 'EAI_AGAIN' ? 'The host name does not exist' : 'The connection failed'
  return new GuardedFetchError('failed', `${description} (${known}).`, { cause: error })
}
