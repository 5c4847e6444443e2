/** Agent jobs: a prompt in, a checked pull request out. */

import { type Static, type TSchema, Type } from 'typebox'
import type { AuditAction } from '../../../base/api/audit-actions.ts'
import { EFFORTS } from '../../../base/api/form-choices.ts'
import { MAX_FEEDBACK_PER_JOB, MAX_QUESTIONS_PER_JOB } from '../../../base/api/form-limits.ts'
import { type Operation, PUBLIC_ROW } from '../../../base/api/operation.ts'
import { DateTime, JobErrorCode, Line, Nullable, PageQuery } from '../../../base/api/schema.ts'
import { QUESTION_ID } from '../../assistant/operations/assistant.ts'
import { CodeReference, ReviewedFile, RiskNote } from './agent-review.ts'
import { AGENT_SESSION_OPERATIONS } from './agent-sessions.ts'

const closed = (title: string) => ({ additionalProperties: false, title })

const AgentJobId = Type.String({ pattern: '^aj_[0-9a-z]+$', examples: ['aj_01jd4q8r6v0000000000000000'] })

const Prompt = Type.String({
  minLength: 1,
  description: 'What to change in the documentation, in plain words.',
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
          'Feedback of this project that the job answers: it becomes `in_progress`, and `resolved` when the pull request is merged.',
      }),
    ),
    questionIds: Type.Optional(
      Type.Array(Type.String({ pattern: QUESTION_ID }), {
        minItems: 1,
        maxItems: MAX_QUESTIONS_PER_JOB,
        uniqueItems: true,
        description: 'Questions to the assistant of this project that the documentation is to answer.',
      }),
    ),
    model: Type.Optional(
      Line(200, {
        description: 'Another model than the project’s, of those that its settings allow to jobs.',
        examples: ['anthropic:claude-opus-4-5'],
      }),
    ),
    effort: Type.Optional(
      Type.Enum([...EFFORTS], {
        description: 'How much the model thinks, where the settings of the project allow it to jobs.',
      }),
    ),
  },
  closed('CreateAgentJob'),
)
export type CreateAgentJobBody = Static<typeof CreateAgentJobBody>

export const AgentMessageBody = Type.Object({ prompt: Prompt }, closed('AgentMessage'))
export type AgentMessageBody = Static<typeof AgentMessageBody>

export const AGENT_JOB_STATUSES = ['active', 'completed', 'archived', 'failed'] as const
export const AgentJobStatus = Type.Enum([...AGENT_JOB_STATUSES])
export type AgentJobStatus = Static<typeof AgentJobStatus>

/** State of a pull request. */
export const PULL_REQUEST_STATES = ['open', 'merged', 'closed'] as const
export type PullRequestState = (typeof PULL_REQUEST_STATES)[number]

