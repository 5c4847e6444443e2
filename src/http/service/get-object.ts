/** Serves objects by presigned URL, which requires no API key. Supports GET, HEAD and single ranges. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../base/errors/errors.ts'
import type { ObjectStore } from '../../objects/object-store.ts'
import { OBJECTS_PATH, verifyLink } from '../../objects/presigned-link.ts'
import { serveObject } from '../../objects/serve-object.ts'

export interface ObjectRouteDeps {
  store: ObjectStore
  secret: string | Uint8Array
}

export function addObjectRoutes(app: FastifyInstance, deps: ObjectRouteDeps): void {
  app.route({
    method: ['GET', 'HEAD'],
    url: `${OBJECTS_PATH}*`,
    handler: (request, reply) => getObject(deps, request, reply),
  })
}

async function getObject(
  deps: ObjectRouteDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  // Compares the raw path. Object keys need no encoding, so an encoded path was not created by this server.
  const [path = '', query = ''] = request.url.split('?', 2)
  const key = path.slice(OBJECTS_PATH.length)
  const verdict = verifyLink(deps.secret, key, new URLSearchParams(query))
  if (verdict.kind === 'altered') throw new AppError('link_altered')
  if (verdict.kind === 'expired') throw new AppError('link_expired')

  const method = request.method === 'HEAD' ? 'HEAD' : 'GET'
  const { status, headers, body } = await serveObject(deps.store, {
    key,
    filename: verdict.filename,
    method,
    headers: request.headers,
  })
  if (status === 404) throw new AppError('object_gone')
  if (status === 412) throw new AppError('object_changed')
  if (status === 416) throw new AppError('range_not_satisfiable', { headers })
  return reply
    .code(status)
    .headers(headers)
    .send(body ?? undefined)
}
