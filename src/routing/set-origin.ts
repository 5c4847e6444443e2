/** Sets the security headers that a response requires for its kind of origin. They replace those of the API. */
import type { FastifyReply } from 'fastify'
import {
  ORIGIN_HEADER_NAMES,
  type OriginKind,
  originHeaders,
  type ResponsePolicySources,
} from '../base/api/origins.ts'

export function setOrigin(reply: FastifyReply, kind: OriginKind, own?: ResponsePolicySources): void {
  for (const name of ORIGIN_HEADER_NAMES) reply.removeHeader(name)
  reply.headers(originHeaders(kind, own))
}
