/**
 * The reader API: public, without a key. Each operation has two URLs: below the host name of a hosted site, and by
 * site id on the API's host, for bundles that the customer hosts (from the project's own domains only).
 */
import { type Static, type TSchema, Type } from 'typebox'
import type { LimitName } from '../../../base/api/limits.ts'
import { RecordEventsBody, RecordedEvents } from '../../analytics/operations/analytics-events.ts'
import {
  AskAssistantBody,
  AssistantStream,
  RateAnswerBody,
  RatedAnswer,
} from '../../assistant/operations/assistant.ts'
import { FEEDBACK_SOURCES } from '../../feedback/operations/feedback.ts'
import { FEEDBACK_LENGTHS } from '../../feedback/operations/feedback-lengths.ts'
import { FoundPages, SearchPagesQuery } from '../../mcp/operations/search-pages.ts'
import { CallStream, ForwardCallBody } from './playground.ts'

const CLIENT_ID = {
  minLength: 16,
  maxLength: 64,
  pattern: '^[A-Za-z0-9_-]+$',
  examples: ['5c0f0b8e-3c7e-4b7e-9a55-7d8a1f4f6c11'],
}

const text = (maxLength: number, description: string) => Type.String({ minLength: 1, maxLength, description })

/**
 * The source follows from the fields: `feedback` → agent; `code` → code_snippet; a vote with a reason, a comment or a
 * contact → contextual; a vote alone → thumbs_only.
 */
export const SubmitFeedbackBody = Type.Object(
  {
    path: text(FEEDBACK_LENGTHS.path, 'Path of the page, as the site has it.'),
    id: Type.Optional(
      Type.String({
        ...CLIENT_ID,
        description:
          'Made by the client, at random, once for each thing said. The same id again is a harmless repetition; with more in it, it changes the same entry.',
      }),
    ),
    helpful: Type.Optional(Type.Boolean({ description: 'The vote: did the page help?' })),
    reason: Type.Optional(text(FEEDBACK_LENGTHS.reason, 'One of the reasons that were offered.')),
    comment: Type.Optional(text(FEEDBACK_LENGTHS.comment, 'In words of their own.')),
    contact: Type.Optional(
      Type.String({
        minLength: 3,
        maxLength: FEEDBACK_LENGTHS.contact,
        format: 'email',
        description: 'For an answer.',
      }),
    ),
    code: Type.Optional(
      text(FEEDBACK_LENGTHS.code, 'The code block that this is about, character for character.'),
    ),
    filename: Type.Optional(text(FEEDBACK_LENGTHS.filename, 'Of the code block.')),
    lang: Type.Optional(text(FEEDBACK_LENGTHS.lang, 'Of the code block.')),
    feedback: Type.Optional(text(FEEDBACK_LENGTHS.agent, 'What an AI agent has to say of the page.')),
    pageVersion: Type.Optional(text(100, 'The revision of the site that the reader saw.')),
    website: Type.Optional(Type.String({ maxLength: 500, description: 'Leave this empty.' })),
    proof: Type.Optional(
      Type.Object(
        { challenge: text(500, 'As it came in `Octavo-Challenge`.'), nonce: text(64, 'What solves it.') },
        { additionalProperties: false, description: 'The solution of a challenge, when one was asked for.' },
      ),
    ),
  },
  { additionalProperties: false, title: 'SubmitFeedback' },
)
export type SubmitFeedbackBody = Static<typeof SubmitFeedbackBody>

export const FeedbackReceipt = Type.Object(
  { id: Type.String({ pattern: '^fb_[0-9a-z]+$' }), source: Type.Enum([...FEEDBACK_SOURCES]) },
  { additionalProperties: false, title: 'FeedbackReceipt' },
)
export type FeedbackReceipt = Static<typeof FeedbackReceipt>

export const WithdrawFeedbackBody = Type.Object(
  { id: Type.String({ ...CLIENT_ID, description: 'The id that the vote was sent with.' }) },
  { additionalProperties: false, title: 'WithdrawFeedback' },
)
export type WithdrawFeedbackBody = Static<typeof WithdrawFeedbackBody>

