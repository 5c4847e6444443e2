/** Parses request bodies: only JSON in UTF-8, at most 1 MiB. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError } from '../base/errors/errors.ts'
import { wellFormedJson } from '../base/text/well-formed-json.ts'

export const BODY_LIMIT_BYTES = 1_048_576

export interface ReceivedBody {
  /** Raw body, which an Idempotency-Key is bound to. */
  bytes: Buffer
  /** Parsed body. `__proto__` and the like are ordinary unknown fields, and harmless. */
  json: unknown
}

/** Sets `request.body` to a ReceivedBody, or undefined when nothing was sent. */
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
    done(new AppError('unsupported_media_type', { sentence: 'Send the body without a Content-Encoding.' }))
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
    const errorPosition = /\(line \d+ column \d+\)/.exec((cause as Error).message)?.[0]
    const details =
      errorPosition === undefined
        ? []
        : [{ message: `It cannot be read on from ${errorPosition.slice(1, -1)}` }]
    throw new AppError('malformed_json', { details, cause })
  }
}
