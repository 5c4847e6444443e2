/** Questions to the assistant for API callers: individually, by page, by day and as CSV. */
import { type Static, type TProperties, Type } from 'typebox'
import type { Operation } from '../../../base/api/operation.ts'
import { CsvQuery, DateTime, Nullable } from '../../../base/api/schema.ts'
import { AnalyticsParams, AnalyticsQuery, REPORT_ROW } from '../../analytics/operations/analytics.ts'
import { AssistantConversation } from './assistant.ts'

const closed = { additionalProperties: false } as const
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
        description: '`unanswered`: only questions that the docs did not answer.',
      }),
    ),
  },
  closed,
)
export type AssistantQuery = Static<typeof AssistantQuery>

const Conversations = Type.Object(
  {
    conversations: Type.Array(AssistantConversation),
    nextCursor: Nullable(Type.String()),
    hasMore: Type.Boolean(),
  },
  { ...closed, title: 'AssistantConversations' },
)
export type AssistantConversations = Static<typeof Conversations>

/** Questions of one conversation that its transcript holds. */
export const TRANSCRIPT_TURNS = 1000

const Thread = Type.Object(
  {
    threadId: Type.String(),
    createdAt: Type.String({ format: 'date-time', description: 'When its first question was asked.' }),
    messages: Type.Array(
      Type.Object(
        {
          id: Type.String(),
          role: Type.Enum(['user', 'assistant']),
          content: Type.String({ description: 'Text of readers, and statements that a passage supports.' }),
          createdAt: DateTime,
        },
        closed,
      ),
      { description: `The oldest first; of a long conversation the newest ${TRANSCRIPT_TURNS} questions.` },
    ),
    omitted: Type.Integer({ minimum: 0, description: 'Questions before these, which are left out.' }),
  },
  { ...closed, title: 'AssistantThread' },
)
export type AssistantThread = Static<typeof Thread>

const count = (description: string) => Type.Integer({ minimum: 0, description })
const COUNTS = {
  questions: count('All.'),
  answered: count('Of these, what the docs answered.'),
  unanswered: count('Of these, what they did not.'),
  helpful: count('Answers that helped, as readers say.'),
  unhelpful: count('Answers that did not.'),
}

const CallerStats = Type.Object(
  {
    web: count('From pages of the site.'),
    api: count('From programs with a key.'),
    other: count('From elsewhere.'),
    total: count('All.'),
  },
  { ...closed, title: 'AssistantCallerStats' },
)
export type AssistantCallerStats = Static<typeof CallerStats>

function countsOf<Key extends TProperties>(title: string, key: Key) {
  return Type.Object(
    {
      totals: Type.Object(COUNTS, closed),
      questions: Type.Array(Type.Object({ ...key, ...COUNTS }, closed)),
      hasMore: Type.Boolean(),
    },
    { ...closed, title },
  )
}

const ADDRESS = '/v1/analytics/{projectId}/assistant'

export const ASSISTANT_OPERATIONS = {
  getAssistant: {
    ...REPORT_ROW,
    path: ADDRESS,
    summary: 'List questions to the assistant with their answers, the newest first',
    query: AssistantQuery,
    success: { status: 200, schema: Conversations },
  },
  getAssistantByPage: {
    ...REPORT_ROW,
    path: `${ADDRESS}/by-page`,
    summary: 'Count questions by the page on which they were asked, the page with the most first',
    success: {
      status: 200,
      schema: countsOf('AssistantByPage', { path: Type.String({ description: 'Path of the page.' }) }),
    },
  },
  getAssistantByDay: {
    ...REPORT_ROW,
    path: `${ADDRESS}/by-day`,
    summary: 'Count questions by day, the newest first; days without any are left out',
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
    summary: 'Count questions by where they come from',
    query: Type.Object(RANGE, closed),
    success: { status: 200, schema: CallerStats },
  },
  exportAssistant: {
    ...REPORT_ROW,
    path: `${ADDRESS}/export`,
    summary: 'Save questions, or their counts, as CSV',
    query: Type.Object(
      {
        ...RANGE,
        by: Type.Optional(
          Type.Enum(['question', 'page', 'day'], {
            default: 'question',
            description: 'What a line is about.',
          }),
        ),
        ...CsvQuery,
      },
      closed,
    ),
    success: {
      status: 200,
      contentTypes: ['text/csv'],
      schema: Type.String({ description: 'A head line, then a line for each row.' }),
      headers: { 'Content-Disposition': 'A name for the file.' },
    },
  },
} as const satisfies Record<string, Operation>
