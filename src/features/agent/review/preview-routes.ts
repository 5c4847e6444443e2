/**
 * Routes of images and rendered pages in a review. Their URLs contain a token that grants access to nothing else. Pages
 * are served from a separate origin, because a script in a page can read its URL and must not gain further access with
 * it.
 */
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { createAsyncCache } from '../../../base/async-cache.ts'
import { AppError } from '../../../base/errors/errors.ts'
import { ObjectMissingError, type ObjectStore } from '../../../objects/object-store.ts'
import {
  blobKey,
  estimateManifestBytes,
  MAX_CACHED_MANIFEST_BYTES,
  type SiteManifest,
} from '../../../render/versions/manifest.ts'
import { setOrigin } from '../../../routing/set-origin.ts'
import { openReviewImage, type ReviewDeps } from './review.ts'
import { type PreviewManifests, type PreviewSide, readManifests } from './review-previews.ts'
import { isLinkToken } from './review-token.ts'

export function addReviewRoutes(app: FastifyInstance, deps: ReviewDeps): void {
  const get = (
    url: string,
    handler: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>,
  ) => app.route({ method: ['GET', 'HEAD'], url, handler })
  get('/reviews/:jobId/:token', redirectOldLink)
  const openCached = cacheManifests((jobId) => openManifests(deps, jobId))
  for (const side of ['before', 'after'] as const) {
    get(`/reviews/:jobId/:token/${side}/*`, (request, reply) =>
      sendPreview(deps, openCached, side, request, reply),
    )
    get(`/reviews/:jobId/:token/pictures/${side}/*`, (request, reply) =>
      sendImage(deps, side, request, reply),
    )
  }
}

/** Pull requests of older jobs link to their review with the token in the path. */
async function redirectOldLink(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { jobId, token } = request.params as { jobId: string; token: string }
  reply.header('Cache-Control', 'no-store')
  return reply.redirect(`/reviews/${encodeURIComponent(jobId)}#token=${encodeURIComponent(token)}`, 302)
}

async function openManifests(deps: ReviewDeps, jobId: string): Promise<PreviewManifests | null> {
  const job = await deps.database.queries
    .selectFrom('agent_jobs')
    .select(['before_manifest', 'after_manifest'])
    .where('id', '=', jobId)
    .executeTakeFirst()
  return job === undefined ? null : await readManifests(deps.objects, job)
}

async function sendPreview(
  deps: ReviewDeps,
  open: (jobId: string) => Promise<PreviewManifests | null>,
  side: PreviewSide,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { jobId, token, '*': path } = request.params as { jobId: string; token: string; '*': string }
  await requirePreviewToken(deps, jobId, token)
  const manifest = (await open(jobId))?.[side] ?? null
  if (manifest === null) throw new AppError('not_found')
  return sendPreviewFile(deps.objects, manifest, path, request, reply)
}

async function sendImage(
  deps: ReviewDeps,
  side: PreviewSide,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { jobId, token, '*': path } = request.params as { jobId: string; token: string; '*': string }
  await requirePreviewToken(deps, jobId, token)
  const picture = await openReviewImage(deps, deps.database.queries, jobId, { side, path })
  if (picture === null) throw new AppError('not_found')
  setOrigin(reply, 'reviewPicture')
  reply.headers({ 'Content-Type': picture.contentType, 'Cache-Control': 'private, no-cache' })
  return reply.send(Buffer.from(picture.bytes))
}

async function requirePreviewToken(deps: ReviewDeps, jobId: string, token: string): Promise<void> {
  const job = await deps.database.queries
    .selectFrom('agent_jobs')
    .select(['id', 'link_salt'])
    .where('id', '=', jobId)
    .executeTakeFirst()
  if (job === undefined || !isLinkToken(deps.secret, 'review preview', job, token))
    throw new AppError('not_found')
}

/** Serves a file as readers would get it. `path` must be decoded already. Throws AppError `not_found`, `review_file_gone`. */
async function sendPreviewFile(
  objects: ObjectStore,
  manifest: SiteManifest,
  path: string,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const name = path === '' || path.endsWith('/') ? `${path}index.html` : path
  const isFound = Object.hasOwn(manifest.files, name)
  const file = isFound ? manifest.files[name] : manifest.files['404.html']
  if (file === undefined) throw new AppError('not_found')
  const etag = `"${file.sha256}"`
  setOrigin(reply, 'reviewPreview')
  reply.headers({ 'Cache-Control': 'private, no-cache', Vary: 'Accept-Encoding', ETag: etag })
  reply.code(isFound ? 200 : 404)
  if (isFound && request.headers['if-none-match'] === etag) return reply.code(304).send()
  reply.header('Content-Type', file.contentType)
  const isPacked = /\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''))
  if (isPacked) reply.header('Content-Encoding', 'gzip')
  if (request.method === 'HEAD') return reply.send()
  const stored = await objects.get(blobKey(file.sha256)).catch((error: unknown) => {
    throw error instanceof ObjectMissingError ? new AppError('review_file_gone') : error
  })
  return reply.send(isPacked ? stored : pipeline(stored, createGunzip(), () => undefined))
}

/** Cache lifetime of opened manifests: a page requests twenty files at once. */
const CACHE_MS = 5000
const MAX_CACHED_MANIFESTS = 20

interface CachedManifests {
  until: number
  manifests: PreviewManifests | null
}

function cacheManifests(open: (jobId: string) => Promise<PreviewManifests | null>) {
  const cached = createAsyncCache<CachedManifests>({
    maxSize: MAX_CACHED_MANIFEST_BYTES,
    sizeOf: cachedBytes,
  })
  const make = async (jobId: string): Promise<CachedManifests> => ({
    until: performance.now() + CACHE_MS,
    manifests: await open(jobId),
  })
  return async (jobId: string): Promise<PreviewManifests | null> => {
    const known = await cached.get(jobId, () => make(jobId))
    if (performance.now() < known.until) return known.manifests
    cached.delete(jobId)
    return (await cached.get(jobId, () => make(jobId))).manifests
  }
}

function cachedBytes({ manifests }: CachedManifests): number {
  const present = Object.values(manifests ?? {}).filter((one) => one !== null)
  const bytes = present.reduce((sum, manifest) => sum + estimateManifestBytes(manifest), 0)
  return Math.max(bytes, MAX_CACHED_MANIFEST_BYTES / MAX_CACHED_MANIFESTS)
}
