/** Readers' questions to the assistant and their outcomes, for the dashboard. */
import { type Static, Type } from 'typebox'
import { OVERVIEW_DAYS, RESOLUTIONS } from '../../../base/api/form-choices.ts'
import { type DashboardOperation, DASHBOARD_ROW as ROW } from '../../../base/api/operation.ts'
import { DateTime, Nullable, PageQuery } from '../../../base/api/schema.ts'
import { AgentJobLine } from '../../dashboard/operations/work.ts'
import { ProjectParams } from '../../projects/operations/projects.ts'
import { ANSWER_SOURCE, NEAREST_PAGE, QUESTION_ID } from './assistant.ts'

const closedObject = { additionalProperties: false } as const
const count = (description?: string) => Type.Integer({ minimum: 0, ...(description && { description }) })
const days = Type.Integer({ enum: [...OVERVIEW_DAYS] })

export const AskedQuestionsQuery = Type.Object(
  {
    resolution: Type.Optional(Type.Enum([...RESOLUTIONS])),
    rating: Type.Optional(
      Type.Enum(['up', 'down'], { description: 'Whether the answer helped the reader.' }),
    ),
    handed: Type.Optional(
      Type.Enum(['yes', 'no'], { description: 'Whether an agent job addresses the question.' }),
    ),
    path: Type.Optional(
      Type.String({ minLength: 1, maxLength: 1024, description: 'Only questions asked on this page.' }),
    ),
    language: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 35,
        description: 'Only questions asked on pages in this language.',
      }),
    ),
    days: Type.Optional(days),
    ...PageQuery,
  },
  closedObject,
)
export type AskedQuestionsQuery = Static<typeof AskedQuestionsQuery>

const QUESTION = {
  id: Type.String({ pattern: QUESTION_ID }),
  at: DateTime,
  path: Nullable(Type.String({ description: 'Path of the page where the question was asked.' })),
  language: Nullable(Type.String()),
  question: Type.String({ description: 'Text from readers: untrusted.' }),
  resolution: Type.Enum([...RESOLUTIONS]),
  helpful: Nullable(Type.Boolean({ description: 'Whether the answer helped the reader.' })),
}

const AskedRow = Type.Object(
  { ...QUESTION, agentJobs: count('Jobs that address the question.') },
  { ...closedObject, title: 'AskedRow' },
)
export type AskedRow = Static<typeof AskedRow>

export const AskedQuestions = Type.Object(
  {
    questions: Type.Array(AskedRow, { description: 'Newest first.' }),
    nextCursor: Nullable(Type.String()),
    hasMore: Type.Boolean(),
  },
  { ...closedObject, title: 'AskedQuestions' },
)
export type AskedQuestions = Static<typeof AskedQuestions>

const Turn = Type.Object(
  {
    ...QUESTION,
    claims: Type.Array(Type.Object({ text: Type.String(), source: ANSWER_SOURCE }, closedObject), {
      description: 'Statements shown to the reader, each with the passage that supports it.',
    }),
    withheld: count('Number of statements removed because no passage supports them.'),
    nearest: Type.Array(NEAREST_PAGE, {
      description: 'Closest pages if the docs do not answer the question.',
    }),
  },
  { ...closedObject, title: 'AskedTurn' },
)
export type AskedTurn = Static<typeof Turn>

export const MAX_TURNS = 50

export const AskedConversation = Type.Object(
  {
    id: Type.String({ description: 'ID of the requested question.' }),
    siteUrl: Nullable(Type.String({ description: 'URL of the published site; null if there is none.' })),
    turns: Type.Array(Turn, {
      maxItems: MAX_TURNS,
      description: 'All turns of the conversation, oldest first.',
    }),
    agentJobs: Type.Array(AgentJobLine, {
      maxItems: 10,
      description: 'Jobs that address the question.',
    }),
  },
  { ...closedObject, title: 'AskedConversation' },
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
  closedObject,
)
export type AskedCounts = Static<typeof Counts>

export const AssistantFigures = Type.Object(
  {
    days,
    isConfigured: Type.Boolean({ description: 'Whether this server has a model for the assistant.' }),
    hosted: Type.Enum(['on', 'off', 'unpublished'], {
      description: 'Whether the published version includes the passages used for answers.',
    }),
    bundles: Type.Boolean({ description: 'Whether client-hosted exports have the assistant.' }),
    hasAny: Type.Boolean({ description: 'Whether any question has been asked yet.' }),
    now: Counts,
    before: Counts,
    languages: Type.Array(Type.String(), {
      maxItems: 100,
      description: 'Languages of the stored questions.',
    }),
  },
  { ...closedObject, title: 'AssistantFigures' },
)
export type AssistantFigures = Static<typeof AssistantFigures>

const ASSISTANT = '/internal/projects/{projectId}/assistant'
const READ = { ...ROW, method: 'GET', permission: 'read' } as const

export const ASKED_OPERATIONS = {
  getAssistantFigures: {
    ...READ,
    params: ProjectParams,
    path: ASSISTANT,
    summary: 'Count questions to the assistant and their outcomes',
    query: Type.Object({ days: Type.Optional(days) }, closedObject),
    success: { status: 200, schema: AssistantFigures },
  },
  listAskedQuestions: {
    ...READ,
    params: ProjectParams,
    path: `${ASSISTANT}/questions`,
    summary: 'List questions to the assistant, newest first',
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
    summary: 'Get a question with its conversation, the passages behind its answers, and related jobs',
    success: { status: 200, schema: AskedConversation },
  },
} as const satisfies Record<string, DashboardOperation>
