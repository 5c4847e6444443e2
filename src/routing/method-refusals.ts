/** Responds with 405 and `Allow` to methods that a known path does not support, and with `Allow` to OPTIONS. */
import type { FastifyInstance } from 'fastify'
import { AppError } from '../base/errors/errors.ts'

/** Routes for GET also handle HEAD. */
export function withHead<Method extends string>(method: Method): (Method | 'HEAD')[] {
  return method === 'GET' ? [method, 'HEAD'] : [method]
}

/** Collects routes as they are added, so call it before adding the first. The returned function adds the refusals. */
export function watchMethods(app: FastifyInstance): () => void {
  const routeMethods = new Map<string, Set<string>>()
  app.addHook('onRoute', ({ url, method }) => {
    const methods = routeMethods.get(url) ?? new Set<string>()
    routeMethods.set(url, methods)
    for (const one of [method].flat()) methods.add(one)
  })
  return () => {
    for (const [url, methods] of [...routeMethods]) refuseOthers(app, url, methods)
  }
}

function refuseOthers(app: FastifyInstance, url: string, methods: ReadonlySet<string>): void {
  const allowed = [...new Set([...methods, 'OPTIONS'])].sort().join(', ')
  const others = app.supportedMethods.filter((method) => !methods.has(method))
  app.route({
    method: others,
    url,
    // In this hook, so that no body is read first.
    onRequest: async (request, reply) => {
      if (request.method === 'OPTIONS') return reply.code(204).header('Allow', allowed).send()
      throw new AppError('method_not_allowed', { headers: { Allow: allowed } })
    },
    handler: (_request, reply) => reply,
  })
}
