/** Serves hosted sites by host name, from the version selected by the project's pointer. */

import { pipeline, Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { originHeaders } from '../../../base/api/origins.ts'
import { type AsyncCache, createAsyncCache } from '../../../base/async-cache.ts'
import { wantsMarkdown } from '../../../base/net/prefers-markdown.ts'
import { ObjectMissingError, type ObjectStore } from '../../../objects/object-store.ts'
import { parseRange } from '../../../objects/serve-object.ts'
import {
  blobKey,
  estimateManifestBytes,
  MAX_CACHED_MANIFEST_BYTES,
  type ManifestFile,
  type SiteManifest,
} from '../../../render/versions/manifest.ts'
import { readManifest } from '../../../render/versions/site-versions.ts'
import { MAX_WHOLE_READ_BYTES } from '../../../render/whole-site.ts'
import {
  noPreviewResponse,
  notPublishedResponse,
  notReadyResponse,
  refuseReader,
  takenDownResponse,
} from '../access/reader-refusal.ts'
import { type HostedSite, hasCredentials, type Reader, type ReaderGate } from '../access/site-access.ts'
import { createSiteImages, type SiteImages } from '../deploy/site-thumbnails.ts'
import { includesAnalytics } from './analytics-of-version.ts'
import { applyCacheScope, cacheControl, cacheScope } from './cache-headers.ts'
import {
  acceptedEncoding,
  createHotPages,
  createRecentResponses,
  type Encoding,
  encodingFor,
  etagOf,
  type HotPages,
  type HotResponse,
  matchesEtag,
} from './hot-pages.ts'
import { firstVisitRedirect, isFirstVisit, varyByVisit } from './language-redirect.ts'
import { markdownTwinName, pageTwinHeaders } from './page-twins.ts'
import { createReaderVersions, type ReaderVersions } from './reader-version.ts'
import { resolveAddress } from './resolve-address.ts'
import type { SiteRequest, SiteResponse } from './site-request.ts'

export interface ServedPage {
  host: string
  /** `/guides/deploy` for both the page and its Markdown; a name such as `/llms.txt` for texts for agents. */
  path: string
  address: string
  userAgent: string
}

export interface SiteServer {
  /** Returns null if no site is published at this host name. */
  handle(request: SiteRequest): Promise<SiteResponse | null>
  /** Returns the same response as `handle` if it is available synchronously, else null. */
  answerHot?(request: SiteRequest): HotResponse | null
}

export interface SiteServerDeps {
  objects: ObjectStore
  findSite(host: string): Promise<HostedSite | undefined>
  gate: ReaderGate
  isForPreviews?: (host: string) => boolean
  onMissing?: (manifestKey: string) => void
  onServed?: (served: ServedPage) => void
}

/** Both ends are inclusive. */
interface ByteRange {
  start: number
  end: number
}

const SITE_HEADERS = originHeaders('site')
/** Excludes the preview's secret URL from search engines and from the Referer header of outgoing links. */
const PREVIEW_HEADERS = { 'x-robots-tag': 'noindex, nofollow', 'referrer-policy': 'same-origin' }
const DRAWING_HEADERS = originHeaders('siteDrawing')

interface ServingContext {
  deps: SiteServerDeps
  manifests: AsyncCache<SiteManifest>
  versions: ReaderVersions
  pages: HotPages
  pictures: SiteImages
}

export function createSiteServer(deps: SiteServerDeps): SiteServer {
  const sites = createRecentResponses((host) => deps.findSite(host))
  const context: ServingContext = {
    deps,
    manifests: createAsyncCache<SiteManifest>({
      maxSize: MAX_CACHED_MANIFEST_BYTES,
      sizeOf: estimateManifestBytes,
    }),
    versions: createReaderVersions(deps.objects),
    pages: createHotPages(deps.objects),
    pictures: createSiteImages(deps.objects),
  }
  return {
    async handle(request) {
      const site = await sites.find(request.host)
      if (site === undefined)
        return deps.isForPreviews?.(request.host) === true ? noPreviewResponse(request) : null
      const answer = await respondToReader(context, site, request)
      const headers = { ...SITE_HEADERS, ...answer.headers, ...(site.isPreview && PREVIEW_HEADERS) }
      return { ...answer, headers }
    },
    answerHot(request) {
      if (request.range !== undefined || (request.method !== 'GET' && request.method !== 'HEAD')) return null
      const site = sites.known(request.host)
      // Responses that depend on the reader are never cached.
      if (!site || site.manifestKey === null || site.isDeleted || site.isPreview) return null
      if (site.access.isPrivate || hasCredentials(request)) return null
      const hot = context.pages.find(site.manifestKey, request)
      if (hot === null) return null
      if (hot.path !== null) deps.onServed?.({ ...request, path: hot.path })
      return hot.answer
    },
  }
}

async function respondToReader(
  context: ServingContext,
  site: HostedSite,
  request: SiteRequest,
): Promise<SiteResponse> {
  if (site.isDeleted) return takenDownResponse(request)
  const reader = await context.deps.gate.admit(site, request)
  if (reader === null) return refuseReader(site, request)
  const { manifestKey: key } = site
  const answer =
    key === null
      ? notPublishedResponse(site, request)
      : await respondWithVersion(context, key, reader, request)
  return applyCacheScope(answer, cacheScope(site, reader))
}

async function respondWithVersion(
  context: ServingContext,
  published: string,
  reader: Reader,
  request: SiteRequest,
): Promise<SiteResponse> {
  const { objects, onMissing } = context.deps
  try {
    const key = await context.versions(published, reader)
    const manifest = await context.manifests.get(key, () => readManifest(objects, key))
    return await respondFromManifest(context, { key, manifest }, request)
  } catch (error) {
    if (!(error instanceof ObjectMissingError)) throw error
    onMissing?.(published)
    return notReadyResponse(request, 'This file is temporarily missing and is being created again')
  }
}

async function respondFromManifest(
  context: ServingContext,
  version: { key: string; manifest: SiteManifest },
  request: SiteRequest,
): Promise<SiteResponse> {
  const { manifest } = version
  if (request.method !== 'GET' && request.method !== 'HEAD')
    return { status: 405, headers: { allow: 'GET, HEAD' }, body: null }
  const address = resolveAddress(
    {
      hasPage: (path) => pageName(manifest, path) !== null,
      redirects: manifest.redirects,
      start: manifest.start ?? null,
    },
    request.target,
  )
  const visited = firstVisitRedirect(manifest, request)
  if (visited !== null) return varyByVisit(manifest, request, redirectResponse(visited))
  if (address.kind === 'moved') return varyByVisit(manifest, request, redirectResponse(address))
  const found = address.kind === 'path' ? fileName(manifest, address.path) : null
  if (found === null && address.kind === 'path' && context.pictures.has(manifest, address.path.slice(1)))
    return image(context, manifest, address.path.slice(1), request)
  if (found === null) return notFound(context, manifest, request)
  const twin = wantsMarkdown(request.accept) ? markdownTwinName(manifest, found) : null
  const name = twin ?? found
  const entry = manifest.files[name] as ManifestFile
  const served = includesAnalytics(manifest) ? requestPathForFile(name) : null
  if (served !== null) context.deps.onServed?.({ ...request, path: served })
  const headers = pageTwinHeaders(manifest, name)
  const answer = varyByVisit(
    manifest,
    request,
    await file(context, entry, request, { status: 200, name, headers }),
  )
  if (!isFirstVisit(manifest, request)) {
    const whole = { ...answer, headers: { ...SITE_HEADERS, ...answer.headers } }
    context.pages.put(version.key, request, { answer: whole, entry, path: served })
  }
  return answer
}

function requestPathForFile(name: string): string | null {
  if (/^llms(-full)?\.txt$/.test(name)) return `/${name}`
  const bare = /^(.*)\.(?:html|md)$/.exec(name)?.[1]
  return bare === undefined ? null : `/${bare.replace(/(^|\/)index$/, '')}`
}

function pageName({ files }: SiteManifest, path: string): string | null {
  const bare = path.slice(1)
  const candidates = bare === '' ? ['index.html'] : [`${bare}.html`, `${bare}/index.html`]
  return candidates.find((candidate) => Object.hasOwn(files, candidate)) ?? null
}

function fileName(manifest: SiteManifest, path: string): string | null {
  const bare = path.slice(1)
  return pageName(manifest, path) ?? (Object.hasOwn(manifest.files, bare) ? bare : null)
}

function redirectResponse({
  location,
  isPermanent,
}: {
  location: string
  isPermanent: boolean
}): SiteResponse {
  return { status: isPermanent ? 308 : 307, headers: { location, 'cache-control': 'no-cache' }, body: null }
}

async function notFound(
  context: ServingContext,
  manifest: SiteManifest,
  request: SiteRequest,
): Promise<SiteResponse> {
  const page = manifest.files['404.html']
  if (page) return file(context, page, request, { status: 404, name: '404.html', headers: {} })
  return { status: 404, headers: { 'content-type': 'text/plain; charset=utf-8' }, body: 'Page not found\n' }
}

/** Cacheable forever, because the name determines the content. */
async function image(
  context: ServingContext,
  manifest: SiteManifest,
  path: string,
  request: SiteRequest,
): Promise<SiteResponse> {
  const png = await context.pictures.find(manifest, path)
  if (png === null) return notFound(context, manifest, request)
  if (png === 'busy') return notReadyResponse(request, 'Too many images are being generated at the moment')
  const headers: Record<string, string> = {
    'content-type': 'image/png',
    'cache-control': cacheControl(true),
    'content-length': String(png.byteLength),
  }
  return { status: 200, headers, body: request.method === 'HEAD' ? null : png }
}

async function file(
  context: ServingContext,
  entry: ManifestFile,
  request: SiteRequest,
  found: { status: 200 | 404; name: string; headers: Record<string, string> },
): Promise<SiteResponse> {
  const etag = etagOf(entry)
  const chosenEncoding = encodingFor(entry, acceptedEncoding(request.acceptEncoding))
  const headers: Record<string, string> = {
    // A strong ETag identifies the uncompressed bytes, so ranges never mix with a compressed response.
    etag: chosenEncoding === 'identity' ? etag : `W/${etag}`,
    'cache-control': cacheControl(isHashedFileName(found.name)),
    vary: 'accept-encoding',
    // Also sent with 304, whose headers replace those cached by the browser.
    ...(entry.contentType.startsWith('image/svg') ? DRAWING_HEADERS : {}),
    ...found.headers,
  }
  if (found.status === 200 && matchesEtag(request.ifNoneMatch, etag))
    return { status: 304, headers, body: null }

  headers['content-type'] = entry.contentType
  if (found.status === 200) headers['accept-ranges'] = 'bytes'
  const range = found.status === 200 ? resolveRange(request, entry) : null
  if (range === 'unsatisfiable')
    return { status: 416, headers: { 'content-range': `bytes */${entry.sizeBytes}` }, body: null }
  if (range !== null) return part(context, entry, headers, range)
  const isHead = request.method === 'HEAD'
  const { encoding, body, sizeBytes } = await wholeBody(context, entry, { chosenEncoding, isHead })
  if (encoding !== 'identity') headers['content-encoding'] = encoding
  if (sizeBytes !== null) headers['content-length'] = String(sizeBytes)
  return { status: found.status, headers, body }
}

/** Ranges refer to the uncompressed file, because a part of compressed data cannot be decompressed. */
function resolveRange(
  { method, range, ifRange }: SiteRequest,
  entry: ManifestFile,
): ByteRange | 'unsatisfiable' | null {
  if (method !== 'GET' || (ifRange !== undefined && ifRange !== etagOf(entry))) return null
  return parseRange(range, entry.sizeBytes)
}

async function part(
  { deps, pages }: ServingContext,
  entry: ManifestFile,
  headers: Record<string, string>,
  { start, end }: ByteRange,
): Promise<SiteResponse> {
  headers.etag = etagOf(entry)
  headers['content-range'] = `bytes ${start}-${end}/${entry.sizeBytes}`
  headers['content-length'] = String(end - start + 1)
  const body =
    entry.sizeBytes <= MAX_WHOLE_READ_BYTES
      ? (await pages.read(entry, 'identity')).subarray(start, end + 1)
      : Readable.from(sliceStream(gunzipStream(await deps.objects.get(blobKey(entry.sha256))), start, end), {
          objectMode: false,
        })
  return { status: 206, headers, body }
}

/** Yields the bytes from `start` to `end`, both inclusive. */
async function* sliceStream(source: Readable, start: number, end: number): AsyncGenerator<Uint8Array> {
  let at = 0
  for await (const chunk of source as AsyncIterable<Uint8Array>) {
    const from = Math.max(0, start - at)
    const to = Math.min(chunk.byteLength, end + 1 - at)
    if (from < to) yield chunk.subarray(from, to)
    at += chunk.byteLength
    if (at > end) return
  }
}

/** Rejects before the first byte if the file is damaged. The size is null for large compressed files. */
async function wholeBody(
  { deps, pages }: ServingContext,
  entry: ManifestFile,
  { chosenEncoding, isHead }: { chosenEncoding: Encoding; isHead: boolean },
): Promise<{ encoding: Encoding; body: Readable | Uint8Array | null; sizeBytes: number | null }> {
  if (entry.sizeBytes <= MAX_WHOLE_READ_BYTES) {
    const body = await pages.read(entry, chosenEncoding)
    return { encoding: chosenEncoding, body: isHead ? null : body, sizeBytes: body.byteLength }
  }
  const encoding = chosenEncoding === 'identity' ? 'identity' : 'gzip'
  const sizeBytes = encoding === 'identity' ? entry.sizeBytes : null
  if (isHead) return { encoding, body: null, sizeBytes }
  const stored = await deps.objects.get(blobKey(entry.sha256))
  return { encoding, body: encoding === 'gzip' ? stored : gunzipStream(stored), sizeBytes }
}

/** Decompresses for readers that do not accept gzip. A failure of either stream destroys the response. */
function gunzipStream(stored: Readable): Readable {
  return pipeline(stored, createGunzip(), () => {})
}

/** Built-in files have a content hash in their name. */
function isHashedFileName(name: string): boolean {
  return /^_octavo\/.*\.[0-9a-f]{8,}\.\w+$/.test(name)
}
