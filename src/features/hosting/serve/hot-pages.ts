/**
 * In-memory cache for frequent requests: the site of each host name, complete responses by version, format,
 * encoding and path, and file contents by hash and encoding, which are read and compressed only once.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'
import { LRUCache } from 'lru-cache'
import { createAsyncCache } from '../../../base/async-cache.ts'
import { wantsMarkdown } from '../../../base/net/prefers-markdown.ts'
import type { ObjectStore } from '../../../objects/object-store.ts'
import { unpackMember } from '../../../render/versions/blobs.ts'
import { isCompressedType } from '../../../render/versions/content-types.ts'
import { blobKey, type ManifestFile } from '../../../render/versions/manifest.ts'
import type { SiteRequest, SiteResponse } from './site-request.ts'

/**
 * Caches lookups such as the site of a host name. The database gets at most a few queries per second, regardless
 * of the number of requests. A result is at most a tenth of a second old; while the database is unavailable, the
 * last known result is used.
 */
export interface RecentResponses<Answer> {
  /** Returns undefined for unknown names. Rejects if the database fails and there is no earlier result. */
  find(name: string): Promise<Answer | undefined>
  known(name: string): Answer | undefined
}

/** Age from which a result is refreshed in the background while it is still used. */
const REFRESH_AFTER_MS = 50
const MAX_AGE_MS = 100
/** Maximum wait for a lookup if an earlier result exists. */
const WAIT_TIMEOUT_MS = 500
/** Delay between lookups while the database is unavailable. */
const RETRY_INTERVAL_MS = 1000
/** Limits known names; unknown names are not cached, so that they cannot evict sites. */
const MAX_NAMES = 10_000
/** Maximum length of a DNS name. */
const MAX_NAME_CHARACTERS = 253

interface Found<Answer> {
  answer: Answer
  at: number
  /** Start time of the last lookup that failed or exceeded WAIT_TIMEOUT_MS. */
  failedAt: number | null
}

export function createRecentResponses<Answer>(
  load: (name: string) => Promise<Answer | undefined>,
  now: () => number = () => performance.now(),
): RecentResponses<Answer> {
  const cached = new LRUCache<string, Found<Answer>>({ max: MAX_NAMES })
  const pending = new Map<string, Promise<Answer | undefined>>()

  function refresh(name: string): Promise<Answer | undefined> {
    const running = pending.get(name)
    if (running !== undefined) return running
    const at = now()
    const patience = setTimeout(() => markFailed(name, at), WAIT_TIMEOUT_MS)
    const answer = load(name)
      .then(
        (found) => {
          if (found === undefined) cached.delete(name)
          else cached.set(name, { answer: found, at, failedAt: null })
          return found
        },
        (error) => {
          markFailed(name, at)
          throw error
        },
      )
      .finally(() => {
        clearTimeout(patience)
        pending.delete(name)
      })
    pending.set(name, answer)
    return answer
  }

  function markFailed(name: string, at: number): void {
    const found = cached.get(name)
    if (found !== undefined) found.failedAt = at
  }

  function current(name: string): Found<Answer> | undefined {
    const found = cached.get(name)
    if (found === undefined) return undefined
    const age = now() - found.at
    if (age < REFRESH_AFTER_MS) return found
    const hasFailed = found.failedAt !== null
    if (found.failedAt === null || now() - found.failedAt >= RETRY_INTERVAL_MS) refresh(name).catch(() => {})
    return hasFailed || age < MAX_AGE_MS ? found : undefined
  }

  return {
    known: (name) => current(name)?.answer,
    async find(name) {
      if (name.length > MAX_NAME_CHARACTERS) return undefined
      const found = current(name)
      if (found !== undefined) return found.answer
      const last = cached.get(name)
      const answer = refresh(name)
      if (last === undefined) return answer
      const late = delay(WAIT_TIMEOUT_MS, last.answer, { ref: false })
      return Promise.race([answer.catch(() => last.answer), late])
    },
  }
}

export type Encoding = 'identity' | 'gzip' | 'br'

/** A response whose body is in memory instead of a stream. */
export type HotResponse = SiteResponse & { body: Uint8Array | null }

interface HotPage {
  headers: Record<string, string>
  /** Headers of a 304 response. */
  unchanged: Record<string, string>
  entry: ManifestFile
  encoding: Encoding
  /** Page path for analytics; null if the response is not counted. */
  path: string | null
}

export interface HotPages {
  /** Reads a whole file. Rejects with ObjectMissingError if the file is lost or damaged. */
  read(file: ManifestFile, encoding: Encoding): Promise<Uint8Array>
  /** Caches a response and its headers if any anonymous reader who sends this request can get the same response. */
  put(
    version: string,
    request: SiteRequest,
    given: { answer: SiteResponse; entry: ManifestFile; path: string | null },
  ): void
  find(version: string, request: SiteRequest): { answer: HotResponse; path: string | null } | null
}

