/** Routes outside the API: health, readiness and the descriptions. They require no key and have no limit. */

import type { FastifyInstance, RouteHandlerMethod } from 'fastify'
import type { Operation } from '../../base/api/operation.ts'
import { AppError } from '../../base/errors/errors.ts'
import { DASHBOARD_OPERATIONS } from '../../features/dashboard-operations.ts'
import { SETTINGS_SCHEMA } from '../../site/settings/settings-schema.ts'
import { DESCRIBED_AREAS, describeApi } from '../description/openapi.ts'
import {
  areaDescriptionPath,
  FULL_DESCRIPTION_PATH,
  HEALTH_PATH,
  LIVENESS_PATH,
  READINESS_PATH,
  SETTINGS_SCHEMA_PATH,
  SIGNING_KEY_PATH,
} from '../description/service-paths.ts'

/** State by component: `ok`, or a message about the problem. */
export interface Readiness {
  ok: boolean
  parts: Record<string, string>
}

export interface ServiceRouteDeps {
  /** Operations to describe; null on a node without an API. */
  operations: Record<string, Operation> | null
  /** Without a trailing slash. A function, because the port may not be known yet. */
  publicUrl: () => string
  version: string
  isReady(): Promise<Readiness>
  /** Returns the public key for bundle signatures as PEM; null if bundles are not signed. */
  findPublicKey?: () => Promise<string | null>
}

export function addServiceRoutes(app: FastifyInstance, deps: ServiceRouteDeps): void {
  const get = (url: string, handler: RouteHandlerMethod) =>
    app.route({ method: ['GET', 'HEAD'], url, handler })
  get(HEALTH_PATH, async () => ({ ok: true, version: deps.version }))
  get(LIVENESS_PATH, async () => ({ ok: true }))
  get(READINESS_PATH, async (_request, reply) => {
    const readiness = await deps.isReady()
    return reply.code(readiness.ok ? 200 : 503).send(readiness)
  })
  const { operations } = deps
  if (operations === null) return
  get(SETTINGS_SCHEMA_PATH, async () => SETTINGS_SCHEMA)
  get(SIGNING_KEY_PATH, async (_request, reply) => {
    const key = (await deps.findPublicKey?.()) ?? null
    if (key === null) throw new AppError('not_found')
    return reply.header('Content-Type', 'application/x-pem-file').send(key)
  })
  get(FULL_DESCRIPTION_PATH, async () => describeApi(operations, { publicUrl: deps.publicUrl(), part: null }))
  get(areaDescriptionPath(':part'), async (request) => {
    const { part: name } = request.params as { part: string }
    if (name === 'dashboard') {
      return describeApi(DASHBOARD_OPERATIONS, { publicUrl: deps.publicUrl(), part: 'dashboard' })
    }
    const part = DESCRIBED_AREAS.find((described) => described === name)
    if (part === undefined) throw new AppError('not_found')
    return describeApi(operations, { publicUrl: deps.publicUrl(), part })
  })
}
