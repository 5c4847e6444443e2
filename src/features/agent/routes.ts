/** Routes that start, steer and follow agent jobs and decide on their changes. */

import type { CursorCodec } from '../../base/signed-cursor.ts'
import { parseLastEventId, type ServerEvent } from '../../routing/event-stream.ts'
import { type CallOf, type Handlers, locationHeader } from '../../routing/handler.ts'
import { createSharedPolls, type SharedPolls } from '../../routing/shared-polls.ts'
import { AGENT_OPERATIONS, type AgentJob } from './operations/agent.ts'
import type { COMMIT_KEY_OPERATIONS } from './operations/commit-key.ts'
import { createCommitKey, getCommitKey, removeCommitKey } from './publish/commit-key.ts'
import { getAgentJob, listAgentJobs, readAgentEvents } from './read-job.ts'
import {
  acceptAgentReview,
  type DecideDeps,
  declineAgentReview,
  type ReviewDeps,
  readAgentReview,
} from './review/review.ts'
import { getAgentSession, listAgentSessions, sessionFaults, startAgentSession } from './sessions.ts'
import { type StartJobDeps, startAgentJob } from './start-job.ts'
import {
  archiveAgentJob,
  cancelAgentJob,
  publishAgentJob,
  type SendMessageDeps,
  sendAgentMessage,
} from './steer-job.ts'
import { jobRows, toAgentJob } from './store.ts'

type AgentDeps = StartJobDeps &
  SendMessageDeps &
  ReviewDeps &
  DecideDeps & { cursors: CursorCodec; publicUrl: () => string; database: { queries: Call['db'] } }

export function agentHandlers(
  deps: AgentDeps,
): Handlers<typeof AGENT_OPERATIONS & typeof COMMIT_KEY_OPERATIONS> {
  const snapshots: JobSnapshots = createSharedPolls()
  async function* stepsOf({ organizationId, projectId, id }: NewSession, signal: AbortSignal) {
    const { queries: db } = deps.database
    const call = { db, caller: { organizationId }, params: { projectId, id }, signal, lastEventId: undefined }
    yield* streamEvents(call, snapshots, await readSnapshot(call, snapshots, 0))
  }
  return {
    async createAgentJob({ tx, caller, params: { projectId }, body }) {
      const job = await startAgentJob(deps, tx, caller, projectId, body)
      const headers = locationHeader(deps, AGENT_OPERATIONS.getAgentJob, { projectId, id: job.id })
      return { body: job, headers, audit: { subject: job.id } }
    },
    createAgentSession: {
      parse: ({ body }) => ({ value: null, faults: sessionFaults(body) }),
      async handle({ tx, caller, params: { projectId }, body }) {
        const { job, branch } = await startAgentSession(deps, tx, caller, projectId, body)
        const begun = { organizationId: caller.organizationId, projectId, id: job.id }
        return {
          body: begun,
          headers: { 'X-Session-Id': job.id, 'X-Branch-Name': encodeURI(branch) },
          audit: { subject: job.id },
          stream: (signal) => stepsOf(begun, signal),
        }
      },
      replay: async (begun, signal) => stepsOf(begun as NewSession, signal),
    },
    getAgentSession: async ({ db, caller: { organizationId }, params: { projectId, id } }) => ({
      body: await getAgentSession(db, { organizationId, projectId }, id),
    }),
    listAgentSessions: async ({ db, caller: { organizationId }, params, query }) => ({
      body: { allSessions: await listAgentSessions(db, { organizationId, ...params }, query) },
    }),
    listAgentJobs: async ({ db, caller, params, query }) => ({
      body: await listAgentJobs(deps, db, withOrganizationId(caller, params), query),
    }),
    getAgentJob: async ({ db, caller, params }) => ({
      body: await getAgentJob(db, withOrganizationId(caller, params)),
    }),
    sendAgentMessage: async ({ tx, caller, params, body }) => ({
      body: await sendAgentMessage(
        deps,
        tx,
        { ...withOrganizationId(caller, params), askedBy: caller.id },
        body,
      ),
    }),
    cancelAgentJob: async ({ tx, caller, params }) => ({
      body: await cancelAgentJob(tx, withOrganizationId(caller, params)),
    }),
    publishAgentJob: async ({ tx, caller, params }) => ({
      body: await publishAgentJob(deps, tx, withOrganizationId(caller, params)),
    }),
    archiveAgentJob: async ({ tx, caller, params }) => ({
      body: await archiveAgentJob(tx, withOrganizationId(caller, params)),
    }),
    streamAgentEvents: async (call) =>
      streamEvents(call, snapshots, await readSnapshot(call, snapshots, firstNumber(call))),
    getAgentReview: async ({ db, caller, params }) => ({
      body: await readAgentReview(deps, db, withOrganizationId(caller, params)),
    }),
    acceptAgentJob: async ({ tx, caller, params, query }) => ({
      body: await acceptAgentReview(deps, tx, {
        ...withOrganizationId(caller, params),
        decidedBy: caller.id,
        areRisksConfirmed: query.confirmRisks === 'true',
      }),
    }),
    declineAgentJob: async ({ tx, caller, params }) => ({
      body: await declineAgentReview(deps, tx, {
        ...withOrganizationId(caller, params),
        decidedBy: caller.id,
      }),
    }),
    getCommitKey: async ({ db, caller: { organizationId }, params }) => ({
      body: { commitKey: await getCommitKey(db, { organizationId, ...params }) },
    }),
    async makeCommitKey({ tx, caller: { organizationId, id: madeBy }, params }) {
      const commitKey = await createCommitKey(deps, tx, { organizationId, ...params, madeBy })
      const { fingerprint } = commitKey
      return { body: { commitKey }, audit: { subject: params.projectId, details: { fingerprint } } }
    },
    async removeCommitKey({ tx, caller: { organizationId }, params }) {
      const removed = await removeCommitKey(tx, { organizationId, ...params })
      const details = removed === null ? {} : { fingerprint: removed.fingerprint }
      return { body: { commitKey: null }, audit: { subject: params.projectId, details } }
    },
  }
}

