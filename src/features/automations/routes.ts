/** Routes that manage automations, run them manually and receive messages. */

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError, assertNoFaults } from '../../base/errors/errors.ts'
import { createFault } from '../../base/errors/fault.ts'
import type { CursorCodec } from '../../base/signed-cursor.ts'
import type { Database, Tx } from '../../database/database.ts'
import { modelFaults } from '../../model/model-faults.ts'
import { type Handlers, locationHeader, validating } from '../../routing/handler.ts'
import { getIdempotencyKey, idempotentCall, writeOnce } from '../../routing/idempotency-key.ts'
import { rateHeaders } from '../../routing/rate-limit-headers.ts'
import { idempotencyKeyFaults } from '../../routing/request-shape.ts'
import {
  automationFaults,
  createAutomation,
  deleteAutomation,
  findUpdateFaults,
  getAutomation,
  listAutomations,
  type ManageDeps,
  renewAddress,
  updateAutomation,
} from './automations.ts'
import { readForgeEvent } from './forge-event.ts'
import { type ForgeEventDeps, handleForgeEvent } from './handle-forge-event.ts'
import { AUTOMATION_HOOK_PATH, AUTOMATION_OPERATIONS } from './operations/automations.ts'
import type { RunCauseDeps } from './run.ts'
import { type AutomationMessage, listRuns, type MessageDeps, receiveMessage, runNow } from './run-now.ts'

interface AutomationDeps extends ManageDeps, RunCauseDeps {
  cursors: CursorCodec
}

export function automationHandlers(deps: AutomationDeps): Handlers<typeof AUTOMATION_OPERATIONS> {
  const ref = ({ caller, params }: { caller: { organizationId: string }; params: Params }) => ({
    organizationId: caller.organizationId,
    ...params,
  })
  return {
    listAutomations: async ({ db, caller: { organizationId }, params }) => ({
      body: { automations: await listAutomations(db, { organizationId, ...params }) },
    }),
    createAutomation: validating(
      ({ body }) => [...automationFaults(body), ...modelFaults(readModelField(body), '/model')],
      async ({ tx, caller: { organizationId, id: madeBy }, params: { projectId }, body }) => {
        const created = await createAutomation(deps, tx, { organizationId, projectId, madeBy }, body)
        const { automationId, name, trigger } = created
        return {
          body: created,
          headers: locationHeader(deps, AUTOMATION_OPERATIONS.getAutomation, { projectId, automationId }),
          audit: { subject: automationId, details: { name, trigger } },
        }
      },
    ),
    getAutomation: async (call) => ({ body: await getAutomation(call.db, ref(call)) }),
    updateAutomation: validating(
      ({ body }) => [...findUpdateFaults(body), ...modelFaults(readModelField(body), '/model')],
      async (call) => {
        const changed = await updateAutomation(call.tx, ref(call), call.body)
        return { body: changed, audit: { details: { name: changed.name, changed: Object.keys(call.body) } } }
      },
    ),
    async deleteAutomation(call) {
      const { name } = await getAutomation(call.tx, ref(call))
      await deleteAutomation(call.tx, ref(call))
      return { body: { automationId: call.params.automationId }, audit: { details: { name } } }
    },
    renewAutomationAddress: async (call) => ({ body: await renewAddress(deps, call.tx, ref(call)) }),
    async runAutomation(call) {
      const run = await runNow(deps, call.tx, ref(call))
      return { body: run, audit: { details: { runId: run.runId, state: run.state } } }
    },
    listAutomationRuns: async (call) => ({
      body: await listRuns(deps, call.db, ref(call), call.query),
    }),
    async triggerWorkflow({ tx, caller: { organizationId }, params }) {
      const { projectId, workflowSchemaId: automationId } = params
      const { runId, state, jobId } = await runNow(deps, tx, { organizationId, projectId, automationId })
      return {
        body: { schemaId: automationId, instanceId: runId, ...(jobId !== null && { jobId }) },
        audit: { details: { runId, state } },
      }
    },
  }
}

const readModelField = (body: unknown) => (body as { model?: unknown } | null | undefined)?.model

interface Params {
  projectId: string
  automationId: string
}

