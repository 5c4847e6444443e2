/**
 * Gives programs with a key access to a site's published text, in the format of other platforms: messages to the
 * assistant, search, pages. Covers only pages that every reader may read, which excludes page groups and private
 * sites.
 */
import { type Static, Type } from 'typebox'
import { type Operation, PUBLIC_ROW } from '../../../base/api/operation.ts'
import { Nullable } from '../../../base/api/schema.ts'
import { ASSISTANT_LENGTHS, THREAD_ID_FORM } from '../../assistant/operations/assistant.ts'
import { MAX_SEARCH_QUERY_CHARACTERS } from './search-pages.ts'

const closedObject = (title: string) => ({ additionalProperties: false, title })
const noExtraFields = { additionalProperties: false } as const

/** Default maximum number of passages for an answer; a request can set a higher one. */
export const MAX_ANSWER_PASSAGES = 12
const MAX_SEARCH_RESULTS = 50

const Groups = Type.Optional(
  Type.Array(Type.String({ maxLength: 100 }), {
    maxItems: 100,
    description: 'Has no effect: answers only use public text.',
  }),
)
const Language = Type.Optional(Type.String({ minLength: 1, maxLength: 35 }))
const Version = Type.Optional(Type.String({ minLength: 1, maxLength: 100 }))

/** Clients send further message fields, which are ignored. */
const Message = Type.Object({
  role: Type.Enum(['user', 'assistant', 'system', 'data'], {
    description: 'Messages with the role `system` or `data` are ignored.',
  }),
  content: Type.Optional(Type.String({ description: 'Used if there are no text parts.' })),
  parts: Type.Optional(
    Type.Array(
      Type.Object(
        { type: Type.String(), text: Type.Optional(Type.String()) },
        { description: 'Only parts of type `text` are used.' },
      ),
    ),
  ),
})

export const DiscoveryMessageBody = Type.Object(
  {
    fp: Type.String({ maxLength: 500, description: 'Fingerprint of the visitor. Not stored.' }),
    messages: Type.Array(Message, {
      minItems: 1,
      description: `The conversation so far. The last message is the question, at most ${ASSISTANT_LENGTHS.question} characters. In a long conversation, the newest ${ASSISTANT_LENGTHS.messages} messages are used.`,
    }),
    threadId: Type.Optional(
      Nullable(Type.String({ ...THREAD_ID_FORM, description: 'ID of the conversation to continue.' })),
    ),
    retrievalPageSize: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MAX_SEARCH_RESULTS,
        default: 5,
        description: `Maximum number of passages used for the answer; at most ${MAX_ANSWER_PASSAGES}.`,
      }),
    ),
    filter: Type.Optional(
      Nullable(Type.Object({ version: Version, language: Language, groups: Groups }, noExtraFields)),
    ),
    context: Type.Optional(
      Type.Array(
        Type.Object(
          {
            type: Type.Enum(['code', 'textSelection']),
            value: Type.String({ minLength: 1, maxLength: ASSISTANT_LENGTHS.context }),
            path: Type.Optional(Type.String({ minLength: 1, maxLength: ASSISTANT_LENGTHS.path })),
            elementId: Type.Optional(Type.String({ maxLength: 200 })),
          },
          noExtraFields,
        ),
        { maxItems: 3, description: 'Excerpts of the page that the question is about.' },
      ),
    ),
    currentPath: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
    // Further fields sent by chat components.
    id: Type.Optional(Type.String({ maxLength: 500, description: 'Ignored.' })),
    trigger: Type.Optional(Type.String({ maxLength: 100, description: 'Ignored.' })),
    messageId: Type.Optional(Type.String({ maxLength: 500, description: 'Ignored.' })),
  },
  closedObject('DiscoveryMessage'),
)
export type DiscoveryMessageBody = Static<typeof DiscoveryMessageBody>

export const DiscoverySearchBody = Type.Object(
  {
    query: Type.String({
      minLength: 1,
      maxLength: MAX_SEARCH_QUERY_CHARACTERS,
      description: 'A short phrase.',
    }),
    pageSize: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_SEARCH_RESULTS, default: 10 })),
    scoreThreshold: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 1,
        description: 'Minimum score, relative to the best page.',
      }),
    ),
    filter: Type.Optional(
      Type.Object({ version: Version, language: Language, tag: Version, groups: Groups }, noExtraFields),
    ),
  },
  closedObject('DiscoverySearch'),
)
export type DiscoverySearchBody = Static<typeof DiscoverySearchBody>