const MAX_BODY_CACHE_BYTES = 96 << 20
const ENTRY_OVERHEAD_BYTES = 300
const MAX_RESPONSE_CACHE_BYTES = 16 << 20
const RESPONSE_OVERHEAD_BYTES = 3000
const MAX_TARGET_CHARACTERS = 512
/** No regular client sends longer headers. */
const MAX_HEADER_CHARACTERS = 500

export function createHotPages(objects: Pick<ObjectStore, 'read'>): HotPages {
  const bodies = createAsyncCache<Uint8Array>({
    maxSize: MAX_BODY_CACHE_BYTES,
    sizeOf: (body) => body.byteLength + ENTRY_OVERHEAD_BYTES,
  })
  const pages = new LRUCache<string, HotPage>({
    maxSize: MAX_RESPONSE_CACHE_BYTES,
    sizeCalculation: ({ headers }, key) =>
      RESPONSE_OVERHEAD_BYTES + 2 * key.length + (headers.link?.length ?? 0),
  })
  const bodyKey = ({ sha256 }: ManifestFile, encoding: Encoding) => `${sha256} ${encoding}`
  return {
    read: (file, encoding) =>
      bodies.get(bodyKey(file, encoding), async () => {
        const stored = await objects.read(blobKey(file.sha256))
        return copyIfView(encoding === 'gzip' ? stored : await encode(await unpackMember(stored), encoding))
      }),
    put(version, request, { answer: { status, headers, body }, entry, path }) {
      const { method, target } = request
      // Excludes URLs with a query, because there can be any number of them.
      const isForMany = method === 'GET' && target.length <= MAX_TARGET_CHARACTERS && !target.includes('?')
      if (!isForMany || status !== 200 || !(body instanceof Uint8Array)) return
      const encoding = encodingFor(entry, acceptedEncoding(request.acceptEncoding))
      const unchanged = withoutContent(headers)
      pages.set(pageKey(version, request), { headers, unchanged, entry, encoding, path })
    },
    find(version, request) {
      const page = pages.get(pageKey(version, request))
      const body = page && bodies.peek(bodyKey(page.entry, page.encoding))
      if (body === undefined) return null
      const { headers, unchanged, entry, path } = page as HotPage
      if (matchesEtag(request.ifNoneMatch, etagOf(entry)))
        return { answer: { status: 304, headers: unchanged, body: null }, path }
      return { answer: { status: 200, headers, body: request.method === 'HEAD' ? null : body }, path }
    },
  }
}

function pageKey(version: string, { acceptEncoding, accept, target }: SiteRequest): string {
  const form = prefersMarkdown(accept) && wantsMarkdown(accept) ? 'markdown' : 'page'
  return `${version} ${acceptedEncoding(acceptEncoding)} ${form} ${target}`
}

/** Fast check without parsing. If it returns false, `Accept` can only select the default format. */
function prefersMarkdown(accept: string): boolean {
  return accept.includes('text/markdown') || accept.includes('text/plain') || /[A-Z]/.test(accept)
}

export function etagOf({ sha256 }: ManifestFile): string {
  return `"${sha256}"`
}

export function matchesEtag(header: string | null, etag: string): boolean {
  return header?.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag) === true
}

const CONTENT_HEADERS = new Set(['content-type', 'content-encoding', 'content-length', 'accept-ranges'])

function withoutContent(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !CONTENT_HEADERS.has(name)))
}

/**
 * The result is a tenth smaller than with gzip and takes 2 ms of a thread, once per page. The highest quality
 * would take 50 ms.
 */
const BROTLI_QUALITY = 5
const compress = promisify(brotliCompress)

async function encode(bytes: Uint8Array, encoding: 'identity' | 'br'): Promise<Uint8Array> {
  if (encoding === 'identity') return bytes
  const { BROTLI_PARAM_QUALITY: quality, BROTLI_PARAM_SIZE_HINT: size } = constants
  return compress(bytes, { params: { [quality]: BROTLI_QUALITY, [size]: bytes.byteLength } })
}

/** Copies a view, because it would keep its whole underlying buffer in memory. */
function copyIfView(bytes: Uint8Array): Uint8Array {
  return bytes.byteLength === bytes.buffer.byteLength ? bytes : new Uint8Array(bytes)
}

export function encodingFor({ contentType }: Pick<ManifestFile, 'contentType'>, taken: Encoding): Encoding {
  return isCompressedType(contentType) ? 'identity' : taken
}

export function acceptedEncoding(header: string): Encoding {
  const known = encodings.get(header)
  if (known !== undefined) return known
  const taken = new Map<string, boolean>()
  for (const part of header.slice(0, MAX_HEADER_CHARACTERS).toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((one) => one.trim())
    taken.set(name, !parameters.some((one) => /^q=0(?:\.0*)?$/.test(one)))
  }
  const best = taken.get('br') ? 'br' : (taken.get('gzip') ?? taken.get('*')) ? 'gzip' : 'identity'
  encodings.set(header, best)
  return best
}

/** A small cache is sufficient, because clients send few distinct `Accept-Encoding` headers. */
const encodings = new LRUCache<string, Encoding>({ max: 100 })