export const AgentJob = Type.Object(
  {
    id: AgentJobId,
    status: AgentJobStatus,
    source: Type.Object(
      {
        repository: Type.String({ description: 'Address of the repository, or its folder.' }),
        ref: Type.String({ description: 'The branch that the change is meant for.' }),
      },
      { additionalProperties: false },
    ),
    model: Type.String({ examples: ['anthropic:claude-sonnet-4-5'] }),
    effort: Nullable(
      Type.Enum([...EFFORTS], { description: 'As it was asked for; null: that of the server.' }),
    ),
    prLink: Nullable(
      Type.String({
        format: 'uri',
        description: 'The pull request. Null while the job is active, and when no file was changed.',
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
          'All pull requests of the job, oldest first. A message after one was merged or closed makes another one, which stands last; `prLink` stays the first.',
      },
    ),
    question: Nullable(
      Type.String({
        description: 'What the agent asks, while the active job waits for the answer: a message is one.',
      }),
    ),
    title: Nullable(Type.String({ description: "In the agent's words; null until it has said so." })),
    branch: Nullable(Type.String()),
    error: Nullable(
      Type.String({ description: 'Why it failed; while it is at work again, why the last attempt ended.' }),
    ),
    errorCode: Nullable(JobErrorCode),
    filesChanged: Type.Integer({ minimum: 0 }),
    queuedBehind: Type.Optional(
      Type.Integer({
        minimum: 0,
        description: 'Told of a single job while it waits to be taken up: how many are before it.',
      }),
    ),
    unfinished: Nullable(
      Type.String({
        description:
          'What is missing from a change that a cap cut short, or whose problems the model could not mend; its pull request is then a draft. Null otherwise.',
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
  closed('AgentJob'),
)
export type AgentJob = Static<typeof AgentJob>

export const AcceptQuery = Type.Object(
  {
    confirmRisks: Type.Optional(
      Type.Enum(['true', 'false'], {
        default: 'false',
        description: 'The second yes, for a change of which every file has a high risk.',
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
  closed('AgentJobList'),
)
export type AgentJobList = Static<typeof AgentJobList>

/** One item of the agent's plan. */
const PlanItem = Type.Object(
  { text: Type.String(), state: Type.Enum(['open', 'at_work', 'done']) },
  { additionalProperties: false },
)
export type PlanItem = Static<typeof PlanItem>

const ProblemOfChange = Type.Object(
  {
    path: Type.String({ description: 'File below the docs folder.' }),
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
    closed('AgentPromptEvent'),
  ),
  /** Text from the agent. */
  text: Type.Object({ text: Type.String() }, closed('AgentTextEvent')),
  /** A tool was used; input and result are shortened to one line each for people. */
  tool: Type.Object(
    {
      name: Type.String(),
      input: Type.String({ description: 'What it was asked, shortened.' }),
      result: Type.String({ description: 'What came of it, shortened.' }),
      isError: Type.Boolean(),
    },
    closed('AgentToolEvent'),
  ),
  plan: Type.Object({ items: Type.Array(PlanItem) }, closed('AgentPlanEvent')),
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
    closed('AgentChangesEvent'),
  ),
  usage: Type.Object(
    {
      steps: Type.Integer({ minimum: 0 }),
      inputTokens: Type.Integer({ minimum: 0 }),
      outputTokens: Type.Integer({ minimum: 0 }),
      costUsd: Nullable(Type.Number({ minimum: 0, description: 'Null when no price is configured.' })),
    },
    closed('AgentUsageEvent'),
  ),
  /** Result of the check before publishing. */
  check: Type.Object(
    { passed: Type.Boolean(), round: Type.Integer({ minimum: 1 }), problems: Type.Array(ProblemOfChange) },
    closed('AgentCheckEvent'),
  ),
  /** Information for people about something that does not stop the job. */
  notice: Type.Object({ text: Type.String() }, closed('AgentNoticeEvent')),
  /** Something outside was away, and is tried again; or a person is asked. */
  waiting: Type.Object(
    {
      for: Type.String(),
      seconds: Type.Number({ description: 'Until it is tried again; 0 for an answer of a person.' }),
      question: Type.Optional(
        Type.String({ description: 'The agent asks a person: the next message of the job is the answer.' }),
      ),
    },
    closed('AgentWaitingEvent'),
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

/** The data for a decision on a change. */
export const AgentReview = Type.Object(
  {
    job: AgentJob,
    /** `none` before the first pull request. */
    state: Type.Enum(['none', ...PULL_REQUEST_STATES]),
    /** Whether the change is accepted here, for a repository without a forge, or at the forge. */
    isLocal: Type.Boolean(),
    summary: Nullable(Type.String()),
    prompts: Type.Array(Type.String()),
    files: Type.Array(ReviewedFile),
    references: Type.Array(CodeReference, { description: 'Code that the change rests on.' }),
    dropped: Type.Array(Type.String(), { description: 'Code that it named and that was not found there.' }),
    risks: Type.Array(RiskNote, {
      description: 'What of the change could act on readers, found in the files whatever the agent says.',
    }),
    needsSecondYes: Type.Boolean({
      description:
        'Every changed file has a high risk: accepting it takes `confirmRisks`, and at a forge the pull request is a draft.',
    }),
  },
  closed('AgentReview'),
)
export type AgentReview = Static<typeof AgentReview>

export type { AgentChoice } from './agent-choice.ts'

const PROJECT = '/v2/agent/{projectId}'
const JOB = `${PROJECT}/job/{id}` as const

/** One rate limit for new jobs and follow-ups: both start the agent. */
const WORK = { name: 'agentJobs', counts: 'accepted' } as const

/** Properties shared by most operations. */
const ROW = { ...PUBLIC_ROW, area: 'agent' } as const

/** Defines an operation that changes a job and takes no body. */
const steer = <Action extends AuditAction>(path: string, audit: Action, summary: string) =>
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
    summary: 'Have the agent change the documentation; a change becomes a pull request',
    audit: 'agent_job.created',
    limit: WORK,
    params: AgentProjectParams,
    body: CreateAgentJobBody,
    success: { status: 201, schema: AgentJob, headers: { Location: 'Address of the job.' } },
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
    summary: 'Tell the agent what else to do: same branch, same pull request',
    audit: 'agent_job.messaged',
    limit: WORK,
    params: AgentJobParams,
    body: AgentMessageBody,
    success: { status: 200, schema: AgentJob },
  },
  cancelAgentJob: {
    ...steer('cancel', 'agent_job.cancelled', 'Stop a job that is active; it ends as failed'),
    needsRoom: false,
  },
  publishAgentJob: steer(
    'publish',
    'agent_job.published',
    'Publish the checked change of a job that failed while it was published; the model is not asked again',
  ),
  archiveAgentJob: {
    ...steer('archive', 'agent_job.archived', 'Put a job away for good; an active one is stopped first'),
    needsRoom: false,
  },
  streamAgentEvents: {
    ...ROW,
    method: 'GET',
    path: `${JOB}/events`,
    summary: 'Follow every step of a job as server-sent events; ends when the job is no longer active',
    params: AgentJobParams,
    success: {
      status: 200,
      contentType: 'text/event-stream',
      schema: Type.String({ description: eventWords() }),
    },
  },
  getAgentReview: {
    ...ROW,
    method: 'GET',
    path: `${JOB}/review`,
    summary: 'What there is to decide on: every changed file before and after, and why it was changed',
    params: AgentJobParams,
    success: { status: 200, schema: AgentReview },
  },
  acceptAgentJob: {
    ...steer('accept', 'agent_job.accepted', 'Merge the change of a job, for a repository without a forge'),
    query: AcceptQuery,
  },
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
