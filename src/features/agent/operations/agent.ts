/** Agent jobs: a prompt in, a checked pull request out. */

import { type Static, type TSchema, Type } from 'typebox'
import { EFFORTS } from '../../../base/api/form-choices.ts'
import { MAX_FEEDBACK_PER_JOB, MAX_QUESTIONS_PER_JOB } from '../../../base/api/form-limits.ts'
import { type Operation, PUBLIC_ROW } from '../../../base/api/operation.ts'
import { DateTime, JobErrorCode, Line, Nullable, PageQuery } from '../../../base/api/schema.ts'
import { QUESTION_ID } from '../../assistant/operations/assistant.ts'
import { CodeReference, ReviewedFile, RiskNote } from './agent-review.ts'
import { AGENT_SESSION_OPERATIONS } from './agent-sessions.ts'

const closedObject = (title: string) => ({ additionalProperties: false, title })

const AgentJobId = Type.String({ pattern: '^aj_[0-9a-z]+$', examples: ['aj_01jd4q8r6v0000000000000000'] })

const Prompt = Type.String({
  minLength: 1,
  description: 'What to change in the documentation.',
  examples: ['Document the new `--region` flag on the deploy page and link it from the quickstart.'],
})

export const CreateAgentJobBody = Type.Object(
  {
    prompt: Prompt,
    feedbackIds: Type.Optional(
      Type.Array(Type.String({ pattern: '^fb_[0-9a-z]+$' }), {
        minItems: 1,
        maxItems: MAX_FEEDBACK_PER_JOB,
        uniqueItems: true,
        description:
          'Feedback entries that the job addresses. They become `in_progress`, and `resolved` when the pull request is merged.',
      }),
    ),
    questionIds: Type.Optional(
      Type.Array(Type.String({ pattern: QUESTION_ID }), {
        minItems: 1,
        maxItems: MAX_QUESTIONS_PER_JOB,
        uniqueItems: true,
        description: "Questions to the project's assistant that the documentation should answer.",
      }),
    ),
    model: Type.Optional(
      Line(200, {
        description: "A model allowed by the project's settings. Default: the project's model.",
        examples: ['anthropic:claude-opus-4-5'],
      }),
    ),
    effort: Type.Optional(
      Type.Enum([...EFFORTS], {
        description: "Reasoning effort of the model, if allowed by the project's settings.",
      }),
    ),
  },
  closedObject('CreateAgentJob'),
)
export type CreateAgentJobBody = Static<typeof CreateAgentJobBody>

export const AgentMessageBody = Type.Object({ prompt: Prompt }, closedObject('AgentMessage'))
export type AgentMessageBody = Static<typeof AgentMessageBody>

export const AGENT_JOB_STATUSES = ['active', 'completed', 'archived', 'failed'] as const
export const AgentJobStatus = Type.Enum([...AGENT_JOB_STATUSES])
export type AgentJobStatus = Static<typeof AgentJobStatus>

export const PULL_REQUEST_STATES = ['open', 'merged', 'closed'] as const
export type PullRequestState = (typeof PULL_REQUEST_STATES)[number]

export const AgentJob = Type.Object(
  {
    id: AgentJobId,
    status: AgentJobStatus,
    source: Type.Object(
      {
        repository: Type.String({ description: 'URL or folder of the repository.' }),
        ref: Type.String({ description: 'Target branch of the change.' }),
      },
      { additionalProperties: false },
    ),
    model: Type.String({ examples: ['anthropic:claude-sonnet-4-5'] }),
    effort: Nullable(Type.Enum([...EFFORTS], { description: "As requested; null: the server's default." })),
    prLink: Nullable(
      Type.String({
        format: 'uri',
        description: 'URL of the pull request. Null while the job is active and if no file was changed.',
      }),
    ),
    pullRequests: Type.Array(
      Type.Object(
        {
          link: Type.String(),
          branch: Type.String(),
          state: Type.Enum([...PULL_REQUEST_STATES]),
        },
        { additionalProperties: false },
      ),
      {
        description:
          'All pull requests of the job, oldest first. A message sent after the last pull request was merged or closed opens a new one; `prLink` remains the first.',
      },
    ),
    question: Nullable(
      Type.String({
        description: "The agent's question while the job waits for an answer. Answer it with a message.",
      }),
    ),
    title: Nullable(Type.String({ description: 'Title given by the agent; null until there is one.' })),
    branch: Nullable(Type.String()),
    error: Nullable(
      Type.String({ description: 'Why the job failed; during a retry, why the last attempt failed.' }),
    ),
    errorCode: Nullable(JobErrorCode),
    filesChanged: Type.Integer({ minimum: 0 }),
    queuedBehind: Type.Optional(
      Type.Integer({
        minimum: 0,
        description: 'Number of jobs ahead in the queue. Returned only for a queued job, and not in lists.',
      }),
    ),
    unfinished: Nullable(
      Type.String({
        description:
          'The remaining work if a limit stopped the change or the model could not fix its problems; the pull request is then a draft. Otherwise null.',
      }),
    ),
    usage: Type.Object(
      { inputTokens: Type.Integer({ minimum: 0 }), outputTokens: Type.Integer({ minimum: 0 }) },
      { additionalProperties: false },
    ),
    createdAt: DateTime,
    updatedAt: DateTime,
    archivedAt: Nullable(DateTime),
  },
  closedObject('AgentJob'),
)
export type AgentJob = Static<typeof AgentJob>

