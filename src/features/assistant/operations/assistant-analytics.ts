/** Questions to the assistant for API callers: single questions, and counts by page, by day and as CSV. */
import { type Static, type TProperties, Type } from 'typebox'
import type { Operation } from '../../../base/api/operation.ts'
import { CsvQuery, DateTime, Nullable } from '../../../base/api/schema.ts'
import { AnalyticsParams, AnalyticsQuery, REPORT_ROW } from '../../analytics/operations/analytics.ts'
import { AssistantConversation } from './assistant.ts'

const closedObject = { additionalProperties: false } as const
const { dateFrom, dateTo, path } = AnalyticsQuery.properties
const RANGE = { dateFrom, dateTo, path }

export const AssistantQuery = Type.Object(
  {
    ...RANGE,
    limit: Type.Optional(
      Type.Number({
        minimum: 1,
        maximum: 1000,
        multipleOf: 1,
        default: 100,
        description: 'How many rows to return.',
      }),
    ),
    cursor: Type.Optional(
      Type.String({ minLength: 1, maxLength: 2048, description: "The previous response's `nextCursor`." }),
    ),
    resolution: Type.Optional(
      Type.Enum(['any', 'answered', 'unanswered'], {
        default: 'any',
        description: '`unanswered`: only questions that the docs do not answer.',
      }),
    ),
  },
  closedObject,
)
export type AssistantQuery = Static<typeof AssistantQuery>

const Conversations = Type.Object(
  {
    conversations: Type.Array(AssistantConversation),
    nextCursor: Nullable(Type.String()),
    hasMore: Type.Boolean(),
  },
  { ...closedObject, title: 'AssistantConversations' },
)
export type AssistantConversations = Static<typeof Conversations>

export const MAX_TRANSCRIPT_TURNS = 1000

const Thread = Type.Object(
  {
    threadId: Type.String(),
    createdAt: Type.String({ format: 'date-time', description: 'Time of the first question.' }),
    messages: Type.Array(
      Type.Object(
        {
          id: Type.String(),
          role: Type.Enum(['user', 'assistant']),
          content: Type.String({
            description:
              'A question from a reader, or an answer, which contains only statements that a passage supports.',
          }),
          createdAt: DateTime,
        },
        closedObject,
      ),
      {
        description: `Oldest first; in a long conversation, only the newest ${MAX_TRANSCRIPT_TURNS} questions.`,
      },
    ),
    omitted: Type.Integer({ minimum: 0, description: 'Number of earlier questions that are omitted.' }),
  },
  { ...closedObject, title: 'AssistantThread' },
)
export type AssistantThread = Static<typeof Thread>

const count = (description: string) => Type.Integer({ minimum: 0, description })
const COUNTS = {
  questions: count('All.'),
  answered: count('Questions answered by the docs.'),
  unanswered: count('Questions not answered by the docs.'),
  helpful: count('Answers that readers rated as helpful.'),
  unhelpful: count('Answers that readers rated as not helpful.'),
}

const CallerStats = Type.Object(
  {
    web: count('Questions asked on pages of the site.'),
    api: count('Questions asked by programs with an API key.'),
    other: count('Questions from other sources.'),
    total: count('All.'),
  },
  { ...closedObject, title: 'AssistantCallerStats' },
)
export type AssistantCallerStats = Static<typeof CallerStats>

function countsOf<Key extends TProperties>(title: string, key: Key) {
  return Type.Object(
    {
      totals: Type.Object(COUNTS, closedObject),
      questions: Type.Array(Type.Object({ ...key, ...COUNTS }, closedObject)),
      hasMore: Type.Boolean(),
    },
    { ...closedObject, title },
  )
}

const ADDRESS = '/v1/analytics/{projectId}/assistant'

export const ASSISTANT_OPERATIONS = {
  getAssistant: {
    ...REPORT_ROW,
    path: ADDRESS,
    summary: 'List questions to the assistant with their answers, newest first',
    query: AssistantQuery,
    success: { status: 200, schema: Conversations },
  },
  getAssistantByPage: {
    ...REPORT_ROW,
    path: `${ADDRESS}/by-page`,
    summary: 'Count questions by the page on which they were asked, highest count first',
    success: {
      status: 200,
      schema: countsOf('AssistantByPage', { path: Type.String({ description: 'Path of the page.' }) }),
    },
  },
  getAssistantByDay: {
    ...REPORT_ROW,
    path: `${ADDRESS}/by-day`,
    summary: 'Count questions by day, newest first; days without questions are omitted',
    success: {
      status: 200,
      schema: countsOf('AssistantByDay', { date: Type.String({ description: 'Day in UTC.' }) }),
    },
  },
  getAssistantThread: {
    ...REPORT_ROW,
    path: `${ADDRESS}/threads/{threadId}`,
    summary: 'Get the transcript of a conversation with the assistant',
    params: Type.Object({
      ...AnalyticsParams.properties,
      threadId: Type.String({ minLength: 1, maxLength: 64 }),
    }),
    query: null,
    success: { status: 200, schema: Thread },
  },
  getAssistantCallerStats: {
    ...REPORT_ROW,
    path: `${ADDRESS}/caller-stats`,
    summary: 'Count questions by source',
    query: Type.Object(RANGE, closedObject),
    success: { status: 200, schema: CallerStats },
  },
  exportAssistant: {
    ...REPORT_ROW,
    path: `${ADDRESS}/export`,
    summary: 'Export questions, or their counts, as CSV',
    query: Type.Object(
      {
        ...RANGE,
        by: Type.Optional(
          Type.Enum(['question', 'page', 'day'], {
            default: 'question',
            description: 'How lines are grouped.',
          }),
        ),
        ...CsvQuery,
      },
      closedObject,
    ),
    success: {
      status: 200,
      contentTypes: ['text/csv'],
      schema: Type.String({ description: 'A header line, then one line per row.' }),
      headers: { 'Content-Disposition': 'File name for the download.' },
    },
  },
} as const satisfies Record<string, Operation>
