/**
 * Source of `serve.mjs` in a bundle. Serves its folder with Node 20 or later, without dependencies. Only
 * files listed in `manifest.json` are served, so that no path can lead out of the folder.
 */
import { createReadStream, readFileSync, type Stats } from 'node:fs'
import { stat } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { pipeline } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { wantsMarkdown } from '../../base/net/prefers-markdown.ts'
import { getContentType } from '../versions/content-types.ts'

interface Redirect {
  source: string[]
  destination: string
  status: number
}

interface ServedFile {
  status: 200 | 404
  path: string
}

const HELP = `node serve.mjs [--port 8080] [--host 127.0.0.1] [--base /docs]
Serves this folder at http://<host>:<port><base>/. Use --host 0.0.0.0 to accept connections from other machines.
`
const HASHED_FILE = /^_octavo\/.*\.[0-9a-f]{8,}\.\w+$/
const MAX_URL_CHARACTERS = 4096
/** Time limit of 8 seconds for a request to arrive completely, as a protection against slow clients. */
const REQUEST_TIMEOUTS = { headersTimeout: 8000, requestTimeout: 8000, connectionsCheckingInterval: 1000 }
/**
 * Longer than the idle timeouts of proxies and clients, because closing a connection first could lose a
 * request.
 */
const KEEP_ALIVE_MS = 72_000
/** Below the limit of open files, since each response opens one. */
const MAX_CONNECTIONS = 4000
const IDLE_TIMEOUT_MS = 60_000

const folder = fileURLToPath(new URL('.', import.meta.url))
const options = readOptions()
const files = readFiles()
const redirects = readRedirects()

const server = createServer({ ...REQUEST_TIMEOUTS, keepAliveTimeout: KEEP_ALIVE_MS }, (request, response) => {
  answer(request, response).catch(() => fail(response))
})
server.maxConnections = MAX_CONNECTIONS
server.setTimeout(IDLE_TIMEOUT_MS)
server.on('error', (error: NodeJS.ErrnoException) => {
  const { host, port } = options
  const portHint =
    error.code === 'EADDRINUSE' ? `Port ${port} is already in use. Choose another one with --port.` : ''
  stop(portHint || `Cannot listen at ${host}:${port} (${error.code ?? error.message}).`)
})
server.listen(options.port, options.host, () => {
  const { port } = server.address() as AddressInfo
  const host = options.host.includes(':') ? `[${options.host}]` : options.host
  process.stdout.write(`Serving ${files.size} files at http://${host}:${port}${options.base}/\n`)
})
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    server.close()
    server.closeAllConnections()
  })

function readOptions(): { port: number; host: string; base: string } {
  let values: Record<string, string | boolean | undefined>
  try {
    const text = { type: 'string' } as const
    const flags = { port: text, host: text, base: text, help: { type: 'boolean' } } as const
    values = parseArgs({ options: flags }).values
  } catch (error) {
    return stop(`${(error as Error).message}\n${HELP}`)
  }
  if (values.help === true) {
    process.stdout.write(HELP)
    process.exit(0)
  }
  const port = String(values.port ?? '8080')
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) return stop('--port must be a number up to 65535.')
  const base = withoutSlashes(String(values.base ?? ''))
  if (base !== '' && !/^(?:\/[\w.~-]+)+$/.test(base)) return stop('--base must be a path such as /docs.')
  return { port: Number(port), host: String(values.host ?? '127.0.0.1'), base }
}

function withoutSlashes(path: string): string {
  let end = path.length
  while (path[end - 1] === '/') end--
  return path.slice(0, end)
}

function stop(message: string): never {
  process.stderr.write(`${message.trim()}\n`)
  process.exit(1)
}

function readFiles(): Map<string, { sha256: string; sizeBytes: number }> {
  try {
    const manifest = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'))
    return new Map(Object.entries(manifest.files))
  } catch {
    return stop('Cannot read manifest.json. Unpack the whole bundle, and run serve.mjs in its folder.')
  }
}

