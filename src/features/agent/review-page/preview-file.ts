/** Serves a file of a rendered change as readers would get it, but without any privileges on our origin. */
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../../base/errors/errors.ts'
import { ObjectMissingError, type ObjectStore } from '../../../objects/object-store.ts'
import { blobKey, type SiteManifest } from '../../../render/versions/manifest.ts'
import { setOrigin } from '../../../routing/set-origin.ts'

/** `path` is decoded. Throws AppError `not_found`, `review_file_gone`. */
export async function sendPreviewFile(
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
