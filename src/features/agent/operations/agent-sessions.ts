/** Deprecated operations, which present agent jobs in the format of API version 1 of other platforms. */
import { type Static, Type } from 'typebox'
import { type Operation, PUBLIC_ROW } from '../../../base/api/operation.ts'
import { DateTime, Nullable } from '../../../base/api/schema.ts'

const closedObject = (title: string) => ({ additionalProperties: false, title })
const Id = Type.String({ minLength: 1, maxLength: 64 })

export const CreateAgentSessionBody = Type.Object(
  {
    messages: Type.Array(
      Type.Object(
        { role: Type.Enum(['system', 'user', 'assistant']), content: Type.String() },
        { additionalProperties: false },
      ),
      {
        minItems: 1,
        description: 'The messages together form the prompt. At least one must have the role `user`.',
      },
    ),
    branch: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 250,
        description:
          'Branch to work on, starting with `octavo/`. Created if it does not exist; jobs push to no other branches.',
      }),
    ),
    asDraft: Type.Optional(
      Type.Boolean({
        default: false,
        description:
          "Only `false` is accepted: pull requests are drafts if the change is unfinished or the project's settings say so.",
      }),
    ),
    model: Type.Optional(
      Type.Enum(['sonnet', 'opus'], { description: 'Ignored, because the project determines the model.' }),
    ),
  },
  closedObject('CreateAgentSession'),
)
export type CreateAgentSessionBody = Static<typeof CreateAgentSessionBody>

export const AgentSession = Type.Object(
  {
    sessionId: Type.String({ description: 'ID of the job.' }),
    subdomain: Type.Optional(Type.String({ description: 'Host name of the site.' })),
    branch: Nullable(Type.String()),
    haulted: Type.Boolean({ description: 'The job is not running.' }),
    haultReason: Type.Enum(['completed', 'github_missconfigured', 'error', 'processing', 'interrupted']),
    pullRequestLink: Type.Optional(Type.String({ description: 'Omitted if there is none.' })),
    messageToUser: Type.Optional(
      Type.String({ description: 'Summary of the changes, or why the job failed.' }),
    ),
    todos: Type.Array(
      Type.Object(
        {
          content: Type.String(),
          status: Type.Enum(['pending', 'in_progress', 'completed', 'cancelled']),
          priority: Type.Enum(['high', 'medium', 'low']),
          id: Type.String(),
        },
        { additionalProperties: false },
      ),
      { description: "The agent's plan." },
    ),
    title: Type.Optional(Type.String()),
    createdAt: DateTime,
  },
  closedObject('AgentSession'),
)
export type AgentSession = Static<typeof AgentSession>

export const ListAgentSessionsQuery = Type.Object(
  {
    skip: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000, default: 0 })),
    take: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 12 })),
  },
  { additionalProperties: false },
)
export type ListAgentSessionsQuery = Static<typeof ListAgentSessionsQuery>

const PROJECT = '/v1/agent/{projectId}'
const by = (path: string) =>
  ({ since: '2026-12-01', sunset: '2028-01-01', by: `/v2/agent/{projectId}/${path}` }) as const

const ROW = { ...PUBLIC_ROW, area: 'agent' } as const

export const AGENT_SESSION_OPERATIONS = {
  createAgentSession: {
    ...ROW,
    method: 'POST',
    path: `${PROJECT}/job`,
    summary: 'Start an agent job and stream it as server-sent events',
    audit: 'agent_job.created',
    limit: { name: 'agentJobs', counts: 'accepted' },
    deprecated: by('job'),
    params: Type.Object({ projectId: Id }),
    body: CreateAgentSessionBody,
    success: {
      status: 200,
      contentType: 'text/event-stream',
      schema: Type.String({ description: 'Events of the job, as in `streamAgentEvents`.' }),
      headers: { 'X-Session-Id': 'ID of the job.', 'X-Branch-Name': 'Branch of the job.' },
    },
  },
  getAgentSession: {
    ...ROW,
    method: 'GET',
    path: `${PROJECT}/job/{id}`,
    summary: 'Get an agent job in the format of version 1',
    deprecated: by('job/{id}'),
    params: Type.Object({ projectId: Id, id: Id }),
    success: { status: 200, schema: AgentSession },
  },
  listAgentSessions: {
    ...ROW,
    method: 'GET',
    path: `${PROJECT}/jobs`,
    summary: 'List agent jobs in the format of version 1, newest first',
    deprecated: by('jobs'),
    params: Type.Object({ projectId: Id }),
    query: ListAgentSessionsQuery,
    success: {
      status: 200,
      schema: Type.Object({ allSessions: Type.Array(AgentSession) }, closedObject('AgentSessions')),
    },
  },
} as const satisfies Record<string, Operation>
