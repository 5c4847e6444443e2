/**
 * How a forge is asked over HTTP, whichever library words the question: one host, one deadline for each request, bounded
 * answers, no redirects (the token would go along), and every way to fail turned into a ForgeError.
 */
import { readFile } from 'node:fs/promises'
import type { Dispatcher } from 'undici'
import { guardedConnector, portOf } from '../../base/net/guarded-fetch.ts'
import { addressesOf, PUBLIC_ONLY } from '../pin-remote.ts'
import { ForgeError, type NewPullRequest, type PullRequest } from './forge.ts'
import type { ForgePlace } from './forge-place.ts'
import { explainRefusal, notUnderstood, shorten, unreachable } from './forge-refusal.ts'

/** What the libraries take in the place of `fetch`. Refusals are answers; only a missing answer throws. */
export type ForgeFetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>

const REQUEST_TIMEOUT_MS = 20_000
const CONNECT_TIMEOUT_MS = 10_000
const MAX_ANSWER_BYTES = 16 << 20
/** What every forge takes, in characters: the smallest of their limits, with room for what they count otherwise. */
const MAX_TITLE = 240
const MAX_BODY = 60_000

/** Runs `work` with a fetch of its own. Rejects with ForgeError, or with the signal's reason. */
export async function askForge<T>(
  place: ForgePlace,
  signal: AbortSignal,
  work: (fetch: ForgeFetch) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted()
  const agent = await openAgent(place)
  // The libraries wrap errors in their own: what counts is what became of the last request.
  const last: { failure: ForgeError | null } = { failure: null }
  const fetch: ForgeFetch = async (input, init) => {
    const request = new Request(input, init)
    last.failure = null
    try {
      const { response, text } = await send(agent, place, request, signal)
      if (!response.ok) last.failure = explainRefusal(place, response, text, tokenIn(request))
      return response
    } catch (error) {
      last.failure = error instanceof ForgeError ? error : unreachable(place, error)
      throw last.failure
    }
  }
  try {
    return await work(fetch)
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof ForgeError) throw error
    // The library's error is left out: it may quote the request with its headers.
    throw last.failure ?? notUnderstood(place)
  } finally {
    await agent.destroy()
  }
}

/** What an adapter has found, checked: a link that is no address would be shown to people. */
export function readPullRequest(
  place: ForgePlace,
  number: number,
  link: string,
  more: Pick<PullRequest, 'state' | 'text'>,
): PullRequest {
  if (!Number.isSafeInteger(number) || !/^https?:$/.test(URL.parse(link)?.protocol ?? ''))
    throw notUnderstood(place)
  return { id: String(number), link, ...more }
}

/** Shortened to what every forge takes: a long list of reasons must not cost the whole request. */
export function fitText({ title, body }: Pick<NewPullRequest, 'title' | 'body'>) {
  return { title: shorten(title.replace(/\s+/g, ' ').trim(), MAX_TITLE), body: shorten(body, MAX_BODY) }
}

/** For requests to a server of git, by the rules that git itself follows. Rejects with ForgeError. */
export async function openAgent({
  host,
  network,
}: Pick<ForgePlace, 'host' | 'network'>): Promise<Dispatcher> {
  const { caFile, proxy, noProxy = '', guard = PUBLIC_ONLY } = network
  const undici = await import('undici') // large, and no forge is asked in most processes
  const ca = caFile
    ? await readFile(caFile, 'utf8').catch((cause) => {
        const sentence = `${host} cannot be asked: the file of certificate authorities (OCTAVO_GIT_CA_FILE) cannot be read.`
        throw new ForgeError('refused', sentence, { cause })
      })
    : undefined
  const tls = ca === undefined ? {} : { ca }
  // The one time limit is the request's own.
  const connect = guardedConnector(undici, guard, { timeout: CONNECT_TIMEOUT_MS, ...tls })
  const options = { connect, headersTimeout: 0, bodyTimeout: 0 }
  if (!proxy) return new undici.Agent(options)
  // git takes a proxy without a scheme too.
  const uri = proxy.includes('://') ? proxy : `http://${proxy}`
  const through = { httpProxy: uri, httpsProxy: uri, noProxy, requestTls: tls, proxyTls: tls }
  try {
    return new undici.EnvHttpProxyAgent({ ...options, ...through })
  } catch (cause) {
    const sentence = `${host} cannot be asked: the proxy (OCTAVO_GIT_PROXY) is not one that works with forges.`
    throw new ForgeError('refused', sentence, { cause })
  }
}

async function send(
  agent: Dispatcher,
  place: ForgePlace,
  request: Request,
  signal: AbortSignal,
): Promise<{ response: Response; text: string }> {
  const url = new URL(request.url)
  const { origin, pathname, search } = url
  if (origin !== place.apiOrigin) throw notUnderstood(place)
  // The connection itself is the proxy's, so the host is looked at before.
  if (place.network.proxy) await addressesOf(url.hostname, portOf(url), place.network)
  const body = request.body === null ? null : await request.text()
  const stop = AbortSignal.any([signal, AbortSignal.timeout(timeoutOf(place))])
  // Ending the agent also ends a request that is still looking for the host.
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
    const text = await readText(place, answer.body)
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

function timeoutOf({ network }: ForgePlace): number {
  return network.timeoutMs ?? REQUEST_TIMEOUT_MS
}

async function readText(place: ForgePlace, body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of body) {
    bytes += chunk.byteLength
    if (bytes > MAX_ANSWER_BYTES) {
      const sentence = `${place.host} answers with more than ${MAX_ANSWER_BYTES >> 20} MiB.`
      throw new ForgeError('refused', sentence)
    }
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

function tokenIn(request: Request): string | null {
  return request.headers.get('authorization')?.split(' ').at(-1) || null
}
