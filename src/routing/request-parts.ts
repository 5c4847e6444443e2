/** Parts of a request that all handlers need. */
import type { FastifyRequest } from 'fastify'
import { AppError } from '../base/errors/errors.ts'
import type { Admission } from './caller.ts'
import type { RequestShape } from './request-shape.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set once the key or session of the request has been checked. */
    admission: Admission | null
  }
}

export const JSON_TYPE = 'application/json; charset=utf-8'

export function getAdmission(request: FastifyRequest): Admission {
  if (request.admission === null) throw new Error('the route was reached without its key check')
  return request.admission
}

/** Returns the path parameters. Invalid ones count as an object that does not exist. */
export function parsePathParams(shape: RequestShape, request: FastifyRequest): Record<string, string> {
  const params = request.params as Record<string, string>
  if (!shape.hasValidParams(params)) throw new AppError('not_found')
  return params
}

export function pathOf(request: FastifyRequest): string {
  return request.url.split('?', 1)[0] as string
}

export function getQueryString(request: FastifyRequest): string {
  return request.url.slice(pathOf(request).length + 1)
}
