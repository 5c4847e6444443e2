/** Where the operations on agent jobs meet their handlers. */
import type { DecideDeps, ReviewDeps } from '../agent/review.ts'
import type { SendMessageDeps } from '../agent/steer-job.ts'
import type { AGENT_OPERATIONS } from '../contract/agent-operations.ts'
import type { Handlers } from './handler.ts'
import { acceptAgentJob } from './routes/agent/accept-agent-job.ts'
import { archiveAgentJob } from './routes/agent/archive-agent-job.ts'
import { cancelAgentJob } from './routes/agent/cancel-agent-job.ts'
import { type CreateAgentJobDeps, createAgentJob } from './routes/agent/create-agent-job.ts'
import { declineAgentJob } from './routes/agent/decline-agent-job.ts'
import { getAgentJob } from './routes/agent/get-agent-job.ts'
import { getAgentReview } from './routes/agent/get-agent-review.ts'
import { type ListAgentJobsDeps, listAgentJobs } from './routes/agent/list-agent-jobs.ts'
import { sendAgentMessage } from './routes/agent/send-agent-message.ts'
import { streamAgentEvents } from './routes/agent/stream-agent-events.ts'

export type AgentHandlerDeps = CreateAgentJobDeps &
  ListAgentJobsDeps &
  SendMessageDeps &
  ReviewDeps &
  DecideDeps

export function createAgentHandlers(deps: AgentHandlerDeps): Handlers<typeof AGENT_OPERATIONS> {
  return {
    createAgentJob: (call) => createAgentJob(deps, call),
    listAgentJobs: (call) => listAgentJobs(deps, call),
    getAgentJob,
    sendAgentMessage: (call) => sendAgentMessage(deps, call),
    cancelAgentJob,
    archiveAgentJob,
    streamAgentEvents: (call) => streamAgentEvents(call),
    getAgentReview: (call) => getAgentReview(deps, call),
    acceptAgentJob: (call) => acceptAgentJob(deps, call),
    declineAgentJob: (call) => declineAgentJob(deps, call),
  }
}
