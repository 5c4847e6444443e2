/** Reader API: calls to a documented API, made by this server where the API does not allow calls from the page. */

import { createAsyncCache } from '../../base/async-cache.ts'
import { AppError } from '../../base/errors/errors.ts'
import { faultAt } from '../../base/errors/fault.ts'
import { networkOf } from '../../base/net/address-network.ts'
import { GuardedFetchError, type OpenFetch, type OpenResponse } from '../../base/net/guarded-fetch.ts'
import type { ObjectStore } from '../../objects/object-store.ts'
import { isAtServer, readPlaygroundServers } from '../../render/outputs/named-servers.ts'
import { readManifest } from '../../render/versions/site-versions.ts'
import { createSenderWindows } from '../analytics/intake/sender-windows.ts'
import { serversOfBundles } from '../export/bundle-servers.ts'
import type { ReaderSite } from '../hosting/serve/reader-sites.ts'
import { CALL_BOUNDS, type CallEvent, type ForwardCallBody } from './operations/playground.ts'
import type { ReaderHandlers, ReaderRouteDeps } from './readers.ts'

export interface CallDeps extends ReaderRouteDeps {
  playgroundFetch: OpenFetch
  objects: ObjectStore
}

const VERSIONS_KEPT = 200

/**
 * Server lists are cached per version. Servers named by bundles only count for calls by site id, which come from
 * their pages.
 */
export function callHandler(deps: CallDeps): ReaderHandlers['forwardCall'] {
  const senders = createSenderWindows(deps.limits.calls)
  const sites = createSenderWindows(deps.limits.siteCalls)
  const versions = createAsyncCache<string[]>({ max: VERSIONS_KEPT })
  const publishedServers = (manifestKey: string) =>
    versions.get(manifestKey, async () =>
      readPlaygroundServers(deps.objects, await readManifest(deps.objects, manifestKey)),
    )
  async function isNamed(url: string, site: ReaderSite, isServedHere: boolean): Promise<boolean> {
    if (site.manifestKey !== null && isAtServer(url, await publishedServers(site.manifestKey))) return true
    return !isServedHere && isAtServer(url, await serversOfBundles(deps.database.queries, site.projectId))
  }
  return {
    async handle({ site, body, address, isServedHere, tellWindow, signal }) {
      tellWindow('calls', senders.take(`${site.siteId} ${networkOf(address)}`, 1))
      const ofSite = sites.take(site.siteId, 1)
      if (!ofSite.accepted) tellWindow('siteCalls', ofSite)
      const fault = (await isNamed(body.url, site, isServedHere))
        ? deps.playgroundFetch.objection(body.url)
        : 'is at no server that the API descriptions of this site name'
      if (fault !== null) throw new AppError('invalid_request', { details: [faultAt('/url', fault)] })
      return callEvents(deps.playgroundFetch, body, signal)
    },
  }
}

/**
 * Headers that are not forwarded: those of the connection, of the browser, and those in which proxies and CDNs state
 * the client and the original request, because an API behind one would trust them.
 */
const LEFT_OUT =
  /^(?:accept-encoding|cdn-.*|cf-.*|connection|content-length|cookie2?|expect|fastly-.*|forwarded(?:-.*)?|host|keep-alive|origin|proxy-.*|referer|sec-.*|set-cookie2?|te|trailer|transfer-encoding|upgrade|via|(?:.*-)?(?:client|real|remote|source|originating|proxyuser)-?(?:ip|addr|address|user)|x-(?:envoy|forward|forwarded|original|rewrite)(?:-.*)?|x-host)$/

const CUT_OFF = `The API did not answer in full within ${CALL_BOUNDS.milliseconds / 1000} seconds.`

async function* callEvents(
  guardedFetch: OpenFetch,
  { method, url, headers = [], body }: ForwardCallBody,
  gone: AbortSignal,
): AsyncGenerator<CallEvent> {
  const late = AbortSignal.timeout(CALL_BOUNDS.milliseconds)
  const signal = AbortSignal.any([gone, late])
  try {
    const answer = await guardedFetch.open(url, {
      ...{ method, signal },
      headers: headers.filter(({ name }) => isPassed(name)).map(({ name, value }) => [name, value] as const),
      body: body === undefined || method === 'GET' || method === 'HEAD' ? null : Buffer.from(body, 'base64'),
    })
    yield { event: 'head', data: { status: answer.status, headers: headersOf(answer) } }
    yield* bodyEvents(answer)
  } catch (error) {
    if (gone.aborted) return
    if (late.aborted) yield { event: 'error', data: { error: CUT_OFF } }
    else if (error instanceof GuardedFetchError) yield { event: 'error', data: { error: error.message } }
    else throw error
  }
}

async function* bodyEvents({ body }: OpenResponse): AsyncGenerator<CallEvent> {
  let room: number = CALL_BOUNDS.answerBytes
  for await (const part of body) {
    const kept = part.subarray(0, room)
    if (kept.byteLength > 0) yield { event: 'part', data: { data: Buffer.from(kept).toString('base64') } }
    room -= part.byteLength
    if (room < 0) break
  }
  yield { event: 'end', data: { isCut: room < 0 } }
}

function isPassed(name: string): boolean {
  return !LEFT_OUT.test(name.toLowerCase())
}

function headersOf({ headers }: OpenResponse) {
  return Object.entries(headers)
    .filter(([name]) => isPassed(name))
    .flatMap(([name, value]) => [value ?? []].flat().map((one) => ({ name, value: one })))
    .slice(0, 200)
}
