/**
 * Reads whose answer callers of an organization share. For a key that was seen before, the answer is begun while its place
 * in the window is still being asked for, and leaves when that is there.
 */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '../accounts/authenticate.ts'
import type { Answer, Visitor } from './handler.ts'
import { checkKeyProjects } from './key-projects.ts'
import { addressOf, admissionOf, JSON_TYPE, queryStringOf } from './request-parts.ts'
import type { AnswerAhead, OperationRoute, OperationRouteDeps, WrittenAnswer } from './route.ts'

export async function answerShared(
  deps: OperationRouteDeps,
  route: OperationRoute,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { operation } = route
  const { caller } = admissionOf(request)
  if (request.ahead?.caller === caller) {
    const answer = await request.ahead.answer
    return sendWritten(reply.code(operation.success.status), answer)
  }
  const question = questionOf(route, request)
  await checkKeyProjects(deps.database.queries, caller, operation, question.params)
  const answer = await share(deps, { route, request, caller }, question)
  return sendWritten(reply.code(operation.success.status), answer)
}

/** Null where more is to be checked first. So are faults of the request: they are told to who is admitted. */
export function answerAhead(
  deps: OperationRouteDeps,
  route: OperationRoute,
  request: FastifyRequest,
  caller: Caller,
): AnswerAhead | null {
  if (!route.operation.isShared || caller.projectIds !== null) return null
  try {
    const answer = share(deps, { route, request, caller }, questionOf(route, request))
    answer.catch(() => undefined) // told where it is waited for
    return { caller, answer }
  } catch {
    return null
  }
}

interface Question {
  params: Record<string, string>
  query: unknown
  parsed: unknown
}

/** Throws AppError `invalid_request`, `not_found`. */
function questionOf({ shape }: OperationRoute, request: FastifyRequest): Question {
  const { query, parsed } = shape.check({
    params: request.params as Record<string, string>,
    queryString: queryStringOf(request),
    body: undefined,
  })
  return { params: addressOf(shape, request), query, parsed }
}

interface Asker {
  route: OperationRoute
  request: FastifyRequest
  caller: Caller | Visitor
}

function share(
  { database: { queries: db } }: OperationRouteDeps,
  { route: { answers, handle }, request, caller }: Asker,
  { params, query, parsed }: Question,
): Promise<WrittenAnswer> {
  const name = `${caller.kind === 'visitor' ? caller.id : caller.organizationId} ${request.url}`
  return answers.share(name, async () => written(await handle({ db, caller, params, query }, parsed)))
}

export function written(result: unknown): WrittenAnswer {
  const { body, headers = {} } = result as Answer<unknown>
  return { headers, body: Buffer.from(JSON.stringify(body)) }
}

export function sendWritten(reply: FastifyReply, { headers, body }: WrittenAnswer): FastifyReply {
  return reply.headers(headers).header('Content-Type', JSON_TYPE).send(body)
}
