/**
 * Files of the dashboard: one HTML shell for all pages, and assets named by their hash. All files, including
 * the compressed variants from the build, are read once.
 */
import { readdir, readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../base/errors/errors.ts'
import { sha256 } from '../../base/hash.ts'
import { setOrigin } from '../../routing/set-origin.ts'
import { OPEN_SITE_PATH } from '../hosting/operations/site-access.ts'

export interface AppFilesDeps {
  /** Resolves with the folder of the built files, which may take long; null if this server has no dashboard. */
  dashboardFolder: (() => Promise<string>) | null
}

interface AppFile {
  contentType: string
  plain: Buffer
  br: Buffer | null
  gzip: Buffer | null
}

const SHELL = 'index.html'

/** Paths of pages; the client routes all paths below `/o/` and `/p/`. */
const PAGES = [
  '/',
  '/sign-in',
  '/setup',
  '/invitation',
  '/reset-password',
  '/forgotten-password',
  OPEN_SITE_PATH,
  '/account',
  '/reviews/:jobId',
  '/o/*',
  '/p/*',
]

const FILES = '/_dashboard/'

const CONTENT_TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
  '.json': 'application/json; charset=utf-8',
}

export function addAppFiles(app: FastifyInstance, { dashboardFolder }: AppFilesDeps): void {
  if (dashboardFolder === null) return
  const files = createFileReader(dashboardFolder)
  for (const url of PAGES) {
    app.route({
      method: ['GET', 'HEAD'],
      url,
      handler: async (request, reply) => sendShell(await files(), request, reply),
    })
  }
  app.route({
    method: ['GET', 'HEAD'],
    url: `${FILES}:name`,
    handler: async (request, reply) => sendFile(await files(), request, reply),
  })
}

function sendShell(
  files: ReadonlyMap<string, AppFile>,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const shell = files.get(SHELL)
  if (shell === undefined) throw new AppError('dashboard_unavailable')
  const etag = `W/"${sha256(shell.plain).slice(0, 32)}"`
  setOrigin(reply, 'dashboard')
  reply.headers({ 'Cache-Control': 'no-cache', ETag: etag })
  if (request.headers['if-none-match'] === etag) return reply.code(304).send()
  return send(shell, request, reply)
}

function sendFile(
  files: ReadonlyMap<string, AppFile>,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const { name } = request.params as { name: string }
  const file = name === SHELL ? undefined : files.get(name)
  if (file === undefined) throw new AppError('not_found')
  reply.header('Cache-Control', 'public, max-age=31536000, immutable')
  return send(file, request, reply)
}

function send(file: AppFile, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const accepted = String(request.headers['accept-encoding'] ?? '')
  const encoding =
    file.br !== null && acceptsEncoding(accepted, 'br')
      ? 'br'
      : acceptsEncoding(accepted, 'gzip')
        ? 'gzip'
        : null
  const packed = encoding === null ? null : file[encoding]
  if (packed !== null) reply.header('Content-Encoding', encoding)
  const body = packed ?? file.plain
  reply.headers({
    'Content-Type': file.contentType,
    'Content-Length': body.byteLength,
    Vary: 'Accept-Encoding',
  })
  return request.method === 'HEAD' ? reply.send() : reply.send(body)
}

function acceptsEncoding(accepted: string, encoding: string): boolean {
  return accepted.split(',').some((part) => {
    const [name, quality] = part.trim().split(/(?<!\s)\s*;\s*/)
    return name === encoding && quality !== 'q=0'
  })
}

/** Reads the files only once; after a failure, the next request tries again. */
function createFileReader(
  folder: NonNullable<AppFilesDeps['dashboardFolder']>,
): () => Promise<ReadonlyMap<string, AppFile>> {
  let reading: Promise<ReadonlyMap<string, AppFile>> | null = null
  return () => {
    reading ??= folder()
      .then(readFiles)
      .catch((cause) => {
        reading = null
        throw new AppError('dashboard_unavailable', { cause })
      })
    return reading
  }
}

async function readFiles(folder: string): Promise<ReadonlyMap<string, AppFile>> {
  const names = await readdir(folder)
  const present = new Set(names)
  const served = names.filter((name) => CONTENT_TYPES[extname(name)] !== undefined)
  const packed = (name: string) => (present.has(name) ? readFile(join(folder, name)) : null)
  const files = await Promise.all(
    served.map(async (name): Promise<[string, AppFile]> => {
      const [plain, br, gzip] = await Promise.all([
        readFile(join(folder, name)),
        packed(`${name}.br`),
        packed(`${name}.gz`),
      ])
      return [name, { contentType: CONTENT_TYPES[extname(name)] as string, plain, br, gzip }]
    }),
  )
  return new Map(files)
}