const withOrganizationId = <Params>({ organizationId }: { organizationId: string }, params: Params) => ({
  organizationId,
  ...params,
})

/** Maximum number of events per read. No batch is read before the client has received the previous one. */
const BATCH = 200

type Call = Pick<
  CallOf<typeof AGENT_OPERATIONS.streamAgentEvents>,
  'db' | 'params' | 'signal' | 'lastEventId'
> & { caller: { organizationId: string } }

/** Response body stored with the Idempotency-Key of a new session. */
interface NewSession {
  organizationId: string
  projectId: string
  id: string
}

/** `job` is read before `events`, so the events are complete if the job is no longer active. */
interface JobSnapshot {
  job: AgentJob
  events: Awaited<ReturnType<typeof readAgentEvents>>
}
type JobSnapshots = SharedPolls<JobSnapshot>

const firstNumber = ({ lastEventId }: Call) => parseLastEventId(lastEventId)

/**
 * Streams all events, or those after the last event that the client received. Event ids are row numbers, so a
 * client can resume on any server. Ends after the last event of an inactive job.
 */
async function* streamEvents(
  call: Call,
  snapshots: JobSnapshots,
  first: JobSnapshot,
): AsyncGenerator<ServerEvent> {
  let seen = firstNumber(call)
  for (let { job, events } = first; ; { job, events } = await readSnapshot(call, snapshots, seen)) {
    for (const { id, event } of events) {
      yield { id, event: event.type, data: event.data }
      seen = id
    }
    if (events.length === BATCH) continue
    if (job.status !== 'active') return
    await snapshots.nextPoll(call.signal)
  }
}

/** Rejects with AppError `not_found`. */
function readSnapshot(
  { db, caller, params }: Call,
  snapshots: JobSnapshots,
  seen: number,
): Promise<JobSnapshot> {
  const { projectId, id } = params
  return snapshots.load(`${caller.organizationId} ${projectId} ${id} ${seen}`, async () => {
    const job = toAgentJob(await jobRows.get(db, withOrganizationId(caller, params), id))
    return { job, events: await readAgentEvents(db, job.id, seen, BATCH) }
  })
}
