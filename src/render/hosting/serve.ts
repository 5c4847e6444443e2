/**
 * `serve.mjs` in a bundle: serves its folder, with Node 20 or later and no dependencies. It serves only files listed
 * in `manifest.json`, so no path can leave the folder.
 */
import { createReadStream, readFileSync, type Stats } from 'node:fs'
import { stat } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { pipeline } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { wantsMarkdown } from '../../base/net/wants-markdown.ts'
import { contentTypeOf } from '../versions/content-types.ts'

interface Redirect {
  source: string[]
  destination: string
  status: number
}

interface Place {
  status: 200 | 404
  path: string
}

const HELP = `node serve.mjs [--port 8080] [--host 127.0.0.1] [--base /docs]
Serves this folder at http://<host>:<port><base>/. --host 0.0.0.0 lets other machines in.
`
const HASHED = /^_octavo\/.*\.[0-9a-f]{8,}\.\w+$/
/** Longer URLs are not found. */
const MOST_CHARACTERS = 4096
/** Requests must arrive completely within 8 seconds, as a protection against slow clients. */
const ARRIVAL = { headersTimeout: 8000, requestTimeout: 8000, connectionsCheckingInterval: 1000 }
/** Longer than the idle timeouts of proxies and clients: if the server closed first, it could lose a request. */
const KEEP_ALIVE_MS = 72_000
/** Below the limit of open files per process, with one for each response. */
const MOST_CONNECTIONS = 4000
/** Idle connections are closed after this time. */
const SILENCE_MS = 60_000

const folder = fileURLToPath(new URL('.', import.meta.url))
const options = readOptions()
const files = readFiles()
const redirects = readRedirects()

