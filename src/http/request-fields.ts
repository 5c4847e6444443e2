/** Fields that the server attaches to a request. */
import type { FastifyInstance } from 'fastify'
import type { ErrorCode } from '../base/errors/errors.ts'
import type { AdmittedSite } from '../features/hosting/serve/reader-sites.ts'
import '../routing/request-parts.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Site of a reader request; set after the origin check. */
    readerSite: AdmittedSite | null
    site: string | null
    /** Timestamp from `performance.now()`. */
    startedAt: number
    errorCode: ErrorCode | null
  }
}

export function declareRequestFields(app: FastifyInstance): void {
  app.decorateRequest('admission', null)
  app.decorateRequest('readerSite', null)
  app.decorateRequest('site', null)
  app.decorateRequest('errorCode', null)
  app.decorateRequest('startedAt', 0)
  app.addHook('onRequest', (request, _reply, done) => {
    request.startedAt = performance.now()
    done()
  })
}
