/** Fields that the server attaches to a request. */
import type { FastifyInstance } from 'fastify'
import type { ErrorCode } from '../base/errors/errors.ts'
import type { AdmittedSite } from '../features/hosting/serve/reader-sites.ts'
import '../routing/request-parts.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The site of a reader request; set once its origin is checked. */
    readerSite: AdmittedSite | null
    /** Host name of the published site that responded. */
    site: string | null
    /** Time from `performance.now()`. */
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