const server = createServer({ ...ARRIVAL, keepAliveTimeout: KEEP_ALIVE_MS }, (request, response) => {
  answer(request, response).catch(() => fail(response))
})
server.maxConnections = MOST_CONNECTIONS
server.setTimeout(SILENCE_MS)
server.on('error', (error: NodeJS.ErrnoException) => {
  const { host, port } = options
  const taken = error.code === 'EADDRINUSE' ? `The port ${port} is taken: name another one with --port.` : ''
  stop(taken || `Listening at ${host}:${port} failed (${error.code ?? error.message}).`)
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

/** Removes trailing slashes. */
function withoutSlashes(path: string): string {
  let end = path.length
  while (path[end - 1] === '/') end--
  return path.slice(0, end)
}

function stop(message: string): never {
  process.stderr.write(`${message.trim()}\n`)
  process.exit(1)
}

/** Returns the manifest's files with their hashes, by path. */
function readFiles(): Map<string, { sha256: string; sizeBytes: number }> {
  try {
    const manifest = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'))
    return new Map(Object.entries(manifest.files))
  } catch {
    return stop(
      'manifest.json cannot be read: unpack the whole bundle, and run serve.mjs where it lies in it.',
    )
  }
}

/** Parses lines of `_redirects`: source, destination, status. */
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
  const path = pathOf(address)
  if (path === '') return move(response, `${options.base}/${query}`, 308)
  if (path === null) return send(request, response, { status: 404, path: '404.html' })
  const found = placeOf(path)
  if (typeof found === 'string') return move(response, options.base + found + query, 308)
  const redirect = found === null ? redirectOf(path) : null
  if (redirect !== null) return move(response, redirect.location + query, redirect.status)
  if (found === null) return send(request, response, { status: 404, path: '404.html' })
  return send(request, response, inFormOf(request, response, found))
}

/** Returns the Markdown twin of a page for agents that request it. */
function inFormOf({ headers }: IncomingMessage, response: ServerResponse, place: Place): Place {
  if (!place.path.endsWith('.html')) return place
  response.setHeader('Vary', 'Accept')
  const path = place.path.replace(/html$/, 'md')
  return files.has(path) && wantsMarkdown(headers.accept ?? '') ? { status: 200, path } : place
}

/**
 * Returns the decoded path below the base; null if it is not valid or not below it, empty for the base without slash.
 */
function pathOf(address: string): string | null {
  if (address.length > MOST_CHARACTERS) return null
  let path: string
  try {
    path = decodeURIComponent(address)
  } catch {
    return null
  }
  if (path === options.base || (options.base !== '' && path === '/')) return ''
  return path.startsWith(`${options.base}/`) ? path.slice(options.base.length) : null
}

/** Returns a file, or the path to redirect to so that relative links work. */
function placeOf(path: string): Place | string | null {
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

function redirectOf(path: string): { location: string; status: number } | null {
  const given = encodeURI(path.length > 1 ? withoutSlashes(path) : path).split('/')
  for (const { source, destination, status } of redirects) {
    const parts = partsOf(source, given)
    if (parts === null) continue
    let location = destination
    for (const [name, value] of parts) location = location.replaceAll(`:${name}`, () => value)
    return { location: location.startsWith('/') ? options.base + location : location, status }
  }
  return null
}

/** Returns the parameters of a source with their values, longest name first; null if the path does not match. */
function partsOf(source: readonly string[], given: readonly string[]): [string, string][] | null {
  const parts: [string, string][] = []
  for (const [index, segment] of source.entries()) {
    const value = given[index]
    if (segment === '*') return [...parts, ['splat', given.slice(index).join('/')]]
    if (value === undefined) return null
    if (segment.startsWith(':')) parts.push([segment.slice(1), value])
    else if (segment.endsWith('*') && value.startsWith(segment.slice(0, -1)))
      return [...parts, ['splat', [value.slice(segment.length - 1), ...given.slice(index + 1)].join('/')]]
    else if (segment !== value) return null
  }
  if (given.length !== source.length) return null
  return parts.sort(([a], [b]) => b.length - a.length)
}

/** Prevents `//host`, which would leave the site. */
function move(response: ServerResponse, location: string, status: number): void {
  const safe = location
    .replace(/^[/\\]{2,}/, '/')
    .replace(/[^\x21-\x7e]/g, (character) => encodeURI(character))
  response.writeHead(status, { Location: safe, 'Cache-Control': 'no-cache' }).end()
}

async function send(request: IncomingMessage, response: ServerResponse, place: Place): Promise<void> {
  const about = await stat(join(folder, place.path)).catch(() => null)
  if (about === null) {
    response.writeHead(404, { 'Content-Type': 'text/plain; charset=utf-8' }).end('Page not found\n')
    return
  }
  const { status, headers, range } = planOf(request, place, about)
  response.writeHead(status, headers)
  if (range === null || request.method === 'HEAD') {
    response.end()
    return
  }
  pipeline(createReadStream(join(folder, place.path), range), response, () => {})
}

interface Plan {
  status: number
  headers: Record<string, string | number>
  /** Bytes to send; null for the whole file. */
  range: { start?: number; end?: number } | null
}

function planOf({ headers: asked, method }: IncomingMessage, { status, path }: Place, about: Stats): Plan {
  const etag = etagOf(path, about)
  const headers: Plan['headers'] = {
    ETag: etag,
    'Cache-Control': HASHED.test(path) ? 'public, max-age=31536000, immutable' : 'no-cache',
    'Content-Type': contentTypeOf(path),
    'Accept-Ranges': 'bytes',
  }
  const known = asked['if-none-match']?.split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  if (status === 200 && known?.some((tag) => tag === etag || tag === '*'))
    return { status: 304, headers, range: null }
  const isWhole = method === 'HEAD' || status !== 200 || (asked['if-range'] ?? etag) !== etag
  const range = isWhole ? null : rangeOf(asked.range, about.size)
  if (range === 'unsatisfiable')
    return { status: 416, headers: { 'Content-Range': `bytes */${about.size}` }, range: null }
  headers['Content-Length'] = range === null ? about.size : range.end - range.start + 1
  if (range === null) return { status, headers, range: about.size === 0 ? null : {} }
  headers['Content-Range'] = `bytes ${range.start}-${range.end}/${about.size}`
  return { status: 206, headers, range }
}

/** Returns the manifest's hash, unless the file has changed since. */
function etagOf(path: string, { size, mtimeMs }: Stats): string {
  const listed = files.get(path)
  return listed?.sizeBytes === size ? `"${listed.sha256}"` : `"${size}-${Math.round(mtimeMs)}"`
}

/** Parses a single range; null if there is none or it is not supported. */
function rangeOf(
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