export const AcceptQuery = Type.Object(
  {
    confirmRisks: Type.Optional(
      Type.Enum(['true', 'false'], {
        default: 'false',
        description: 'Confirms a change in which every file has a high risk.',
      }),
    ),
  },
  { additionalProperties: false },
)

export const AgentProjectParams = Type.Object({ projectId: Type.String({ minLength: 1, maxLength: 64 }) })
export const AgentJobParams = Type.Object({
  projectId: Type.String({ minLength: 1, maxLength: 64 }),
  id: Type.String({ minLength: 1, maxLength: 64 }),
})

export const ListAgentJobsQuery = Type.Object({ ...PageQuery }, { additionalProperties: false })
export type ListAgentJobsQuery = Static<typeof ListAgentJobsQuery>

export const AgentJobList = Type.Object(
  { jobs: Type.Array(AgentJob), nextCursor: Nullable(Type.String()), hasMore: Type.Boolean() },
  closedObject('AgentJobList'),
)
export type AgentJobList = Static<typeof AgentJobList>

const PlanItem = Type.Object(
  { text: Type.String(), state: Type.Enum(['open', 'at_work', 'done']) },
  { additionalProperties: false },
)
export type PlanItem = Static<typeof PlanItem>

const ProblemOfChange = Type.Object(
  {
    path: Type.String({ description: 'Path relative to the docs folder.' }),
    line: Nullable(Type.Integer({ minimum: 1 })),
    message: Type.String(),
  },
  { additionalProperties: false },
)

const EVENT_DATA = {
  /** State of the job after each change. */
  job: AgentJob,
  /** A prompt was started: the first one, or a follow-up. */
  prompt: Type.Object(
    { prompt: Type.String(), number: Type.Integer({ minimum: 1 }) },
    closedObject('AgentPromptEvent'),
  ),
  text: Type.Object({ text: Type.String() }, closedObject('AgentTextEvent')),
  /** A tool was used; input and result are each shortened to one line for display. */
  tool: Type.Object(
    {
      name: Type.String(),
      input: Type.String({ description: 'Input of the tool, truncated.' }),
      result: Type.String({ description: 'Result of the tool, truncated.' }),
      isError: Type.Boolean(),
    },
    closedObject('AgentToolEvent'),
  ),
  plan: Type.Object({ items: Type.Array(PlanItem) }, closedObject('AgentPlanEvent')),
  /** The files that differ from the start of the job. */
  changes: Type.Object(
    {
      files: Type.Array(
        Type.Object(
          { path: Type.String(), change: Type.Enum(['added', 'modified', 'deleted']) },
          { additionalProperties: false },
        ),
      ),
    },
    closedObject('AgentChangesEvent'),
  ),
  usage: Type.Object(
    {
      steps: Type.Integer({ minimum: 0 }),
      inputTokens: Type.Integer({ minimum: 0 }),
      outputTokens: Type.Integer({ minimum: 0 }),
      costUsd: Nullable(Type.Number({ minimum: 0, description: 'Null if no price is configured.' })),
    },
    closedObject('AgentUsageEvent'),
  ),
  check: Type.Object(
    { passed: Type.Boolean(), round: Type.Integer({ minimum: 1 }), problems: Type.Array(ProblemOfChange) },
    closedObject('AgentCheckEvent'),
  ),
  notice: Type.Object({ text: Type.String() }, closedObject('AgentNoticeEvent')),
  /** The job waits for an external service that is unavailable, or for the answer of a person. */
  waiting: Type.Object(
    {
      for: Type.String(),
      seconds: Type.Number({
        description: 'Seconds until the next attempt; 0 while waiting for an answer.',
      }),
      question: Type.Optional(
        Type.String({ description: "The agent's question; the next message of the job is the answer." }),
      ),
    },
    closedObject('AgentWaitingEvent'),
  ),
} as const satisfies Record<string, TSchema>

export type AgentEventType = keyof typeof EVENT_DATA
export type AgentEvent = {
  [T in AgentEventType]: { type: T; data: Static<(typeof EVENT_DATA)[T]> }
}[AgentEventType]
export const AGENT_EVENT_SCHEMAS: Record<AgentEventType, TSchema> = EVENT_DATA

/** An earlier pull request of the job, which was merged or closed while the job continued. */
export const PastRequest = Type.Object(
  { link: Type.String(), branch: Type.String(), state: Type.Enum(['merged', 'closed']) },
  { additionalProperties: false },
)
export type PastRequest = Static<typeof PastRequest>

