/**
 * GET /v2/agent/{projectId}/job/{id}/events: every step from the first, or from behind the one that was seen last. The
 * numbers are those of the rows, so that who is cut off goes on at any server.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { getAgentJob, readAgentEvents } from '../../../agent/read-job.ts'
import type { AgentJob } from '../../../contract/agent.ts'
import { lastNumber, type ServerEvent } from '../../event-stream.ts'
import type { AnswerOf, CallOf } from '../../handler.ts'

/** Between two looks at the rows: soon enough for an eye, two indexed reads for the database. */
const LOOK_MS = 400
/** Events that are read at once; a reader who is slow is not read ahead of. */
const BATCH = 200

type Call = CallOf<'streamAgentEvents'>

export async function streamAgentEvents(call: Call): AnswerOf<'streamAgentEvents'> {
  return eventsOf(call, await look(call))
}

/**
 * Ends when all is sent of a job that is not active. The job is looked at before its events: what was written up to the
 * moment when it became inactive is in the read that follows.
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
function look({ db, caller, params }: Call): Promise<AgentJob> {
  return getAgentJob(db, caller.organizationId, params.projectId, params.id)
}
