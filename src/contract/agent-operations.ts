/** The operations on agent jobs: rows of the table of operations. */
import { Type } from 'typebox'
import {
  AGENT_EVENT_SCHEMAS,
  AgentJob,
  AgentJobList,
  AgentJobParams,
  AgentMessageBody,
  AgentProjectParams,
  AgentReview,
  CreateAgentJobBody,
  ListAgentJobsQuery,
} from './agent.ts'
import type { AuditAction } from './audit-actions.ts'
import type { Operation } from './operations.ts'

const PROJECT = '/v2/agent/{projectId}'
const JOB = `${PROJECT}/job/{id}` as const

const READS = { name: 'reads', counts: 'request' } as const
/** One window for creates and follow-ups: both put the agent to work. */
const WORK = { name: 'agentJobs', counts: 'accepted' } as const

/** Changes a job, without a body. */
const steer = <Action extends AuditAction>(path: string, audit: Action, summary: string) =>
  ({
    method: 'POST',
    path: `${JOB}/${path}`,
    area: 'agent',
    summary,
    audit,
    limit: READS,
    params: AgentJobParams,
    query: null,
    body: null,
    success: { status: 200, schema: AgentJob },
    errors: [400, 404, 409, 413, 415, 422],
  }) as const

export const AGENT_OPERATIONS = {
  createAgentJob: {
    method: 'POST',
    path: `${PROJECT}/job`,
    area: 'agent',
    summary: 'Have the agent change the documentation; a change becomes a pull request',
    audit: 'agent_job.created',
    limit: WORK,
    params: AgentProjectParams,
    query: null,
    body: CreateAgentJobBody,
    success: { status: 201, schema: AgentJob, headers: { Location: 'Address of the job.' } },
    errors: [400, 404, 409, 413, 415, 422],
  },
  listAgentJobs: {
    method: 'GET',
    path: `${PROJECT}/jobs`,
    area: 'agent',
    summary: 'List agent jobs, newest first',
    limit: READS,
    params: AgentProjectParams,
    query: ListAgentJobsQuery,
    body: null,
    success: { status: 200, schema: AgentJobList },
    errors: [400, 404],
  },
  getAgentJob: {
    method: 'GET',
    path: JOB,
    area: 'agent',
    summary: 'Get an agent job',
    limit: READS,
    params: AgentJobParams,
    query: null,
    body: null,
    success: { status: 200, schema: AgentJob },
    errors: [400, 404],
  },
  sendAgentMessage: {
    method: 'POST',
    path: `${JOB}/message`,
    area: 'agent',
    summary: 'Tell the agent what else to do: same branch, same pull request',
    audit: 'agent_job.messaged',
    limit: WORK,
    params: AgentJobParams,
    query: null,
    body: AgentMessageBody,
    success: { status: 200, schema: AgentJob },
    errors: [400, 404, 409, 413, 415, 422],
  },
  cancelAgentJob: {
    ...steer('cancel', 'agent_job.cancelled', 'Stop a job that is active; it ends as failed'),
    needsRoom: false,
  },
  archiveAgentJob: {
    ...steer('archive', 'agent_job.archived', 'Put a job away for good; an active one is stopped first'),
    needsRoom: false,
  },
  streamAgentEvents: {
    method: 'GET',
    path: `${JOB}/events`,
    area: 'agent',
    summary: 'Follow every step of a job as server-sent events; ends when the job is no longer active',
    limit: READS,
    params: AgentJobParams,
    query: null,
    body: null,
    success: {
      status: 200,
      contentType: 'text/event-stream',
      schema: Type.String({ description: eventWords() }),
    },
    errors: [400, 404],
  },
  getAgentReview: {
    method: 'GET',
    path: `${JOB}/review`,
    area: 'agent',
    summary: 'What there is to decide on: every changed file before and after, and why it was changed',
    limit: READS,
    params: AgentJobParams,
    query: null,
    body: null,
    success: { status: 200, schema: AgentReview },
    errors: [400, 404],
  },
  acceptAgentJob: steer(
    'accept',
    'agent_job.accepted',
    'Merge the change of a job, for a repository without a forge',
  ),
  declineAgentJob: steer(
    'decline',
    'agent_job.declined',
    'Decline the change of a job, for a repository without a forge',
  ),
} as const satisfies Record<string, Operation>

function eventWords(): string {
  const names = Object.keys(AGENT_EVENT_SCHEMAS).map((name) => `\`${name}\``)
  return `Events named ${names.join(', ')}, each with an object as JSON data. Their ids are numbers that rise within the job and stay: \`Last-Event-ID\` goes on behind one, on any server.`
}
