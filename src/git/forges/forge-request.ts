/**
 * HTTP layer for all forge libraries: a single host, a time limit per request, limited response sizes, no redirects
 * (which would forward the token), and all failures converted to ForgeError.
 */
import { readFile } from 'node:fs/promises'
import type { Dispatcher } from 'undici'
import { effectivePort, guardedConnector } from '../../base/net/guarded-fetch.ts'
import { PUBLIC_ONLY, resolveRemoteAddresses } from '../pin-remote.ts'
import { ForgeError, type NewPullRequest, type PullRequest } from './forge.ts'
import { shorten, toForgeError, unexpectedAnswerError, unreachableError } from './forge-errors.ts'
import type { ForgeLocation } from './forge-location.ts'

/** Replacement for `fetch` in forge libraries. Error statuses are responses; only a missing response throws. */
export type ForgeFetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>

const REQUEST_TIMEOUT_MS = 20_000
const CONNECT_TIMEOUT_MS = 10_000
const MAX_ANSWER_BYTES = 16 << 20
/** Maximum lengths accepted by every forge, in characters, with a margin for different ways of counting. */
const MAX_TITLE = 240
const MAX_BODY = 60_000

/** Runs `work` with a separate fetch function. Rejects with ForgeError, or with the signal's reason. */
export async function callForge<T>(
  location: ForgeLocation,
  signal: AbortSignal,
  work: (fetch: ForgeFetch) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted()
  const agent = await openAgent(location)
  // Libraries wrap errors, so the outcome of the last request is recorded here.
  const last: { failure: ForgeError | null } = { failure: null }
  const fetch: ForgeFetch = async (input, init) => {
    const request = new Request(input, init)
    last.failure = null
    try {
      const { response, text } = await send(agent, location, request, signal)
      if (!response.ok) last.failure = toForgeError(location, response, text, tokenIn(request))
      return response
    } catch (error) {
      last.failure = error instanceof ForgeError ? error : unreachableError(location, error)
      throw last.failure
    }
  }
  try {
    return await work(fetch)
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof ForgeError) throw error
    // Omit the library's error, which may contain the request with its headers.
    throw last.failure ?? unexpectedAnswerError(location)
  } finally {
    await agent.destroy()
  }
}

/** Validates a pull request found by an adapter: its link is shown to people, so it must be a URL. */
export function readPullRequest(
  location: ForgeLocation,
  number: number,
  link: string,
  more: Pick<PullRequest, 'state' | 'text'>,
): PullRequest {
  if (!Number.isSafeInteger(number) || !/^https?:$/.test(URL.parse(link)?.protocol ?? ''))
    throw unexpectedAnswerError(location)
  return { id: String(number), link, ...more }
}

/** Truncates the text to what every forge accepts, so that a long text does not make the request fail. */
export function fitText({ title, body }: Pick<NewPullRequest, 'title' | 'body'>) {
  return { title: shorten(title.replace(/\s+/g, ' ').trim(), MAX_TITLE), body: shorten(body, MAX_BODY) }
}

/** Creates an HTTP agent for a git server, with the same rules as git itself. Rejects with ForgeError. */
export async function openAgent({
  host,
  network,
}: Pick<ForgeLocation, 'host' | 'network'>): Promise<Dispatcher> {
  const { caFile, proxy, noProxy = '', guard = PUBLIC_ONLY } = network
  const undici = await import('undici') // large, and most processes never contact a forge
  const ca = caFile
    ? await readFile(caFile, 'utf8').catch((cause) => {
        const sentence = `${host} cannot be asked: the file of certificate authorities (OCTAVO_GIT_CA_FILE) cannot be read.`
        throw new ForgeError('refused', sentence, { cause })
      })
    : undefined
  const tls = ca === undefined ? {} : { ca }
  // The time limit of the request is the only one.
  const connect = guardedConnector(undici, guard, { timeout: CONNECT_TIMEOUT_MS, ...tls })
  const options = { connect, headersTimeout: 0, bodyTimeout: 0 }
  if (!proxy) return new undici.Agent(options)
  // git also accepts a proxy without a scheme.
  const uri = proxy.includes('://') ? proxy : `http://${proxy}`
  const proxyOptions = { httpProxy: uri, httpsProxy: uri, noProxy, requestTls: tls, proxyTls: tls }
  try {
    return new undici.EnvHttpProxyAgent({ ...options, ...proxyOptions })
  } catch (cause) {
    const sentence = `${host} cannot be asked: the proxy (OCTAVO_GIT_PROXY) is not one that works with forges.`
    throw new ForgeError('refused', sentence, { cause })
  }
}

async function send(
  agent: Dispatcher,
  location: ForgeLocation,
  request: Request,
  signal: AbortSignal,
): Promise<{ response: Response; text: string }> {
  const url = new URL(request.url)
  const { origin, pathname, search } = url
  if (origin !== location.apiOrigin) throw unexpectedAnswerError(location)
  // With a proxy, the connection leads to the proxy, so check the host first.
  if (location.network.proxy) await resolveRemoteAddresses(url.hostname, effectivePort(url), location.network)
  const body = request.body === null ? null : await request.text()
  const stop = AbortSignal.any([signal, AbortSignal.timeout(requestTimeout(location))])
  // Destroying the agent also aborts a pending DNS lookup.
  const onStop = () => void agent.destroy(stop.reason as Error).catch(() => undefined)
  stop.addEventListener('abort', onStop, { once: true })
  try {
    const answer = await agent.request({
      origin,
      path: pathname + search,
      method: request.method as Dispatcher.HttpMethod,
      headers: { ...Object.fromEntries(request.headers), 'accept-encoding': 'identity' },
      body,
    })
    const text = await readText(location, answer.body)
    const hasBody = ![204, 205, 304].includes(answer.statusCode)
    const headers = Object.entries(answer.headers).flatMap(([name, value]) =>
      [value ?? []].flat().map((one): [string, string] => [name, one]),
    )
    const init = { status: answer.statusCode, headers }
    return { response: new Response(hasBody ? text : null, init), text }
  } catch (error) {
    throw stop.aborted ? stop.reason : error
  } finally {
    stop.removeEventListener('abort', onStop)
  }
}

function requestTimeout({ network }: ForgeLocation): number {
  return network.timeoutMs ?? REQUEST_TIMEOUT_MS
}

async function readText(location: ForgeLocation, body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of body) {
    bytes += chunk.byteLength
    if (bytes > MAX_ANSWER_BYTES) {
      const sentence = `${location.host} answers with more than ${MAX_ANSWER_BYTES >> 20} MiB.`
      throw new ForgeError('refused', sentence)
    }
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

function tokenIn(request: Request): string | null {
  return request.headers.get('authorization')?.split(' ').at(-1) || null
}
