/** Addresses beside the API: health, readiness, the descriptions, and a front page for people. No key, no limit. */
import type { FastifyInstance, RouteHandlerMethod } from 'fastify'
import type { Operation } from '../../base/api/operation.ts'
import { AppError } from '../../base/errors/errors.ts'
import { DASHBOARD_OPERATIONS } from '../../features/dashboard-operations.ts'
import { setOrigin } from '../../routing/set-origin.ts'
import { SETTINGS_SCHEMA } from '../../site/settings/settings-schema.ts'
import { DESCRIBED_PARTS, describeApi } from '../description/openapi.ts'
import {
  FULL_DESCRIPTION_PATH,
  HEALTH_PATH,
  LIVENESS_PATH,
  partDescriptionPath,
  READINESS_PATH,
  SETTINGS_SCHEMA_PATH,
  SIGNING_KEY_PATH,
} from '../description/service-paths.ts'
import { FRONT_PAGE_STYLE, frontPage } from './front-page.ts'

/** Each part that requests need: `ok`, or a sentence about what is wrong with it. */
export interface Readiness {
  ok: boolean
  parts: Record<string, string>
}

export interface ServiceRouteDeps {
  operations: Record<string, Operation>
  /** Without a slash at the end; asked at each request, since it may follow the port. */
  publicUrl: () => string
  /** Of the program. */
  version: string
  isReady(): Promise<Readiness>
  /** PEM of the key that bundles are signed with; null when they are not. Left out: they never are. */
  findPublicKey?: () => Promise<string | null>
}

export function addServiceRoutes(app: FastifyInstance, deps: ServiceRouteDeps): void {
  const get = (url: string, handler: RouteHandlerMethod) =>
    app.route({ method: ['GET', 'HEAD'], url, handler })
  // With a dashboard its shell is there.
  if (!app.hasRoute({ method: 'GET', url: '/' })) {
    get('/', async (_request, reply) => {
      setOrigin(reply, 'frontPage', { style: FRONT_PAGE_STYLE })
      return reply.header('Content-Type', 'text/html; charset=utf-8').send(frontPage(deps.version))
    })
  }
  get(HEALTH_PATH, async () => ({ ok: true, version: deps.version }))
  get(LIVENESS_PATH, async () => ({ ok: true }))
  get(READINESS_PATH, async (_request, reply) => {
    const readiness = await deps.isReady()
    return reply.code(readiness.ok ? 200 : 503).send(readiness)
  })
  get(SETTINGS_SCHEMA_PATH, async () => SETTINGS_SCHEMA)
  get(SIGNING_KEY_PATH, async (_request, reply) => {
    const key = (await deps.findPublicKey?.()) ?? null
    if (key === null) throw new AppError('not_found')
    return reply.header('Content-Type', 'application/x-pem-file').send(key)
  })
  get(FULL_DESCRIPTION_PATH, async () =>
    describeApi(deps.operations, { publicUrl: deps.publicUrl(), part: null }),
  )
  get(partDescriptionPath(':part'), async (request) => {
    const { part: name } = request.params as { part: string }
    if (name === 'dashboard') {
      return describeApi(DASHBOARD_OPERATIONS, { publicUrl: deps.publicUrl(), part: 'dashboard' })
    }
    const part = DESCRIBED_PARTS.find((described) => described === name)
    if (part === undefined) throw new AppError('not_found')
    return describeApi(deps.operations, { publicUrl: deps.publicUrl(), part })
  })
}
