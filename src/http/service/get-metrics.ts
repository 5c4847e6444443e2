/** GET /metrics: for the addresses and the token that the operator has named, and nobody else. */
import type { FastifyInstance } from 'fastify'
import { AppError } from '../../base/errors/errors.ts'
import { METRICS_PATH } from '../description/service-paths.ts'
import { isForwarded, type MetricsRouteDeps, mayRead } from '../metrics-access.ts'

export function addMetricsRoute(app: FastifyInstance, { access, scrape }: MetricsRouteDeps): void {
  app.route({
    method: ['GET', 'HEAD'],
    url: METRICS_PATH,
    async handler(request, reply) {
      const { authorization } = request.headers
      // What a proxy sends on comes from its address: only one that is trusted says from whom.
      const isDirect = request.ip !== request.socket.remoteAddress || !isForwarded(request.headers)
      if (!mayRead(access, { address: isDirect ? request.ip : null, authorization }))
        throw new AppError('metrics_refused')
      const { contentType, text } = await scrape()
      return reply.header('Content-Type', contentType).header('Cache-Control', 'no-store').send(text)
    },
  })
}
