/**
 * Requests to the APIs of forges: to a single host, with a time limit per request, limited response sizes, no
 * redirects (which would forward the token), and all failures converted to ForgeError.
 */
import { readFile } from 'node:fs/promises'
import type { Dispatcher } from 'undici'
import { createGuardedConnector, effectivePort } from '../../base/net/guarded-fetch.ts'
import { PUBLIC_ADDRESS_GUARD, resolveRemoteAddresses } from '../pin-remote.ts'
import { ForgeError, type NewPullRequest, type PullRequest } from './forge.ts'
import {
  type ForgeResponse,
  shorten,
  toForgeError,
  unexpectedResponseError,
  unreachableError,
} from './forge-errors.ts'
import type { ForgeLocation } from './forge-location.ts'

const REQUEST_TIMEOUT_MS = 20_000
const CONNECT_TIMEOUT_MS = 10_000
const MAX_ANSWER_BYTES = 16 << 20
/** Maximum lengths in characters that all forges accept, with a margin for different ways of counting. */
const MAX_TITLE = 240
const MAX_BODY = 60_000

export interface ForgeCall {
  /** Method and encoded path relative to the API's path, such as `GET /repos/acme/docs`. */
  route: `${'GET' | 'POST' | 'PUT' | 'PATCH'} /${string}`
  query?: Record<string, string | number | readonly string[]>
  /** Sent as JSON. */
  body?: object
  authorization: string
}

/**
 * Returns the result of `read`. Any error thrown by `read` means a response in an unexpected format. Rejects
 * with ForgeError or the signal's reason.
 */
export async function callForge<Answer, Out>(
  location: ForgeLocation,
  call: ForgeCall,
  read: (answer: Answer) => Out,
  signal: AbortSignal,
): Promise<Out> {
  signal.throwIfAborted()
  const agent = await openAgent(location)
  try {
    const answer = await send(agent, location, call, signal)
    if (answer.status < 200 || answer.status > 299)
      throw toForgeError(location, answer, call.authorization.split(' ').at(-1) ?? null)
    return parse(location, answer, read)
  } catch (error) {
    signal.throwIfAborted()
    throw error instanceof ForgeError ? error : unreachableError(location, error)
  } finally {
    await agent.destroy()
  }
}

function parse<Answer, Out>(
  location: ForgeLocation,
  { status, text }: ForgeResponse,
  read: (answer: Answer) => Out,
): Out {
  try {
    return read(status === 204 ? null : JSON.parse(text))
  } catch (error) {
    // Omits the original error, which may quote the response.
    throw error instanceof ForgeError ? error : unexpectedResponseError(location)
  }
}

/** Validates a pull request read by an adapter. Its link is shown to users, so it must be an http(s) URL. */
export function readPullRequest(
  location: ForgeLocation,
  number: number,
  link: string,
  more: Pick<PullRequest, 'state' | 'text'>,
): PullRequest {
  if (!Number.isSafeInteger(number) || !/^https?:$/.test(URL.parse(link)?.protocol ?? ''))
    throw unexpectedResponseError(location)
  return { id: String(number), link, ...more }
}

/** Truncates the text to lengths that all forges accept, so that the request does not fail. */
export function fitText({ title, body }: Pick<NewPullRequest, 'title' | 'body'>) {
  return { title: shorten(title.replace(/\s+/g, ' ').trim(), MAX_TITLE), body: shorten(body, MAX_BODY) }
}

/** Creates an HTTP agent with git's network settings and restrictions. Rejects with ForgeError. */
export async function openAgent({
  host,
  network,
}: Pick<ForgeLocation, 'host' | 'network'>): Promise<Dispatcher> {
  const { caFile, proxy, noProxy = '', guard = PUBLIC_ADDRESS_GUARD } = network
  const undici = await import('undici') // large, and most processes never contact a forge
  const ca = caFile
    ? await readFile(caFile, 'utf8').catch((cause) => {
        const sentence = `${host} cannot be reached: the file with certificate authorities (OCTAVO_GIT_CA_FILE) cannot be read.`
        throw new ForgeError('refused', sentence, { cause })
      })
    : undefined
  const tls = ca === undefined ? {} : { ca }
  // Only the time limit of the whole request applies.
  const connect = createGuardedConnector(undici, guard, { timeout: CONNECT_TIMEOUT_MS, ...tls })
  const options = { connect, headersTimeout: 0, bodyTimeout: 0 }
  if (!proxy) return new undici.Agent(options)
  // git also accepts proxies without a scheme.
  const uri = proxy.includes('://') ? proxy : `http://${proxy}`
  const proxyOptions = { httpProxy: uri, httpsProxy: uri, noProxy, requestTls: tls, proxyTls: tls }
  try {
    return new undici.EnvHttpProxyAgent({ ...options, ...proxyOptions })
  } catch (cause) {
    const sentence = `${host} cannot be reached: the proxy (OCTAVO_GIT_PROXY) does not support requests to forges.`
    throw new ForgeError('refused', sentence, { cause })
  }
}

async function send(
  agent: Dispatcher,
  { host, apiOrigin, apiPath, network }: ForgeLocation,
  { route, query = {}, body, authorization }: ForgeCall,
  signal: AbortSignal,
): Promise<ForgeResponse> {
  const [method = '', path = ''] = route.split(' ')
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    [value].flat().map((one) => [name, String(one)]),
  )
  const search = pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`
  // With a proxy, checks the host first, because the connector would only check the proxy's address.
  const api = new URL(apiOrigin)
  if (network.proxy) await resolveRemoteAddresses(api.hostname, effectivePort(api), network)
  const stop = AbortSignal.any([signal, AbortSignal.timeout(network.timeoutMs ?? REQUEST_TIMEOUT_MS)])
  // Destroying the agent also aborts a pending DNS lookup.
  const onStop = () => void agent.destroy(stop.reason as Error).catch(() => undefined)
  stop.addEventListener('abort', onStop, { once: true })
  try {
    const answer = await agent.request({
      origin: apiOrigin,
      path: apiPath + path + search,
      method: method as Dispatcher.HttpMethod,
      headers: {
        authorization,
        accept: 'application/json',
        'accept-encoding': 'identity',
        'user-agent': 'octavo',
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      body: body === undefined ? null : JSON.stringify(body),
    })
    const headers = Object.entries(answer.headers).flatMap(([name, value]) =>
      [value ?? []].flat().map((one): [string, string] => [name, one]),
    )
    const tooLarge = () =>
      new ForgeError('refused', `${host} returned more than ${MAX_ANSWER_BYTES >> 20} MiB.`)
    const text = await readText(answer.body, MAX_ANSWER_BYTES, tooLarge)
    return { status: answer.statusCode, headers: new Headers(headers), text }
  } catch (error) {
    throw stop.aborted ? stop.reason : error
  } finally {
    stop.removeEventListener('abort', onStop)
  }
}

export async function readText(
  body: AsyncIterable<Uint8Array>,
  maxBytes: number,
  tooLarge: () => Error,
): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of body) {
    bytes += chunk.byteLength
    if (bytes > maxBytes) throw tooLarge()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}
