/**
 * Routes of the review page. The link gives read access only: a decision needs a key, which the page sends to the
 * API. Pages of the site are served from separate URLs, with a token that opens nothing else and in an origin of
 * their own, because a script in them can read its URL and must not gain more access by it.
 */
import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { createAsyncCache } from '../../../base/async-cache.ts'
import { AppError } from '../../../base/errors/errors.ts'
import { loadReviewFiles, type ReviewFiles } from '../../../render/outputs/review-files.ts'
import { estimateManifestBytes, MAX_CACHED_MANIFEST_BYTES } from '../../../render/versions/manifest.ts'
import { setOrigin } from '../../../routing/set-origin.ts'
import {
  buildOpenReview,
  type OpenReview,
  openReview,
  openReviewPicture,
  type ReviewDeps,
} from '../review/review.ts'
import { type PreviewSide, previewToken } from '../review/review-previews.ts'
import { sendPreviewFile } from './preview-file.ts'
import { missingReviewPage, type PageFrame, reviewPage } from './review-page.ts'

export interface ReviewRouteDeps extends ReviewDeps {
  publicUrl: () => string
}

const FILES_PATH = '/_octavo/review/'

export function addReviewRoutes(app: FastifyInstance, deps: ReviewRouteDeps): void {
  const get = (
    url: string,
    handler: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>,
  ) => app.route({ method: ['GET', 'HEAD'], url, handler })
  const openCached = cacheReviews((jobId) => openPreviewed(deps, jobId))
  get('/reviews/:jobId/:token', (request, reply) => sendPage(deps, request, reply))
  for (const side of ['before', 'after'] as const) {
    get(`/reviews/:jobId/:token/${side}/*`, (request, reply) =>
      sendPreview(deps, openCached, side, request, reply),
    )
    get(`/reviews/:jobId/:token/pictures/${side}/*`, (request, reply) =>
      sendPicture(deps, side, request, reply),
    )
  }
  get(`${FILES_PATH}*`, sendReviewFile)
}

async function sendPage(
  deps: ReviewRouteDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { jobId, token } = request.params as { jobId: string; token: string }
  const frame = toPageFrame(await loadReviewFiles())
  const opened = await openReview(deps, deps.database.queries, jobId, token)
  const word = `'nonce-${frame.nonce}'`
  setOrigin(reply, 'reviewPage', { script: word, style: word })
  reply.headers({ 'Content-Type': 'text/html; charset=utf-8', 'Cache-Control': 'private, no-store' })
  if (opened === null) return reply.code(404).send(missingReviewPage(frame))
  const { buildReviewView } = await import('./review-view.ts') // loads the library that compares texts
  const view = await buildReviewView(opened, deps.publicUrl(), opened.previewPath)
  return reply.send(reviewPage(view, frame))
}

async function openPreviewed(deps: ReviewRouteDeps, jobId: string): Promise<OpenReview | null> {
  const { queries } = deps.database
  const job = await queries.selectFrom('agent_jobs').selectAll().where('id', '=', jobId).executeTakeFirst()
  return job === undefined ? null : await buildOpenReview(deps, queries, job)
}

function toPageFrame({ style, script }: ReviewFiles): PageFrame {
  return {
    stylePath: FILES_PATH + style.path,
    scriptPath: FILES_PATH + script.path,
    nonce: randomBytes(16).toString('base64url'),
  }
}

async function sendPreview(
  deps: ReviewRouteDeps,
  open: (jobId: string) => Promise<OpenReview | null>,
  side: PreviewSide,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { jobId, token, '*': path } = request.params as { jobId: string; token: string; '*': string }
  await requirePreviewToken(deps, jobId, token)
  const manifest = (await open(jobId))?.manifests[side] ?? null
  if (manifest === null) throw new AppError('not_found')
  return sendPreviewFile(deps.objects, manifest, path, request, reply)
}

async function sendPicture(
  deps: ReviewRouteDeps,
  side: PreviewSide,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { jobId, token, '*': path } = request.params as { jobId: string; token: string; '*': string }
  await requirePreviewToken(deps, jobId, token)
  const picture = await openReviewPicture(deps, deps.database.queries, jobId, { side, path })
  if (picture === null) throw new AppError('not_found')
  setOrigin(reply, 'reviewPicture')
  reply.headers({ 'Content-Type': picture.contentType, 'Cache-Control': 'private, no-cache' })
  return reply.send(Buffer.from(picture.bytes))
}

async function requirePreviewToken(deps: ReviewRouteDeps, jobId: string, token: string): Promise<void> {
  const job = await deps.database.queries
    .selectFrom('agent_jobs')
    .select(['id', 'link_salt'])
    .where('id', '=', jobId)
    .executeTakeFirst()
  if (job === undefined) throw new AppError('not_found')
  const [given, right] = [Buffer.from(token), Buffer.from(previewToken(deps.secret, job))]
  if (given.length !== right.length || !timingSafeEqual(given, right)) throw new AppError('not_found')
}

async function sendReviewFile(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { '*': path } = request.params as { '*': string }
  const { style, script, fonts } = await loadReviewFiles()
  const file = [style, script, ...fonts].find((known) => known.path === path)
  if (file === undefined) throw new AppError('not_found')
  const caching = file.isHashed ? 'public, max-age=31536000, immutable' : 'public, max-age=86400'
  return reply.headers({ 'Content-Type': file.contentType, 'Cache-Control': caching }).send(file.content)
}

/** Cache lifetime of an opened review: a page requests twenty files at once. */
const CACHE_MS = 5000
const MAX_CACHED = 20

interface CachedReview {
  until: number
  review: OpenReview | null
}

function cacheReviews(open: (jobId: string) => Promise<OpenReview | null>) {
  const cachedReviews = createAsyncCache<CachedReview>({
    maxSize: MAX_CACHED_MANIFEST_BYTES,
    sizeOf: reviewBytes,
  })
  const make = async (jobId: string): Promise<CachedReview> => ({
    until: performance.now() + CACHE_MS,
    review: await open(jobId),
  })
  return async (jobId: string): Promise<OpenReview | null> => {
    const known = await cachedReviews.get(jobId, () => make(jobId))
    if (performance.now() < known.until) return known.review
    cachedReviews.delete(jobId)
    return (await cachedReviews.get(jobId, () => make(jobId))).review
  }
}

function reviewBytes({ review }: CachedReview): number {
  const manifests = Object.values(review?.manifests ?? {}).filter((one) => one !== null)
  const bytes = manifests.reduce((sum, manifest) => sum + estimateManifestBytes(manifest), 0)
  return Math.max(bytes, MAX_CACHED_MANIFEST_BYTES / MAX_CACHED)
}
