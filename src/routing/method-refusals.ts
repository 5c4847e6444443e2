/** Responds with 405 and `Allow` to methods that a known path does not support, and with `Allow` to OPTIONS. */
import type { FastifyInstance } from 'fastify'
import { AppError } from '../base/errors/errors.ts'

/** Routes for GET also handle HEAD. */
export function withHead<Method extends string>(method: Method): (Method | 'HEAD')[] {
  return method === 'GET' ? [method, 'HEAD'] : [method]
}

/**
 * Records routes as they are added, so it must be called before the first one. The returned function adds the
 * 405 responses.
 */
export function watchMethods(app: FastifyInstance): () => void {
  const routeMethods = new Map<string, Set<string>>()
  app.addHook('onRoute', ({ url, method }) => {
    const methods = routeMethods.get(url) ?? new Set<string>()
    routeMethods.set(url, methods)
    for (const one of [method].flat()) methods.add(one)
  })
  return () => {
    for (const [url, methods] of [...routeMethods]) rejectOtherMethods(app, url, methods)
  }
}

function rejectOtherMethods(app: FastifyInstance, url: string, methods: ReadonlySet<string>): void {
  const allowed = [...new Set([...methods, 'OPTIONS'])].sort().join(', ')
  const others = app.supportedMethods.filter((method) => !methods.has(method))
  app.route({
    method: others,
    url,
    // Responds in this hook, before the body is read.
    onRequest: async (request, reply) => {
      if (request.method === 'OPTIONS') return reply.code(204).header('Allow', allowed).send()
      throw new AppError('method_not_allowed', { headers: { Allow: allowed } })
    },
    handler: (_request, reply) => reply,
  })
}
