/** Agent jobs as the first version of other platforms' API has them: deprecated, and answered by the jobs of today. */
import { type Static, Type } from 'typebox'
import { type Operation, PUBLIC_ROW } from '../../../base/api/operation.ts'
import { DateTime, Nullable } from '../../../base/api/schema.ts'

const closed = (title: string) => ({ additionalProperties: false, title })
const Id = Type.String({ minLength: 1, maxLength: 64 })

export const CreateAgentSessionBody = Type.Object(
  {
    messages: Type.Array(
      Type.Object(
        { role: Type.Enum(['system', 'user', 'assistant']), content: Type.String() },
        { additionalProperties: false },
      ),
      { minItems: 1, description: 'Together they are the prompt; one of them is of the role `user`.' },
    ),
    branch: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 250,
        description:
          'The branch to work on, below `octavo/`, made when it is not there; jobs push to no others.',
      }),
    ),
    asDraft: Type.Optional(
      Type.Boolean({
        default: false,
        description:
          'Only `false`: pull requests are drafts where the change is not finished or the project says so.',
      }),
    ),
    model: Type.Optional(
      Type.Enum(['sonnet', 'opus'], { description: 'Changes nothing: the project chooses the model.' }),
    ),
  },
  closed('CreateAgentSession'),
)
export type CreateAgentSessionBody = Static<typeof CreateAgentSessionBody>

export const AgentSession = Type.Object(
  {
    sessionId: Type.String({ description: 'The id of the job.' }),
    subdomain: Type.Optional(Type.String({ description: 'Host name of the site.' })),
    branch: Nullable(Type.String()),
    haulted: Type.Boolean({ description: 'It is not at work.' }),
    haultReason: Type.Enum(['completed', 'github_missconfigured', 'error', 'processing', 'interrupted']),
    pullRequestLink: Type.Optional(Type.String({ description: 'Left out when there is none.' })),
    messageToUser: Type.Optional(Type.String({ description: 'What was done, or why it failed.' })),
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
      { description: 'The plan of the agent.' },
    ),
    title: Type.Optional(Type.String()),
    createdAt: DateTime,
  },
  closed('AgentSession'),
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
    summary: 'Have the agent change the documentation, and follow the job as server-sent events',
    audit: 'agent_job.created',
    limit: { name: 'agentJobs', counts: 'accepted' },
    deprecated: by('job'),
    params: Type.Object({ projectId: Id }),
    body: CreateAgentSessionBody,
    success: {
      status: 200,
      contentType: 'text/event-stream',
      schema: Type.String({ description: 'The events of the job, as `streamAgentEvents` has them.' }),
      headers: { 'X-Session-Id': 'Id of the job.', 'X-Branch-Name': 'The branch that it works on.' },
    },
  },
  getAgentSession: {
    ...ROW,
    method: 'GET',
    path: `${PROJECT}/job/{id}`,
    summary: 'Get an agent job in the words of the first version',
    deprecated: by('job/{id}'),
    params: Type.Object({ projectId: Id, id: Id }),
    success: { status: 200, schema: AgentSession },
  },
  listAgentSessions: {
    ...ROW,
    method: 'GET',
    path: `${PROJECT}/jobs`,
    summary: 'List agent jobs in the words of the first version, newest first',
    deprecated: by('jobs'),
    params: Type.Object({ projectId: Id }),
    query: ListAgentSessionsQuery,
    success: {
      status: 200,
      schema: Type.Object({ allSessions: Type.Array(AgentSession) }, closed('AgentSessions')),
    },
  },
} as const satisfies Record<string, Operation>
