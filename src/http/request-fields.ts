/** What the server notes on a request on its way through. */
import type { FastifyInstance } from 'fastify'
import type { ErrorCode } from '../base/errors/errors.ts'
import type { AdmittedSite } from '../features/hosting/serve/reader-sites.ts'
import '../routing/request-parts.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The site that a reader speaks of; set once its origin is checked. */
    readerSite: AdmittedSite | null
    /** Host name of the published site that answered. */
    site: string | null
    /** By `performance.now()`. */
    startedAt: number
    /** Why the request was refused. */
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