export const AgentReview = Type.Object(
  {
    job: AgentJob,
    /** `none` before the first pull request. */
    state: Type.Enum(['none', ...PULL_REQUEST_STATES]),
    /** Whether the change is accepted in Octavo rather than on a forge, because the repository has no forge. */
    isLocal: Type.Boolean(),
    summary: Nullable(Type.String()),
    prompts: Type.Array(Type.String()),
    files: Type.Array(ReviewedFile),
    references: Type.Array(CodeReference, { description: 'Code on which the change is based.' }),
    dropped: Type.Array(Type.String(), { description: 'Cited code that was not found.' }),
    risks: Type.Array(RiskNote, {
      description:
        'Parts of the change that could affect readers, detected in the files independently of the agent.',
    }),
    needsSecondYes: Type.Boolean({
      description:
        'Every changed file has a high risk. Accepting requires `confirmRisks`; on a forge, the pull request is a draft.',
    }),
  },
  closedObject('AgentReview'),
)
export type AgentReview = Static<typeof AgentReview>

export type { AgentChoice } from './agent-choice.ts'

const PROJECT = '/v2/agent/{projectId}'
const JOB = `${PROJECT}/job/{id}` as const

/** One rate limit for new jobs and follow-ups: both start the agent. */
const WORK = { name: 'agentJobs', counts: 'accepted' } as const

const ROW = { ...PUBLIC_ROW, area: 'agent' } as const

const steer = <Action extends string>(path: string, audit: Action, summary: string) =>
  ({
    ...ROW,
    method: 'POST',
    path: `${JOB}/${path}`,
    summary,
    audit,
    params: AgentJobParams,
    success: { status: 200, schema: AgentJob },
  }) as const

export const AGENT_OPERATIONS = {
  ...AGENT_SESSION_OPERATIONS,
  createAgentJob: {
    ...ROW,
    method: 'POST',
    path: `${PROJECT}/job`,
    summary: 'Start an agent job, whose changes become a pull request',
    audit: 'agent_job.created',
    limit: WORK,
    params: AgentProjectParams,
    body: CreateAgentJobBody,
    success: { status: 201, schema: AgentJob, headers: { Location: 'URL of the job.' } },
  },
  listAgentJobs: {
    ...ROW,
    method: 'GET',
    path: `${PROJECT}/jobs`,
    summary: 'List agent jobs, newest first',
    params: AgentProjectParams,
    query: ListAgentJobsQuery,
    success: { status: 200, schema: AgentJobList },
  },
  getAgentJob: {
    ...ROW,
    method: 'GET',
    path: JOB,
    summary: 'Get an agent job',
    params: AgentJobParams,
    success: { status: 200, schema: AgentJob },
  },
  sendAgentMessage: {
    ...ROW,
    method: 'POST',
    path: `${JOB}/message`,
    summary: 'Send a follow-up message to an agent job, on the same branch and pull request',
    audit: 'agent_job.messaged',
    limit: WORK,
    params: AgentJobParams,
    body: AgentMessageBody,
    success: { status: 200, schema: AgentJob },
  },
  cancelAgentJob: {
    ...steer('cancel', 'agent_job.cancelled', 'Stop an active job. It ends as failed'),
    needsRoom: false,
  },
  publishAgentJob: steer(
    'publish',
    'agent_job.published',
    'Retry publishing the checked change of a failed job, without calling the model again',
  ),
  archiveAgentJob: {
    ...steer('archive', 'agent_job.archived', 'Archive a job permanently. An active job is stopped first'),
    needsRoom: false,
  },
  streamAgentEvents: {
    ...ROW,
    method: 'GET',
    path: `${JOB}/events`,
    summary: 'Stream every step of a job as server-sent events until it is no longer active',
    params: AgentJobParams,
    success: {
      status: 200,
      contentType: 'text/event-stream',
      schema: Type.String({ description: describeEventStream() }),
    },
  },
  getAgentReview: {
    ...ROW,
    method: 'GET',
    path: `${JOB}/review`,
    summary: 'Get the changed files of an agent job, before and after, with the reasons',
    params: AgentJobParams,
    success: { status: 200, schema: AgentReview },
  },
  acceptAgentJob: {
    ...steer('accept', 'agent_job.accepted', 'Merge the change of a job in a repository without a forge'),
    query: AcceptQuery,
  },
  declineAgentJob: steer(
    'decline',
    'agent_job.declined',
    'Decline the change of a job in a repository without a forge',
  ),
} as const satisfies Record<string, Operation>

function describeEventStream(): string {
  const names = Object.keys(AGENT_EVENT_SCHEMAS).map((name) => `\`${name}\``)
  return `Events named ${names.join(', ')}, each with an object as JSON data. Their ids are numbers that rise within the job and stay: \`Last-Event-ID\` goes on behind one, on any server.`
}
