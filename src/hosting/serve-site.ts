/** Answers readers of hosted sites: by host name, from the site version that the project's pointer names. */
import { pipeline, Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { type AsyncCache, createAsyncCache } from '../base/async-cache.ts'
import { originHeaders } from '../contract/origins.ts'
import { ObjectMissingError, type ObjectStore } from '../objects/object-store.ts'
import {
  blobKey,
  MANIFEST_BYTES_KEPT,
  type ManifestFile,
  type SiteManifest,
  weighManifest,
} from '../render/manifest.ts'
import { readManifest } from '../render/site-versions.ts'
import { READ_WHOLE_BYTES } from '../render/whole-site.ts'
import { carriesAnalytics } from './analytics-of-version.ts'
import { machineHeaders, twinName, wantsMarkdown } from './page-twins.ts'
import { resolveAddress } from './resolve-address.ts'

export interface SiteRequest {
  /** Host name without port, lower case. */
  host: string
  /** `GET`, `HEAD`, … */
  method: string
  /** Path and query as they came. */
  target: string
  acceptEncoding: string
  /** `Accept` header; who asks for Markdown gets the twin of a page. */
  accept: string
  ifNoneMatch: string | null
  /** Of the one who asks. */
  address: string
  userAgent: string
}

/** A page, or a text for agents, that somebody was given. */
export interface ServedPage {
  host: string
  /** `/guides/deploy` for the page and for its Markdown, `/llms.txt`. */
  path: string
  address: string
  userAgent: string
}

export interface SiteAnswer {
  status: number
  headers: Record<string, string>
  body: Readable | string | null
}

export interface SiteServer {
  /** Null when no site is published under this host name. */
  handle(request: SiteRequest): Promise<SiteAnswer | null>
}

export interface SiteServerDeps {
  objects: ObjectStore
  /** Key of the manifest that is published under a host name: null when the host is a project's without a published version, undefined when nobody has it. */
  findPublishedManifest(host: string): Promise<string | null | undefined>
  /** Told of a version of which something is not in the store any more. */
  onMissing?: (manifestKey: string) => void
  /** Told of what versions with web analytics serve. */
  onServed?: (served: ServedPage) => void
}

const SITE_HEADERS = originHeaders('site')
const DRAWING_HEADERS = originHeaders('siteDrawing')

export function createSiteServer(deps: SiteServerDeps): SiteServer {
  const manifests = createAsyncCache<SiteManifest>({ maxSize: MANIFEST_BYTES_KEPT, sizeOf: weighManifest })
  return {
    async handle(request) {
      const key = await deps.findPublishedManifest(request.host)
      if (key === undefined) return null
      const answer = key === null ? notPublished() : await answerVersion(deps, manifests, key, request)
      return { ...answer, headers: { ...SITE_HEADERS, ...answer.headers } }
    },
  }
}

async function answerVersion(
  { objects, onMissing, onServed }: SiteServerDeps,
  manifests: AsyncCache<SiteManifest>,
  key: string,
  request: SiteRequest,
): Promise<SiteAnswer> {
  try {
    const manifest = await manifests.get(key, () => readManifest(objects, key))
    return await answerFrom(objects, manifest, request, onServed)
  } catch (error) {
    if (!(error instanceof ObjectMissingError)) throw error
    onMissing?.(key)
    return unavailable('This file is not there at the moment and is being made again.\n')
  }
}

async function answerFrom(
  objects: ObjectStore,
  manifest: SiteManifest,
  request: SiteRequest,
  onServed: SiteServerDeps['onServed'],
): Promise<SiteAnswer> {
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
  if (address.kind === 'moved') return moved(address)
  const found = address.kind === 'path' ? fileName(manifest, address.path) : null
  if (found === null) return notFound(objects, manifest, request)
  const twin = wantsMarkdown(request.accept) ? twinName(manifest, found) : null
  const name = twin ?? found
  const headers = machineHeaders(manifest, name)
  const path = servedPath(name)
  if (path !== null && onServed && carriesAnalytics(manifest)) onServed({ ...request, path })
  return file(objects, manifest.files[name] as ManifestFile, request, { status: 200, name, headers })
}

/** Null for what is neither a page nor a text for agents. */
function servedPath(name: string): string | null {
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

function moved({ location, isPermanent }: { location: string; isPermanent: boolean }): SiteAnswer {
  return { status: isPermanent ? 308 : 307, headers: { location, 'cache-control': 'no-cache' }, body: null }
}

async function notFound(
  objects: ObjectStore,
  manifest: SiteManifest,
  request: SiteRequest,
): Promise<SiteAnswer> {
  const page = manifest.files['404.html']
  if (page) return file(objects, page, request, { status: 404, name: '404.html', headers: {} })
  return { status: 404, headers: { 'content-type': 'text/plain; charset=utf-8' }, body: 'Page not found\n' }
}

function notPublished(): SiteAnswer {
  return unavailable('This site has not been published yet.\n')
}

function unavailable(body: string): SiteAnswer {
  return {
    status: 503,
    headers: { 'content-type': 'text/plain; charset=utf-8', 'retry-after': '5', 'cache-control': 'no-store' },
    body,
  }
}

async function file(
  objects: ObjectStore,
  entry: ManifestFile,
  request: SiteRequest,
  found: { status: 200 | 404; name: string; headers: Record<string, string> },
): Promise<SiteAnswer> {
  const etag = `"${entry.sha256}"`
  const headers: Record<string, string> = {
    etag,
    'cache-control': isHashed(found.name) ? 'public, max-age=31536000, immutable' : 'no-cache',
    vary: 'accept-encoding',
    // With 304 too: its headers take the place of those that the browser has kept.
    ...(entry.contentType.startsWith('image/svg') ? DRAWING_HEADERS : {}),
    ...found.headers,
  }
  if (
    found.status === 200 &&
    request.ifNoneMatch?.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag)
  )
    return { status: 304, headers, body: null }

  headers['content-type'] = entry.contentType
  const takesGzip = /\bgzip\b/.test(request.acceptEncoding)
  if (takesGzip) headers['content-encoding'] = 'gzip'
  else headers['content-length'] = String(entry.sizeBytes)
  if (request.method === 'HEAD') return { status: found.status, headers, body: null }
  const stored = await openPacked(objects, entry)
  return { status: found.status, headers, body: takesGzip ? stored : unpacked(stored) }
}

/** Rejects before the first byte when the file is not whole. */
async function openPacked(objects: ObjectStore, entry: ManifestFile): Promise<Readable> {
  const key = blobKey(entry.sha256)
  if (entry.sizeBytes > READ_WHOLE_BYTES) return objects.get(key)
  return Readable.from([await objects.read(key)], { objectMode: false })
}

/** For readers that take no gzip. A failure of either stream destroys the answer. */
function unpacked(stored: Readable): Readable {
  return pipeline(stored, createGunzip(), () => {})
}

/** Built-in files carry their content hash in the name. */
function isHashed(name: string): boolean {
  return /^_octavo\/.*\.[0-9a-f]{8,}\.\w+$/.test(name)
}
