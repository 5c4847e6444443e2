/**
 * Creates the response to a GET or HEAD request for a stored object, independent of the HTTP server. Supports single
 * byte ranges (resumable downloads), validators and download names. The headers allow browsers only to save the
 * content.
 */
import type { Readable } from 'node:stream'
import { originHeaders } from '../base/api/origins.ts'
import { ObjectMissingError, type ObjectStore } from './object-store.ts'

export interface ObjectRequest {
  key: string
  /** Name of the download. */
  filename: string
  method: 'GET' | 'HEAD'
  /** Names in lower case, as in node:http. */
  headers: Record<string, string | string[] | undefined>
}

export interface ObjectResponse {
  /** 404, 412 and 416 have no body, so that the server can use its error format. */
  status: 200 | 206 | 304 | 404 | 412 | 416
  headers: Record<string, string>
  /** Must be sent or destroyed. Null for HEAD and for statuses without a body. */
  body: Readable | null
}

export async function serveObject(store: ObjectStore, request: ObjectRequest): Promise<ObjectResponse> {
  const object = await store.head(request.key)
  if (object === null) return { status: 404, headers: {}, body: null }
  const { etag, sizeBytes } = object
  const ifMatch = single(request.headers['if-match'])
  if (ifMatch !== undefined && !headerMatchesEtag(ifMatch, etag))
    return { status: 412, headers: {}, body: null }
  const ifNoneMatch = single(request.headers['if-none-match'])
  if (ifNoneMatch !== undefined && headerMatchesEtag(ifNoneMatch, etag)) {
    return { status: 304, headers: { ETag: etag, 'Cache-Control': CACHE_CONTROL }, body: null }
  }

  const headers: Record<string, string> = {
    'Content-Type': object.contentType,
    'Content-Length': String(sizeBytes),
    'Content-Disposition': contentDisposition(request.filename),
    ETag: etag,
    'Accept-Ranges': 'bytes',
    'Cache-Control': CACHE_CONTROL,
    ...originHeaders('object'),
  }
  // Ranges apply to GET only. The whole object is sent if the `If-Range` condition is not met.
  const ifRange = single(request.headers['if-range'])
  const isRangeWanted = request.method === 'GET' && (ifRange === undefined || ifRange === etag)
  const range = isRangeWanted ? parseRange(single(request.headers.range), sizeBytes) : null
  if (range === 'unsatisfiable') {
    return {
      status: 416,
      headers: { 'Content-Range': `bytes */${sizeBytes}`, 'Accept-Ranges': 'bytes' },
      body: null,
    }
  }
  if (range !== null) {
    headers['Content-Range'] = `bytes ${range.start}-${range.end}/${sizeBytes}`
    headers['Content-Length'] = String(range.end - range.start + 1)
  }
  if (request.method === 'HEAD') return { status: 200, headers, body: null }

  try {
    const body = await store.get(request.key, range ?? undefined)
    return { status: range === null ? 200 : 206, headers, body }
  } catch (error) {
    if (error instanceof ObjectMissingError) return { status: 404, headers: {}, body: null }
    throw error
  }
}

// `private` because links are personal; `no-transform` because compression by a proxy would break ranges.
const CACHE_CONTROL = 'private, no-transform'

/**
 * Parses a `Range` header to inclusive offsets. Returns null if the whole object must be sent, because there is
 * no header, or because it has an unknown unit, invalid syntax or several ranges.
 */
export function parseRange(
  header: string | undefined,
  sizeBytes: number,
): { start: number; end: number } | 'unsatisfiable' | null {
  const match = /^bytes=[ \t]*(\d{0,15})-(\d{0,15})[ \t]*$/i.exec(header ?? '')
  if (match === null) return null
  const [, first, last] = match as unknown as [string, string, string]
  if (first === '' && last === '') return null
  if (first === '') {
    const length = Number(last)
    if (length === 0 || sizeBytes === 0) return 'unsatisfiable'
    return { start: Math.max(0, sizeBytes - length), end: sizeBytes - 1 }
  }
  const start = Number(first)
  const end = last === '' ? sizeBytes - 1 : Number(last)
  if (last !== '' && end < start) return null
  if (start >= sizeBytes) return 'unsatisfiable'
  return { start, end: Math.min(end, sizeBytes - 1) }
}

/**
 * Formats the header (RFC 6266) with an ASCII name for old clients and a UTF-8 name. Removes folders and
 * control characters.
 */
export function contentDisposition(filename: string): string {
  const name = filename.replace(/^.*[/\\]/s, '').replace(/[\x00-\x1f\x7f]/g, '')
  const safe = name.toWellFormed().slice(0, 200) || 'download'
  const plain = safe.replace(/[^\x20-\x7e]|["\\%]/g, '_')
  if (plain === safe) return `attachment; filename="${plain}"`
  const encoded = encodeURIComponent(safe.toWellFormed()).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`
}

// Weak comparison, because a proxy may have weakened our strong validators.
function headerMatchesEtag(header: string, etag: string): boolean {
  return header.split(',').some((part) => ['*', etag, `W/${etag}`].includes(part.trim()))
}

function single(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header.join(', ') : header
}
