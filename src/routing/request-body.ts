/** Parses request bodies: only JSON in UTF-8, at most 1 MiB. */

import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError } from '../base/errors/errors.ts'
import { createFault } from '../base/errors/fault.ts'
import { wellFormedJson } from '../base/text/well-formed-json.ts'

export const BODY_LIMIT_BYTES = 1_048_576

export interface ReceivedBody {
  /** Raw body, to which an Idempotency-Key is bound. */
  bytes: Buffer
  /** Parsed body. `__proto__` and the like are ordinary unknown fields, and harmless. */
  json: unknown
}

export function readJsonBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    async (_request: FastifyRequest, bytes: Buffer) =>
      bytes.length === 0 ? undefined : { bytes, json: parseJson(bytes) },
  )
  app.addHook('preParsing', (request, _reply, payload, done) => {
    const encoding = request.headers['content-encoding']
    const isPlain = encoding === undefined || encoding === 'identity'
    if (isPlain) return done(null, payload)
    done(new AppError('unsupported_media_type', { params: { reason: 'encoding' } }))
  })
  // Some clients send an empty form instead of no body, which can be ignored.
  app.addHook('onRequest', (request, _reply, done) => {
    if (request.headers['content-length'] === '0') delete request.headers['content-type']
    done()
  })
}

const UTF8 = new TextDecoder('utf-8', { fatal: true })

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(wellFormedJson(UTF8.decode(bytes)))
  } catch (cause) {
    // The JavaScript engine reports the position only in the error message.
    const [, line, column] = /\(line (\d+) column (\d+)\)/.exec((cause as Error).message) ?? []
    const details =
      line === undefined || column === undefined ? [] : [createFault('json_position', { line, column })]
    throw new AppError('malformed_json', { details, cause })
  }
}
