/** Agent jobs: begun, steered, followed, and the decision on their change. */
import { setTimeout as sleep } from 'node:timers/promises'
import { getAgentJob, getQueuedAgentJob, listAgentJobs, readAgentEvents } from '../../agent/read-job.ts'
import {
  acceptAgentReview,
  type DecideDeps,
  declineAgentReview,
  type ReviewDeps,
  readAgentReview,
} from '../../agent/review.ts'
import { type StartJobDeps, startAgentJob } from '../../agent/start-job.ts'
import {
  archiveAgentJob,
  cancelAgentJob,
  publishAgentJob,
  type SendMessageDeps,
  sendAgentMessage,
} from '../../agent/steer-job.ts'
import type { CursorCodec } from '../../base/signed-cursor.ts'
import { AGENT_OPERATIONS, type AgentJob } from '../../contract/agent.ts'
import { lastNumber, type ServerEvent } from '../event-stream.ts'
import { type CallOf, type Handlers, locationOf } from '../handler.ts'

export type AgentDeps = StartJobDeps &
  SendMessageDeps &
  ReviewDeps &
  DecideDeps & { cursors: CursorCodec; publicUrl: () => string }

export function agentHandlers(deps: AgentDeps): Handlers<typeof AGENT_OPERATIONS> {
  return {
    async createAgentJob({ tx, caller, params: { projectId }, body }) {
      const job = await startAgentJob(deps, tx, caller, projectId, body)
      const headers = locationOf(deps, AGENT_OPERATIONS.getAgentJob, { projectId, id: job.id })
      return { body: job, headers, audit: { subject: job.id } }
    },
    listAgentJobs: async ({ db, caller, params, query }) => ({
      body: await listAgentJobs(deps, db, caller.organizationId, params.projectId, query),
    }),
    getAgentJob: async ({ db, caller, params }) => ({
      body: await getQueuedAgentJob(db, caller.organizationId, params.projectId, params.id),
    }),
    sendAgentMessage: async ({ tx, caller, params, body }) => ({
      body: await sendAgentMessage(deps, tx, caller, params.projectId, params.id, body),
    }),
    cancelAgentJob: async ({ tx, caller, params }) => ({
      body: await cancelAgentJob(tx, caller.organizationId, params.projectId, params.id),
    }),
    publishAgentJob: async ({ tx, caller, params }) => ({
      body: await publishAgentJob(deps, tx, caller.organizationId, params.projectId, params.id),
    }),
    archiveAgentJob: async ({ tx, caller, params }) => ({
      body: await archiveAgentJob(tx, caller.organizationId, params.projectId, params.id),
    }),
    streamAgentEvents: async (call) => eventsOf(call, await look(call)),
    getAgentReview: async ({ db, caller, params }) => ({
      body: await readAgentReview(deps, db, caller.organizationId, params.projectId, params.id),
    }),
    acceptAgentJob: async ({ tx, caller, params, query }) => ({
      body: await acceptAgentReview(deps, tx, caller, {
        projectId: params.projectId,
        jobId: params.id,
        areRisksConfirmed: query.confirmRisks === 'true',
      }),
    }),
    declineAgentJob: async ({ tx, caller, params }) => ({
      body: await declineAgentReview(deps, tx, caller, params.projectId, params.id),
    }),
  }
}

/** Between two looks at the rows: soon enough for an eye, two indexed reads for the database. */
const LOOK_MS = 400
/** Events that are read at once; a reader who is slow is not read ahead of. */
const BATCH = 200

type Call = CallOf<typeof AGENT_OPERATIONS.streamAgentEvents>

/**
 * Every step from the first, or from behind the one that was seen last. The numbers are those of the rows, so that who is
 * cut off goes on at any server. Ends when all is sent of a job that is not active. The job is looked at before its
 * events: what was written up to the moment when it became inactive is in the read that follows.
 */
async function* eventsOf(call: Call, first: AgentJob): AsyncGenerator<ServerEvent> {
  let seen = lastNumber(call.lastEventId)
  for (let job = first; ; job = await look(call)) {
    const events = await readAgentEvents(call.db, job.id, seen, BATCH)
    for (const { id, event } of events) {
      yield { id, event: event.type, data: event.data }
      seen = id
    }
    if (events.length === BATCH) continue
    if (job.status !== 'active') return
    await sleep(LOOK_MS, undefined, { signal: call.signal })
  }
}

/** Rejects with AppError `not_found`. */
function look({ db, caller, params }: Pick<Call, 'db' | 'caller' | 'params'>): Promise<AgentJob> {
  return getAgentJob(db, caller.organizationId, params.projectId, params.id)
}