export async function handleForgeMessage(
  deps: ForgeEventDeps,
  tx: Tx,
  projectId: string,
  { forge, event, message }: { forge: string; event: string; message: unknown },
): Promise<boolean> {
  const forgeEvent = readForgeEvent(forge, event, message)
  return forgeEvent !== null && (await handleForgeEvent(deps, tx, projectId, forgeEvent))
}

export interface AutomationHookDeps extends MessageDeps {
  database: Database
}

const BODY_LIMIT_BYTES = 64 << 10
const NAME_LENGTH = 255

/** Accepts JSON, also in the form field `payload` for programs that can post to Slack. */
export function addAutomationHook(app: FastifyInstance, deps: AutomationHookDeps): void {
  app.register(async (hooks) => {
    hooks.removeAllContentTypeParsers()
    hooks.addContentTypeParser(
      ['application/json', 'application/x-www-form-urlencoded', 'text/plain'],
      { parseAs: 'buffer' },
      async (_request: FastifyRequest, bytes: Buffer) => bytes,
    )
    const path = AUTOMATION_HOOK_PATH.replace('{automationId}', ':automationId').replace('{token}', ':token')
    hooks.post(path, { bodyLimit: BODY_LIMIT_BYTES }, (request, reply) => handleMessage(deps, request, reply))
  })
}

async function handleMessage(
  deps: AutomationHookDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const address = request.params as { automationId: string; token: string }
  const { runId, state, reason, jobId } = await deps.database.transaction((tx) =>
    receiveMessage(deps, tx, address, {
      read: () => readMessage(request),
      once: (take) => runOnce(tx, request, reply, take),
      reportState: (state) => void reply.headers(rateHeaders(state)),
    }),
  )
  return reply.code(202).send({ runId, state, reason, jobId })
}

/** Idempotency keys are scoped by automation id, because the token must not be stored. */
function runOnce<Run extends object>(
  tx: Tx,
  request: FastifyRequest,
  reply: FastifyReply,
  take: () => Promise<Run>,
): Promise<Run> {
  const key = getIdempotencyKey(request)
  if (key === undefined) return take()
  const { automationId } = request.params as { automationId: string }
  const bytes = request.body as Buffer | undefined
  const call = idempotentCall(request, { callerId: `automation:${automationId}`, key, bytes })
  return writeOnce(tx, reply, { ...call, path: AUTOMATION_HOOK_PATH }, 202, take)
}

function readMessage(request: FastifyRequest): AutomationMessage {
  const { body, headers } = request
  assertNoFaults(idempotencyKeyFaults(getIdempotencyKey(request)))
  const text = Buffer.isBuffer(body) ? body.toString('utf8') : ''
  const type = headers['content-type'] ?? ''
  const delivery = ['webhook-id', 'x-github-delivery']
    .map((name) => [headers[name]].flat()[0])
    .find((name) => name !== undefined && name !== '' && name.length <= NAME_LENGTH)
  const parsed = type.startsWith('text/plain') ? { text, topic: null } : readJson(text, type)
  if (parsed.text.trim() === '')
    throw new AppError('invalid_request', {
      details: [{ ...createFault('empty_message'), field: '/text' }],
    })
  return { ...parsed, delivery: delivery ?? null }
}

function readJson(text: string, type: string): Pick<AutomationMessage, 'text' | 'topic'> {
  const isForm = type.startsWith('application/x-www-form-urlencoded')
  const json = isForm ? (new URLSearchParams(text).get('payload') ?? '') : text
  const value = parse(json)
  if (typeof value !== 'object' || value === null) return { text: String(value ?? ''), topic: null }
  const { text: parsed, topic } = value as { text?: unknown; topic?: unknown }
  return {
    text: typeof parsed === 'string' && parsed.trim() !== '' ? parsed : messageText(value, json),
    topic: typeof topic === 'string' ? topic : null,
  }
}

/** Passes messages on unchanged, because deeply nested JSON would take gigabytes when indented. */
function messageText(value: object, json: string): string {
  return Object.keys(value).length === 0 ? '' : json.trim()
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new AppError('malformed_json', { cause })
  }
}