export const WithdrawnFeedback = Type.Object(
  {
    removed: Type.Boolean({ description: 'False when there is no bare vote of the last hour with this id.' }),
  },
  { additionalProperties: false, title: 'WithdrawnFeedback' },
)
export type WithdrawnFeedback = Static<typeof WithdrawnFeedback>

export interface ReaderOperation {
  method: 'GET' | 'POST' | 'DELETE'
  /** Path below `/_octavo` on a hosted site, and below `/_octavo/sites/{siteId}` on the API's host. */
  path: string
  summary: string
  /** The limit reported in the response headers. Only accepted calls count. */
  limit: LimitName | null
  /** Defaults to no query. */
  query?: TSchema
  /** Null for operations that only have a query. */
  body: TSchema | null
  success: { status: 200 | 201; schema: TSchema; contentType?: 'text/event-stream' }
}

export const READER_OPERATIONS = {
  submitFeedback: {
    method: 'POST',
    path: '/feedback',
    summary: 'Say something about a page: a vote, a comment, a note on a code block, or the word of an agent',
    limit: 'feedback',
    body: SubmitFeedbackBody,
    success: { status: 201, schema: FeedbackReceipt },
  },
  withdrawFeedback: {
    method: 'DELETE',
    path: '/feedback',
    summary: 'Take back a bare vote of the last hour',
    limit: null,
    body: WithdrawFeedbackBody,
    success: { status: 200, schema: WithdrawnFeedback },
  },
  recordEvents: {
    method: 'POST',
    path: '/events',
    summary: 'Tell how pages are read: views, searches, copied code and followed links, at most 50 a batch',
    limit: 'pageEvents',
    body: RecordEventsBody,
    success: { status: 200, schema: RecordedEvents },
  },
  searchPages: {
    method: 'GET',
    path: '/search',
    summary: 'Find pages of the published version by words, as the search in its pages does',
    limit: 'searches',
    query: SearchPagesQuery,
    body: null,
    success: { status: 200, schema: FoundPages },
  },
  askAssistant: {
    method: 'POST',
    path: '/assistant',
    summary:
      'Ask the assistant of the site; each statement of its answer comes with the passage that carries it',
    limit: 'questions',
    body: AskAssistantBody,
    success: { status: 200, contentType: 'text/event-stream', schema: AssistantStream },
  },
  rateAnswer: {
    method: 'POST',
    path: '/assistant/rating',
    summary: 'Say whether an answer of the assistant helped, or take that back',
    limit: null,
    body: RateAnswerBody,
    success: { status: 200, schema: RatedAnswer },
  },
  forwardCall: {
    method: 'POST',
    path: '/playground',
    summary: 'Make a call of an API that the site documents, where the API lets no page make it',
    limit: 'calls',
    body: ForwardCallBody,
    success: { status: 200, contentType: 'text/event-stream', schema: CallStream },
  },
} as const satisfies Record<string, ReaderOperation>

export type ReaderOperationId = keyof typeof READER_OPERATIONS

export const READER_PATH = '/_octavo'
export const READER_SITE_PATH = '/_octavo/sites/{siteId}'
/** Alternative paths of the MCP server, in addition to those in mcp.ts. */
export const MCP_READER_PATH = `${READER_PATH}/mcp`
export const MCP_SITE_PATH = `${READER_SITE_PATH}/mcp`

/** Whether a path of a published site belongs to the reader API rather than to the site's files. */
export function isReaderAddress(path: string): boolean {
  return READER_ADDRESSES.has(path)
}

const READER_ADDRESSES: ReadonlySet<string> = new Set(
  Object.values(READER_OPERATIONS).map((operation) => `${READER_PATH}${operation.path}`),
)

/**
 * Sent when feedback is refused because of a flood: `"<challenge>";bits=<n>`. A solution is a text (at most 64
 * characters) such that the SHA-256 of `<challenge>:<text>` begins with `<n>` zero bits. It is sent as `proof`, with
 * the same `id`, within two minutes of the challenge.
 */
export const CHALLENGE_HEADER = 'Octavo-Challenge'
