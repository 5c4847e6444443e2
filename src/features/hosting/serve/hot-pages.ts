/**
 * Answers that readers ask for again and again, in memory: the site of a host name, finished answers by version, form,
 * encoding and address, and the bytes of files by hash and encoding, each read and compressed once.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'
import { LRUCache } from 'lru-cache'
import { createAsyncCache } from '../../../base/async-cache.ts'
import { wantsMarkdown } from '../../../base/net/wants-markdown.ts'
import type { ObjectStore } from '../../../objects/object-store.ts'
import { unpackMember } from '../../../render/versions/blobs.ts'
import { isCompressedType } from '../../../render/versions/content-types.ts'
import { blobKey, type ManifestFile } from '../../../render/versions/manifest.ts'
import type { SiteAnswer, SiteRequest } from './site-request.ts'

/**
 * The site of a host name, asked of the database a few times a second at most, however many ask here. An answer was true
 * within the last tenth of a second; while the database is away, it is what was true last.
 */
export interface RecentAnswers<Answer> {
  /** Undefined: there is nothing of that name. Rejects when the database is away and nothing was found before. */
  find(name: string): Promise<Answer | undefined>
  /** Answers that are known without waiting. */
  known(name: string): Answer | undefined
}

/** From here on a new look is taken, while the old one still counts. */
const AHEAD_MS = 50
const FRESH_MS = 100
/** A look that takes longer is not waited for by those who can do without. */
const PATIENCE_MS = 500
/** Between looks at a database that is away. */
const AWAY_MS = 1000
/** Names that nobody has are not kept: any number of them puts no site out. */
const MOST_NAMES = 10_000
/** Longer names are nobody's. */
const MOST_NAME_CHARACTERS = 253

interface Found<Answer> {
  answer: Answer
  /** When the look began that has found it. */
  at: number
  /** When the last look began that has failed, or takes too long. */
  awayAt: number | null
}

export function createRecentAnswers<Answer>(
  ask: (name: string) => Promise<Answer | undefined>,
  now: () => number = () => performance.now(),
): RecentAnswers<Answer> {
  const kept = new LRUCache<string, Found<Answer>>({ max: MOST_NAMES })
  const looks = new Map<string, Promise<Answer | undefined>>()

  function look(name: string): Promise<Answer | undefined> {
    const running = looks.get(name)
    if (running !== undefined) return running
    const at = now()
    const patience = setTimeout(() => markAway(name, at), PATIENCE_MS)
    const answer = ask(name)
      .then(
        (found) => {
          if (found === undefined) kept.delete(name)
          else kept.set(name, { answer: found, at, awayAt: null })
          return found
        },
        (error) => {
          markAway(name, at)
          throw error
        },
      )
      .finally(() => {
        clearTimeout(patience)
        looks.delete(name)
      })
    looks.set(name, answer)
    return answer
  }

  function markAway(name: string, at: number): void {
    const found = kept.get(name)
    if (found !== undefined) found.awayAt = at
  }

  function current(name: string): Found<Answer> | undefined {
    const found = kept.get(name)
    if (found === undefined) return undefined
    const age = now() - found.at
    if (age < AHEAD_MS) return found
    const isAway = found.awayAt !== null
    if (found.awayAt === null || now() - found.awayAt >= AWAY_MS) look(name).catch(() => {})
    return isAway || age < FRESH_MS ? found : undefined
  }

  return {
    known: (name) => current(name)?.answer,
    async find(name) {
      if (name.length > MOST_NAME_CHARACTERS) return undefined
      const found = current(name)
      if (found !== undefined) return found.answer
      const last = kept.get(name)
      const answer = look(name)
      if (last === undefined) return answer
      const late = delay(PATIENCE_MS, last.answer, { ref: false })
      return Promise.race([answer.catch(() => last.answer), late])
    },
  }
}

export type Encoding = 'identity' | 'gzip' | 'br'

/** An answer that is in memory, without a stream. */
export type HotAnswer = SiteAnswer & { body: Uint8Array | null }

interface HotPage {
  headers: Record<string, string>
  /** Of a 304. */
  unchanged: Record<string, string>
  entry: ManifestFile
  encoding: Encoding
  /** For who counts pages; null for what is not counted. */
  path: string | null
}

export interface HotPages {
  /** Of a file that is read whole. Rejects with ObjectMissingError when it is lost or not whole. */
  read(file: ManifestFile, encoding: Encoding): Promise<Uint8Array>
  /** Keeps an answer to a stranger with its whole header, when it may be given to every stranger who asks the same. */
  keep(
    version: string,
    request: SiteRequest,
    given: { answer: SiteAnswer; entry: ManifestFile; path: string | null },
  ): void
  /** The answer to a stranger, and the page that it counts as. */
  find(version: string, request: SiteRequest): { answer: HotAnswer; path: string | null } | null
}