/** Parses `_redirects`, with source, destination and status on each line. */
function readRedirects(): Redirect[] {
  if (!files.has('_redirects')) return []
  return readFileSync(join(folder, '_redirects'), 'utf8')
    .split('\n')
    .map((line) => line.split(' '))
    .flatMap(([source, destination, status]) =>
      source && destination
        ? [{ source: source.split('/'), destination, status: Number(status) || 307 }]
        : [],
    )
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  response.setHeader('X-Content-Type-Options', 'nosniff')
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.writeHead(405, { Allow: 'GET, HEAD' }).end()
    return
  }
  const [address = '/', ...rest] = (request.url ?? '/').split('?')
  const query = rest.length === 0 ? '' : `?${rest.join('?')}`
  const path = decodePath(address)
  if (path === '') return sendRedirect(response, `${options.base}/${query}`, 308)
  if (path === null) return send(request, response, { status: 404, path: '404.html' })
  const found = findFile(path)
  if (typeof found === 'string') return sendRedirect(response, options.base + found + query, 308)
  const redirect = found === null ? findRedirect(path) : null
  if (redirect !== null) return sendRedirect(response, redirect.location + query, redirect.status)
  if (found === null) return send(request, response, { status: 404, path: '404.html' })
  return send(request, response, negotiateFormat(request, response, found))
}

/** Returns the Markdown version of a page if the client prefers it. */
function negotiateFormat(
  { headers }: IncomingMessage,
  response: ServerResponse,
  servedFile: ServedFile,
): ServedFile {
  if (!servedFile.path.endsWith('.html')) return servedFile
  response.setHeader('Vary', 'Accept')
  const path = servedFile.path.replace(/html$/, 'md')
  return files.has(path) && wantsMarkdown(headers.accept ?? '') ? { status: 200, path } : servedFile
}

/**
 * Returns the decoded path below the base, or an empty string for the base without its slash. Returns null if
 * the path is invalid or outside of the base.
 */
function decodePath(address: string): string | null {
  if (address.length > MAX_URL_CHARACTERS) return null
  let path: string
  try {
    path = decodeURIComponent(address)
  } catch {
    return null
  }
  if (path === options.base || (options.base !== '' && path === '/')) return ''
  return path.startsWith(`${options.base}/`) ? path.slice(options.base.length) : null
}

/** Returns a file, or a path to redirect to if relative links would not work at this path. Null if not found. */
function findFile(path: string): ServedFile | string | null {
  const bare = path.slice(1)
  if (bare === '' || bare.endsWith('/')) {
    if (files.has(`${bare}index.html`)) return { status: 200, path: `${bare}index.html` }
    const page = withoutSlashes(bare)
    return page !== '' && files.has(`${page}.html`) ? encodeURI(`/${page}`) : null
  }
  for (const candidate of [bare, `${bare}.html`])
    if (files.has(candidate)) return { status: 200, path: candidate }
  if (bare === 'manifest.json' || bare === 'manifest.json.sig') return { status: 200, path: bare }
  return files.has(`${bare}/index.html`) ? encodeURI(`/${bare}/`) : null
}

function findRedirect(path: string): { location: string; status: number } | null {
  const pathSegments = encodeURI(path.length > 1 ? withoutSlashes(path) : path).split('/')
  for (const { source, destination, status } of redirects) {
    const parts = matchSegments(source, pathSegments)
    if (parts === null) continue
    let location = destination
    for (const [name, value] of parts) location = location.replaceAll(`:${name}`, () => value)
    return { location: location.startsWith('/') ? options.base + location : location, status }
  }
  return null
}

