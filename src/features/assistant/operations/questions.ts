/** Readers' questions to the assistant and their outcomes, for the dashboard. */
import { type Static, Type } from 'typebox'
import { OVERVIEW_DAYS, RESOLUTIONS } from '../../../base/api/form-choices.ts'
import { type DashboardOperation, DASHBOARD_ROW as ROW } from '../../../base/api/operation.ts'
import { DateTime, Nullable, PageQuery } from '../../../base/api/schema.ts'
import { AgentJobLine } from '../../dashboard/operations/work.ts'
import { ProjectParams } from '../../projects/operations/projects.ts'
import { ANSWER_SOURCE, NEAREST_PAGE, QUESTION_ID } from './assistant.ts'

const closed = { additionalProperties: false } as const
const count = (description?: string) => Type.Integer({ minimum: 0, ...(description && { description }) })
const days = Type.Integer({ enum: [...OVERVIEW_DAYS] })

export const AskedQuestionsQuery = Type.Object(
  {
    resolution: Type.Optional(Type.Enum([...RESOLUTIONS])),
    rating: Type.Optional(
      Type.Enum(['up', 'down'], { description: 'What the reader thought of the answer.' }),
    ),
    handed: Type.Optional(Type.Enum(['yes', 'no'], { description: 'Whether an agent job has taken it up.' })),
    path: Type.Optional(Type.String({ minLength: 1, maxLength: 1024, description: 'Asked on this page.' })),
    language: Type.Optional(Type.String({ minLength: 1, maxLength: 35, description: 'Of that page.' })),
    days: Type.Optional(days),
    ...PageQuery,
  },
  closed,
)
export type AskedQuestionsQuery = Static<typeof AskedQuestionsQuery>

const QUESTION = {
  id: Type.String({ pattern: QUESTION_ID }),
  at: DateTime,
  path: Nullable(Type.String({ description: 'Of the page that it was asked on.' })),
  language: Nullable(Type.String()),
  question: Type.String({ description: 'Text of readers: untrusted.' }),
  resolution: Type.Enum([...RESOLUTIONS]),
  helpful: Nullable(Type.Boolean({ description: 'What the reader thought of the answer.' })),
}

const AskedRow = Type.Object(
  { ...QUESTION, agentJobs: count('Jobs that have taken it up.') },
  { ...closed, title: 'AskedRow' },
)
export type AskedRow = Static<typeof AskedRow>

export const AskedQuestions = Type.Object(
  {
    questions: Type.Array(AskedRow, { description: 'The newest first.' }),
    nextCursor: Nullable(Type.String()),
    hasMore: Type.Boolean(),
  },
  { ...closed, title: 'AskedQuestions' },
)
export type AskedQuestions = Static<typeof AskedQuestions>

const Turn = Type.Object(
  {
    ...QUESTION,
    claims: Type.Array(Type.Object({ text: Type.String(), source: ANSWER_SOURCE }, closed), {
      description: 'What the reader was shown, each with the passage that proves it.',
    }),
    withheld: count('Statements of the model that no passage supports; they were not shown.'),
    nearest: Type.Array(NEAREST_PAGE, {
      description: 'Where the docs come closest, when they do not answer.',
    }),
  },
  { ...closed, title: 'AskedTurn' },
)
export type AskedTurn = Static<typeof Turn>

/** Maximum number of turns shown of a conversation. */
export const MAX_TURNS = 50

export const AskedConversation = Type.Object(
  {
    id: Type.String({ description: 'The question that was looked for.' }),
    siteUrl: Nullable(Type.String({ description: 'Of the published site; null when there is none.' })),
    turns: Type.Array(Turn, {
      maxItems: MAX_TURNS,
      description: 'Of the whole conversation, oldest first.',
    }),
    agentJobs: Type.Array(AgentJobLine, {
      maxItems: 10,
      description: 'Jobs that have taken the question up.',
    }),
  },
  { ...closed, title: 'AskedConversation' },
)
export type AskedConversation = Static<typeof AskedConversation>

const Counts = Type.Object(
  {
    questions: count(),
    answered: count(),
    unanswered: count(),
    offTopic: count(),
    unfinished: count(),
    helpful: count(),
    unhelpful: count(),
  },
  closed,
)
export type AskedCounts = Static<typeof Counts>

export const AssistantFigures = Type.Object(
  {
    days,
    isConfigured: Type.Boolean({ description: 'Whether this server has a model for readers.' }),
    hosted: Type.Enum(['on', 'off', 'unpublished'], {
      description: 'Whether the published version has what answers rest on.',
    }),
    bundles: Type.Boolean({ description: 'Whether client-hosted exports have the assistant.' }),
    hasAny: Type.Boolean({ description: 'Whether anything was ever asked.' }),
    now: Counts,
    before: Counts,
    languages: Type.Array(Type.String(), { maxItems: 100, description: 'Of the questions that are kept.' }),
  },
  { ...closed, title: 'AssistantFigures' },
)
export type AssistantFigures = Static<typeof AssistantFigures>

const ASSISTANT = '/internal/projects/{projectId}/assistant'
const READ = { ...ROW, method: 'GET', permission: 'read' } as const

export const ASKED_OPERATIONS = {
  getAssistantFigures: {
    ...READ,
    params: ProjectParams,
    path: ASSISTANT,
    summary: 'How many questions readers asked the assistant, and what became of them',
    query: Type.Object({ days: Type.Optional(days) }, closed),
    success: { status: 200, schema: AssistantFigures },
  },
  listAskedQuestions: {
    ...READ,
    params: ProjectParams,
    path: `${ASSISTANT}/questions`,
    summary: 'List questions to the assistant, the newest first',
    query: AskedQuestionsQuery,
    success: { status: 200, schema: AskedQuestions },
  },
  getAskedQuestion: {
    ...READ,
    params: Type.Object({
      projectId: Type.String({ minLength: 1, maxLength: 64 }),
      questionId: Type.String({ minLength: 1, maxLength: 64 }),
    }),
    path: `${ASSISTANT}/questions/{questionId}`,
    summary: 'A question with its conversation, the passages of its answers, and the jobs that took it up',
    success: { status: 200, schema: AskedConversation },
  },
} as const satisfies Record<string, DashboardOperation>
