/** Routes of automatic publishing: settings for members, and webhooks for forges. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../../base/errors/errors.ts'
import type { Database } from '../../../database/database.ts'
import type { Handlers } from '../../../routing/handler.ts'
import { handlePush, type PushDeps } from '../deploy/handle-push.ts'
import {
  createPushSecret,
  deletePushSecret,
  getPublishing,
  type PublishingDeps,
  updatePublishing,
} from '../deploy/publish-settings.ts'
import { readSignature } from '../deploy/push-message.ts'
import type { PUBLISHING_OPERATIONS } from '../operations/publishing.ts'
import { PUSH_PATH } from '../operations/push-path.ts'

export type { PublishingDeps }

export function publishingHandlers(deps: PublishingDeps): Handlers<typeof PUBLISHING_OPERATIONS> {
  return {
    getPublishing: async ({ db, caller: { organizationId }, params }) => ({
      body: await getPublishing(deps, db, { organizationId, ...params }),
    }),
    updatePublishing: async ({ tx, caller: { organizationId }, params, body }) => ({
      body: await updatePublishing(deps, tx, { organizationId, ...params }, body),
      audit: { details: body },
    }),
    makePushSecret: async ({ tx, caller: { organizationId }, params }) => ({
      body: await createPushSecret(deps, tx, { organizationId, ...params }),
    }),
    async deletePushSecret({ tx, caller: { organizationId }, params }) {
      const scope = { organizationId, ...params }
      await deletePushSecret(deps, tx, scope)
      return { body: await getPublishing(deps, tx, scope) }
    },
  }
}

export interface PushRouteDeps extends PushDeps {
  database: Database
}

/** Push messages list the commits with their files. No forge sends a larger message than this. */
const BODY_LIMIT_BYTES = 8 << 20

/** Verifies the raw body before parsing it, because the signature covers the raw bytes. */
export function addPushRoute(app: FastifyInstance, deps: PushRouteDeps): void {
  app.register(async (hooks) => {
    hooks.removeAllContentTypeParsers()
    hooks.addContentTypeParser(
      ['application/json', 'application/x-www-form-urlencoded'],
      { parseAs: 'buffer' },
      async (_request: FastifyRequest, bytes: Buffer) => bytes,
    )
    const options = { bodyLimit: BODY_LIMIT_BYTES }
    hooks.post(PUSH_PATH.replace('{projectId}', ':projectId'), options, (request, reply) =>
      respondToPush(deps, request, reply),
    )
  })
}

async function respondToPush(
  deps: PushRouteDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { projectId } = request.params as { projectId: string }
  const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
  const signed = readSignature(request.headers)
  if (signed === null) throw new AppError('push_not_signed')
  const isForm = request.headers['content-type']?.startsWith('application/x-www-form-urlencoded') === true
  const answer = await deps.database.transaction((tx) =>
    handlePush(deps, tx, projectId, { signed, body }, () => readMessage(body, isForm)),
  )
  return reply.code(202).send(answer)
}

function readMessage(body: Buffer, isForm: boolean): unknown {
  try {
    const text = body.toString('utf8')
    return JSON.parse(isForm ? (new URLSearchParams(text).get('payload') ?? '') : text)
  } catch (cause) {
    throw new AppError('malformed_json', { cause })
  }
}