/** Returns parameters with their values, longest name first; null if the path does not match. */
function matchSegments(
  source: readonly string[],
  pathSegments: readonly string[],
): [string, string][] | null {
  const parts: [string, string][] = []
  for (const [index, segment] of source.entries()) {
    const value = pathSegments[index]
    if (segment === '*') return [...parts, ['splat', pathSegments.slice(index).join('/')]]
    if (value === undefined) return null
    if (segment.startsWith(':')) parts.push([segment.slice(1), value])
    else if (segment.endsWith('*') && value.startsWith(segment.slice(0, -1)))
      return [
        ...parts,
        ['splat', [value.slice(segment.length - 1), ...pathSegments.slice(index + 1)].join('/')],
      ]
    else if (segment !== value) return null
  }
  if (pathSegments.length !== source.length) return null
  return parts.sort(([a], [b]) => b.length - a.length)
}

/** Sends a redirect. Reduces `//` at the start of the location to `/`, because `//host` would lead to another site. */
function sendRedirect(response: ServerResponse, location: string, status: number): void {
  const safe = location
    .replace(/^[/\\]{2,}/, '/')
    .replace(/[^\x21-\x7e]/g, (character) => encodeURI(character))
  response.writeHead(status, { Location: safe, 'Cache-Control': 'no-cache' }).end()
}

async function send(
  request: IncomingMessage,
  response: ServerResponse,
  servedFile: ServedFile,
): Promise<void> {
  const fileStats = await stat(join(folder, servedFile.path)).catch(() => null)
  if (fileStats === null) {
    response.writeHead(404, { 'Content-Type': 'text/plain; charset=utf-8' }).end('Page not found\n')
    return
  }
  const { status, headers, range } = planResponse(request, servedFile, fileStats)
  response.writeHead(status, headers)
  if (range === null || request.method === 'HEAD') {
    response.end()
    return
  }
  pipeline(createReadStream(join(folder, servedFile.path), range), response, () => {})
}

interface ResponsePlan {
  status: number
  headers: Record<string, string | number>
  /** Range of bytes to send, `{}` for the whole file, null for none. */
  range: { start?: number; end?: number } | null
}

function planResponse(
  { headers: requestHeaders, method }: IncomingMessage,
  { status, path }: ServedFile,
  fileStats: Stats,
): ResponsePlan {
  const etag = computeEtag(path, fileStats)
  const headers: ResponsePlan['headers'] = {
    ETag: etag,
    'Cache-Control': HASHED_FILE.test(path) ? 'public, max-age=31536000, immutable' : 'no-cache',
    'Content-Type': getContentType(path),
    'Accept-Ranges': 'bytes',
  }
  const knownTags = requestHeaders['if-none-match']?.split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  if (status === 200 && knownTags?.some((tag) => tag === etag || tag === '*'))
    return { status: 304, headers, range: null }
  const isWhole = method === 'HEAD' || status !== 200 || (requestHeaders['if-range'] ?? etag) !== etag
  const range = isWhole ? null : parseRange(requestHeaders.range, fileStats.size)
  if (range === 'unsatisfiable')
    return { status: 416, headers: { 'Content-Range': `bytes */${fileStats.size}` }, range: null }
  headers['Content-Length'] = range === null ? fileStats.size : range.end - range.start + 1
  if (range === null) return { status, headers, range: fileStats.size === 0 ? null : {} }
  headers['Content-Range'] = `bytes ${range.start}-${range.end}/${fileStats.size}`
  return { status: 206, headers, range }
}

/** Returns the hash in the manifest, unless the size of the file has changed. */
function computeEtag(path: string, { size, mtimeMs }: Stats): string {
  const listed = files.get(path)
  return listed?.sizeBytes === size ? `"${listed.sha256}"` : `"${size}-${Math.round(mtimeMs)}"`
}

/** Returns null if there is no range or it is not supported. */
function parseRange(
  header: string | undefined,
  size: number,
): { start: number; end: number } | 'unsatisfiable' | null {
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '') ?? []
  if (first === '' && last === '') return null
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first)
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1)
  if (first !== '' && last !== '' && Number(last) < start) return null
  return start < size && start <= end ? { start, end } : 'unsatisfiable'
}

function fail(response: ServerResponse): void {
  if (response.headersSent) response.destroy()
  else response.writeHead(500).end()
}
