/** Readers' questions to the assistant of a site, and the events that stream the answer. */
import { type Static, Type } from 'typebox'
import { DateTime, Nullable } from '../../../base/api/schema.ts'

/**
 * Limits in characters, and of the number of turns: the conversation is stored in the tab and sent with each
 * question.
 */
export const ASSISTANT_LENGTHS = {
  text: 4000,
  question: 1000,
  messages: 20,
  context: 4000,
  path: 1024,
} as const

const closed = { additionalProperties: false } as const
export const THREAD_ID = /^[A-Za-z0-9_-]+$/
export const THREAD_ID_FORM = { minLength: 16, maxLength: 64, pattern: THREAD_ID.source }

const Message = Type.Object(
  {
    role: Type.Enum(['user', 'assistant']),
    parts: Type.Array(
      Type.Object(
        { type: Type.Enum(['text']), text: Type.String({ minLength: 1, maxLength: ASSISTANT_LENGTHS.text }) },
        closed,
      ),
      { minItems: 1, maxItems: 1 },
    ),
  },
  closed,
)

export const AskAssistantBody = Type.Object(
  {
    messages: Type.Array(Message, {
      minItems: 1,
      maxItems: ASSISTANT_LENGTHS.messages,
      description: `The conversation so far, the question last: at most ${ASSISTANT_LENGTHS.question} characters.`,
    }),
    threadId: Type.Optional(
      Type.String({
        ...THREAD_ID_FORM,
        description: 'Made by the client, at random, for each conversation.',
      }),
    ),
    currentPath: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: ASSISTANT_LENGTHS.path,
        description: 'Path of the page that the reader is on.',
      }),
    ),
    filter: Type.Optional(
      Type.Object(
        {
          language: Type.Optional(Type.String({ minLength: 1, maxLength: 35 })),
          version: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
        },
        { ...closed, description: 'Pages in this language and version come first.' },
      ),
    ),
    context: Type.Optional(
      Type.Array(
        Type.Object(
          {
            type: Type.Enum(['textSelection', 'code']),
            value: Type.String({ minLength: 1, maxLength: ASSISTANT_LENGTHS.context }),
            path: Type.Optional(Type.String({ minLength: 1, maxLength: ASSISTANT_LENGTHS.path })),
          },
          closed,
        ),
        { maxItems: 3, description: 'What of the page the question is about.' },
      ),
    ),
    retrievalPageSize: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 12,
        default: 8,
        description: 'Passages that the answer may rest on.',
      }),
    ),
  },
  { ...closed, title: 'AskAssistant' },
)
export type AskAssistantBody = Static<typeof AskAssistantBody>

export const ANSWER_SOURCE = Type.Object(
  {
    path: Type.String({ description: 'Path of the page.' }),
    anchor: Nullable(Type.String({ description: 'Id of the heading.' })),
    title: Type.String({ description: 'Title of the page.' }),
    heading: Type.String({ description: 'Empty before the first heading.' }),
    quote: Type.String({ description: 'Stands in the passage, word for word.' }),
  },
  closed,
)
export type AnswerSource = Static<typeof ANSWER_SOURCE>

export const NEAREST_PAGE = Type.Object(
  { path: Type.String(), anchor: Nullable(Type.String()), title: Type.String(), heading: Type.String() },
  closed,
)
export type NearestPage = Static<typeof NEAREST_PAGE>

/** Schemas by event name. */
export const ASSISTANT_EVENTS = {
  start: Type.Object(
    { id: Type.String({ description: 'Of the answer, for its rating.' }), threadId: Type.String() },
    { ...closed, title: 'AnswerStart' },
  ),
  claim: Type.Object(
    { text: Type.String({ description: 'Markdown.' }), source: ANSWER_SOURCE },
    { ...closed, title: 'AnswerClaim' },
  ),
  end: Type.Object(
    {
      resolutionStatus: Type.Enum(['answered', 'unanswered']),
      nearest: Type.Array(NEAREST_PAGE, {
        description: 'When the docs do not answer it: where they come closest.',
      }),
      withheld: Type.Integer({
        minimum: 0,
        description: 'Statements of the model that the docs do not support; they are not sent.',
      }),
    },
    { ...closed, title: 'AnswerEnd' },
  ),
  error: Type.Object(
    { error: Type.String(), code: Type.Enum(['assistant_failed']) },
    { ...closed, title: 'AnswerError' },
  ),
} as const

export const AssistantStream = Type.String({
  description: `Server-sent events: \`start\`, then a \`claim\` for each statement, and \`end\` or \`error\`. Their data, as JSON Schema: ${JSON.stringify(ASSISTANT_EVENTS)}`,
})

export type AssistantEvent = {
  [Name in keyof typeof ASSISTANT_EVENTS]: {
    event: Name
    data: Static<(typeof ASSISTANT_EVENTS)[Name]>
  }
}[keyof typeof ASSISTANT_EVENTS]

/** A question given to an agent job: its text, page and outcome. All texts are untrusted. */
export interface AskedQuestion {
  id: string
  path: string | null
  language: string | null
  question: string
  /** Earlier questions of the same conversation, oldest first. */
  earlier: string[]
  /** Answer as shown to the reader; empty when the docs contain none. */
  response: string
  nearest: NearestPage[]
}

export const QUESTION_ID = '^ask_[0-9a-z]{26}$'

export const RateAnswerBody = Type.Object(
  {
    id: Type.String({ pattern: QUESTION_ID, description: 'Of the answer, from its first event.' }),
    helpful: Nullable(Type.Boolean({ description: 'Null takes the rating back.' })),
  },
  { ...closed, title: 'RateAnswer' },
)
export type RateAnswerBody = Static<typeof RateAnswerBody>

export const RatedAnswer = Type.Object(
  { rated: Type.Boolean({ description: 'False when there is no answer of the last day with this id.' }) },
  { ...closed, title: 'RatedAnswer' },
)
export type RatedAnswer = Static<typeof RatedAnswer>

export const AssistantConversation = Type.Object(
  {
    id: Type.String(),
    threadId: Type.String({ description: 'Questions of one conversation share it.' }),
    timestamp: DateTime,
    query: Type.String({ description: 'Text of readers: untrusted.' }),
    response: Type.String({ description: 'What was shown: statements that a passage supports.' }),
    responseType: Type.Enum(['answer', 'clarifying_question']),
    sources: Type.Array(Type.Object({ title: Type.String(), url: Type.String() }, closed)),
    resolutionStatus: Type.Enum(['answered', 'unanswered']),
    queryCategory: Nullable(
      Type.String({
        description: '`off_topic`: it is not about what the site documents, as the model says.',
      }),
    ),
    pageUrl: Nullable(Type.String({ description: 'Path of the page it was asked on.' })),
    helpful: Nullable(Type.Boolean({ description: 'What the reader thought of the answer.' })),
  },
  { ...closed, title: 'AssistantConversation' },
)
export type AssistantConversation = Static<typeof AssistantConversation>