/** Bytes of files of all sites together. */
const BYTES_KEPT = 96 << 20
/** Beside its bytes. */
const ENTRY_BYTES = 300
/** Answers without their bytes. */
const ANSWER_BYTES_KEPT = 16 << 20
/** Beside its texts. */
const ANSWER_BYTES = 3000
const MOST_TARGET_CHARACTERS = 512
/** Longer headers are nobody's. */
const MOST_HEADER_CHARACTERS = 500

export function createHotPages(objects: Pick<ObjectStore, 'read'>): HotPages {
  const bodies = createAsyncCache<Uint8Array>({
    maxSize: BYTES_KEPT,
    sizeOf: (body) => body.byteLength + ENTRY_BYTES,
  })
  const pages = new LRUCache<string, HotPage>({
    maxSize: ANSWER_BYTES_KEPT,
    sizeCalculation: ({ headers }, key) => ANSWER_BYTES + 2 * key.length + (headers.link?.length ?? 0),
  })
  const bodyKey = ({ sha256 }: ManifestFile, encoding: Encoding) => `${sha256} ${encoding}`
  return {
    read: (file, encoding) =>
      bodies.get(bodyKey(file, encoding), async () => {
        const stored = await objects.read(blobKey(file.sha256))
        return alone(encoding === 'gzip' ? stored : await encode(await unpackMember(stored), encoding))
      }),
    keep(version, request, { answer: { status, headers, body }, entry, path }) {
      const { method, target } = request
      // Addresses with a query are without number.
      const isForMany = method === 'GET' && target.length <= MOST_TARGET_CHARACTERS && !target.includes('?')
      if (!isForMany || status !== 200 || !(body instanceof Uint8Array)) return
      const encoding = encodingFor(entry, takenEncoding(request.acceptEncoding))
      const unchanged = withoutContent(headers)
      pages.set(pageKey(version, request), { headers, unchanged, entry, encoding, path })
    },
    find(version, request) {
      const page = pages.get(pageKey(version, request))
      const body = page && bodies.kept(bodyKey(page.entry, page.encoding))
      if (body === undefined) return null
      const { headers, unchanged, entry, path } = page as HotPage
      if (namesTag(request.ifNoneMatch, etagOf(entry)))
        return { answer: { status: 304, headers: unchanged, body: null }, path }
      return { answer: { status: 200, headers, body: request.method === 'HEAD' ? null : body }, path }
    },
  }
}

function pageKey(version: string, { acceptEncoding, accept, target }: SiteRequest): string {
  const form = asksForText(accept) && wantsMarkdown(accept) ? 'markdown' : 'page'
  return `${version} ${takenEncoding(acceptEncoding)} ${form} ${target}`
}

/** Without it no other form than the usual one is meant. */
function asksForText(accept: string): boolean {
  return accept.includes('text/markdown') || accept.includes('text/plain') || /[A-Z]/.test(accept)
}

export function etagOf({ sha256 }: ManifestFile): string {
  return `"${sha256}"`
}

export function namesTag(header: string | null, etag: string): boolean {
  return header?.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag) === true
}

const OF_CONTENT = new Set(['content-type', 'content-encoding', 'content-length', 'accept-ranges'])

/** What a 304 says of what the reader has. */
function withoutContent(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !OF_CONTENT.has(name)))
}

/** A tenth smaller than gzip, for 2 ms of a thread once for a page; the highest takes fifty. */
const BROTLI_QUALITY = 5
const compress = promisify(brotliCompress)

async function encode(bytes: Uint8Array, encoding: 'identity' | 'br'): Promise<Uint8Array> {
  if (encoding === 'identity') return bytes
  const { BROTLI_PARAM_QUALITY: quality, BROTLI_PARAM_SIZE_HINT: size } = constants
  return compress(bytes, { params: { [quality]: BROTLI_QUALITY, [size]: bytes.byteLength } })
}

/** A view of a larger buffer would keep all of that one. */
function alone(bytes: Uint8Array): Uint8Array {
  return bytes.byteLength === bytes.buffer.byteLength ? bytes : new Uint8Array(bytes)
}

/** What the reader takes and the file is the smaller for. */
export function encodingFor({ contentType }: Pick<ManifestFile, 'contentType'>, taken: Encoding): Encoding {
  return isCompressedType(contentType) ? 'identity' : taken
}

/** The best encoding that an `Accept-Encoding` header takes. */
export function takenEncoding(header: string): Encoding {
  const known = encodings.get(header)
  if (known !== undefined) return known
  const taken = new Map<string, boolean>()
  for (const part of header.slice(0, MOST_HEADER_CHARACTERS).toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((one) => one.trim())
    taken.set(name, !parameters.some((one) => /^q=0(?:\.0*)?$/.test(one)))
  }
  const best = taken.get('br') ? 'br' : (taken.get('gzip') ?? taken.get('*')) ? 'gzip' : 'identity'
  encodings.set(header, best)
  return best
}

/** Browsers and programs send a few that are always the same. */
const encodings = new LRUCache<string, Encoding>({ max: 100 })
