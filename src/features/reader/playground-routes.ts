/** Reader API: calls to a documented API, sent by this server if the API does not allow calls from the page. */

import { createAsyncCache } from '../../base/async-cache.ts'
import { AppError } from '../../base/errors/errors.ts'
import { faultAt } from '../../base/errors/fault.ts'
import { networkPrefix } from '../../base/net/address-network.ts'
import {
  GuardedFetchError,
  type StreamingFetch,
  type StreamingResponse,
} from '../../base/net/guarded-fetch.ts'
import type { ObjectStore } from '../../objects/object-store.ts'
import { isUrlBelowServer, readPlaygroundServers } from '../../render/outputs/version-files.ts'
import { readManifest } from '../../render/versions/site-versions.ts'
import { createSenderWindows } from '../analytics/intake/sender-windows.ts'
import { listBundleServers } from '../export/bundle-servers.ts'
import type { ReaderSite } from '../hosting/serve/reader-sites.ts'
import { CALL_LIMITS, type CallEvent, type ForwardCallBody } from './operations/playground.ts'
import type { ReaderHandlers, ReaderRouteDeps } from './readers.ts'

export interface CallDeps extends ReaderRouteDeps {
  playgroundFetch: StreamingFetch
  objects: ObjectStore
}

const MAX_CACHED_VERSIONS = 200

/** Caches allowed servers per version. Servers of customer-hosted bundles apply only to calls by site id. */
export function callHandler(deps: CallDeps): ReaderHandlers['forwardCall'] {
  const senders = createSenderWindows(deps.limits.calls)
  const sites = createSenderWindows(deps.limits.siteCalls)
  const versions = createAsyncCache<string[]>({ max: MAX_CACHED_VERSIONS })
  const publishedServers = (manifestKey: string) =>
    versions.get(manifestKey, async () =>
      readPlaygroundServers(deps.objects, await readManifest(deps.objects, manifestKey)),
    )
  async function isDeclaredServer(url: string, site: ReaderSite, isServedHere: boolean): Promise<boolean> {
    if (site.manifestKey !== null && isUrlBelowServer(url, await publishedServers(site.manifestKey)))
      return true
    return (
      !isServedHere && isUrlBelowServer(url, await listBundleServers(deps.database.queries, site.projectId))
    )
  }
  return {
    async handle({ site, body, address, isServedHere, reportWindow: tellWindow, signal }) {
      tellWindow('calls', senders.consume(`${site.siteId} ${networkPrefix(address)}`, 1))
      const ofSite = sites.consume(site.siteId, 1)
      if (!ofSite.accepted) tellWindow('siteCalls', ofSite)
      const fault = (await isDeclaredServer(body.url, site, isServedHere))
        ? deps.playgroundFetch.objection(body.url)
        : faultAt('/url', 'undeclared_server')
      if (fault !== null) throw new AppError('invalid_request', { details: [fault] })
      return callEvents(deps.playgroundFetch, body, signal)
    },
  }
}

/**
 * Headers that are not forwarded: those of the connection and the browser, and those in which proxies and CDNs
 * describe the client and the original request, because an API behind a proxy would trust such descriptions.
 */
const DROPPED_HEADERS =
  /^(?:accept-encoding|cdn-.*|cf-.*|connection|content-length|cookie2?|expect|fastly-.*|forwarded(?:-.*)?|host|keep-alive|origin|proxy-.*|referer|sec-.*|set-cookie2?|te|trailer|transfer-encoding|upgrade|via|(?:.*-)?(?:client|real|remote|source|originating|proxyuser)-?(?:ip|addr|address|user)|x-(?:envoy|forward|forwarded|original|rewrite)(?:-.*)?|x-host)$/

const TIMEOUT_MESSAGE = `The response of the API was not complete within ${CALL_LIMITS.milliseconds / 1000} seconds.`

async function* callEvents(
  guardedFetch: StreamingFetch,
  { method, url, headers = [], body }: ForwardCallBody,
  disconnected: AbortSignal,
): AsyncGenerator<CallEvent> {
  const late = AbortSignal.timeout(CALL_LIMITS.milliseconds)
  const signal = AbortSignal.any([disconnected, late])
  try {
    const answer = await guardedFetch.open(url, {
      ...{ method, signal },
      headers: headers.filter(({ name }) => isPassed(name)).map(({ name, value }) => [name, value] as const),
      body: body === undefined || method === 'GET' || method === 'HEAD' ? null : Buffer.from(body, 'base64'),
    })
    yield { event: 'head', data: { status: answer.status, headers: headersOf(answer) } }
    yield* bodyEvents(answer)
  } catch (error) {
    if (disconnected.aborted) return
    if (late.aborted) yield { event: 'error', data: { error: TIMEOUT_MESSAGE } }
    else if (error instanceof GuardedFetchError) yield { event: 'error', data: { error: error.message } }
    else throw error
  }
}

async function* bodyEvents({ body }: StreamingResponse): AsyncGenerator<CallEvent> {
  let remainingBytes: number = CALL_LIMITS.answerBytes
  for await (const part of body) {
    const allowedPart = part.subarray(0, remainingBytes)
    if (allowedPart.byteLength > 0)
      yield { event: 'part', data: { data: Buffer.from(allowedPart).toString('base64') } }
    remainingBytes -= part.byteLength
    if (remainingBytes < 0) break
  }
  yield { event: 'end', data: { isCut: remainingBytes < 0 } }
}

function isPassed(name: string): boolean {
  return !DROPPED_HEADERS.test(name.toLowerCase())
}

function headersOf({ headers }: StreamingResponse) {
  return Object.entries(headers)
    .filter(([name]) => isPassed(name))
    .flatMap(([name, value]) => [value ?? []].flat().map((one) => ({ name, value: one })))
    .slice(0, 200)
}