const DiscoveryResult = Type.Object(
  {
    content: Type.String({ description: 'The matching part of the page, as plain text.' }),
    path: Type.String({ description: 'Path of the page, for `getDiscoveryPage`.' }),
    metadata: Type.Object(
      {
        title: Type.String(),
        heading: Type.String({ description: 'Heading of the section; empty for the beginning of the page.' }),
        url: Type.String({ format: 'uri', description: 'URL of the section.' }),
        language: Type.String(),
        version: Nullable(Type.String()),
        tag: Nullable(Type.String()),
        score: Type.Number({ minimum: 0, maximum: 1, description: 'Relative to the best page.' }),
      },
      noExtraFields,
    ),
  },
  closedObject('DiscoveryResult'),
)
export type DiscoveryResult = Static<typeof DiscoveryResult>

export const DiscoveryPageBody = Type.Object(
  {
    path: Type.String({ minLength: 1, maxLength: 500, examples: ['/guides/deploy'] }),
    groups: Groups,
  },
  closedObject('DiscoveryPageRequest'),
)

const DomainParams = Type.Object({
  domain: Type.String({ minLength: 1, maxLength: 253, description: 'A host name of the project.' }),
})

const ROW = {
  ...PUBLIC_ROW,
  area: 'discovery',
  method: 'POST',
  params: DomainParams,
  takesAssistantKeys: true,
  // Enforced by the handlers, which respond alike for another project's domain and a nonexistent one.
  keyProjects: 'scoped',
} as const

const MESSAGE = {
  ...ROW,
  audit: { none: 'a question of a reader, which the questions of the project show' },
  limit: { name: 'discoveryMessages', counts: 'request' },
  secondLimit: 'discoveryAddresses',
  body: DiscoveryMessageBody,
} as const

const MESSAGE_HEADERS = { 'X-Thread-Id': 'ID of the conversation, to continue it.' }

export const DISCOVERY_OPERATIONS = {
  sendDiscoveryMessage: {
    ...MESSAGE,
    path: '/discovery/v2/assistant/{domain}/message',
    summary: 'Ask the assistant of a site; responds with a UI message stream of the AI SDK, version 5',
    success: {
      status: 200,
      contentType: 'text/event-stream',
      schema: Type.String({
        description:
          'Server-sent events: `start`, `text-start`, `text-delta`, `source-url`, `text-end`, `finish`, or `error`. `messageMetadata` of `start` and `finish` has the `threadId`.',
      }),
      headers: MESSAGE_HEADERS,
    },
  },
  sendDiscoveryMessageV1: {
    ...MESSAGE,
    path: '/discovery/v1/assistant/{domain}/message',
    summary: 'Ask the assistant of a site; responds with a data stream of the AI SDK, version 4',
    success: {
      status: 200,
      contentTypes: ['text/plain'],
      schema: Type.String({
        description:
          'One part per line: `f` begins the message, `0` is text, `h` is a source, `3` is an error, and `e` and `d` end the message. `d` has the `threadId`.',
      }),
      headers: MESSAGE_HEADERS,
    },
  },
  searchDiscovery: {
    ...ROW,
    isQuery: true,
    path: '/discovery/v1/search/{domain}',
    summary: 'Search the pages of a site',
    limit: { name: 'discoverySearches', counts: 'request' },
    body: DiscoverySearchBody,
    success: { status: 200, schema: Type.Array(DiscoveryResult, { title: 'DiscoveryResults' }) },
  },
  getDiscoveryPage: {
    ...ROW,
    isQuery: true,
    path: '/discovery/v1/page/{domain}',
    summary: 'Get a page of a site as Markdown, except pages hidden from search',
    limit: { name: 'discoveryPages', counts: 'request' },
    body: DiscoveryPageBody,
    success: {
      status: 200,
      schema: Type.Object(
        { path: Type.String(), content: Type.String({ description: 'Markdown.' }) },
        closedObject('DiscoveryPage'),
      ),
    },
  },
} as const satisfies Record<string, Operation>
