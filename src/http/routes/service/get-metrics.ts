/** GET /metrics: for the addresses and the token that the operator has named, and nobody else. */
import { timingSafeEqual } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { isAddressAllowed } from '../../../accounts/allow-list.ts'
import { sha256 } from '../../../base/hash.ts'
import { AppError } from '../../../contract/errors.ts'
import { METRICS_PATH } from '../../../contract/service-paths.ts'

export interface MetricsAccess {
  /** Addresses and ranges that need no token; none when it is empty. */
  from: readonly string[]
  token: string | null
}

export interface MetricsRouteDeps {
  access: MetricsAccess
  scrape(): Promise<{ contentType: string; text: string }>
}

export function addMetricsRoute(app: FastifyInstance, { access, scrape }: MetricsRouteDeps): void {
  app.route({
    method: ['GET', 'HEAD'],
    url: METRICS_PATH,
    async handler(request, reply) {
      const { authorization } = request.headers
      // What a proxy sends on comes from its address: only one that is trusted says from whom.
      const isDirect = request.ip !== request.socket.remoteAddress || !isForwarded(request.headers)
      if (!mayRead(access, { address: isDirect ? request.ip : null, authorization }))
        throw new AppError('metrics.refused')
      const { contentType, text } = await scrape()
      return reply.header('Content-Type', contentType).header('Cache-Control', 'no-store').send(text)
    },
  })
}

export function mayRead(
  { from, token }: MetricsAccess,
  caller: { address: string | null; authorization: string | undefined },
): boolean {
  if (token !== null && isSame(caller.authorization ?? '', `Bearer ${token}`)) return true
  return from.length > 0 && caller.address !== null && isAddressAllowed(from, caller.address)
}

export function isForwarded(headers: Readonly<Record<string, unknown>>): boolean {
  return ['forwarded', 'x-forwarded-for', 'x-real-ip', 'via'].some((name) => headers[name] !== undefined)
}

function isSame(given: string, wanted: string): boolean {
  return timingSafeEqual(Buffer.from(sha256(given)), Buffer.from(sha256(wanted)))
}
