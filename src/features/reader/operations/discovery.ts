/**
 * The published text of a site for programs with a key, in the shapes of other platforms: messages to its assistant, its
 * search, its pages. All of it is what any reader may read; page groups and private sites are not.
 */
import { type Static, Type } from 'typebox'
import { type Operation, PUBLIC_ROW } from '../../../base/api/operation.ts'
import { Nullable } from '../../../base/api/schema.ts'
import { ASSISTANT_LENGTHS, THREAD_ID_FORM } from '../../assistant/operations/assistant.ts'
import { MAX_SEARCH_QUERY_CHARACTERS } from '../../mcp/operations/search-pages.ts'

const closed = (title: string) => ({ additionalProperties: false, title })
const plain = { additionalProperties: false } as const

/** Passages that an answer rests on at most; more may be asked for. */
export const MOST_PASSAGES = 12
const MOST_RESULTS = 50

const Groups = Type.Optional(
  Type.Array(Type.String({ maxLength: 100 }), {
    maxItems: 100,
    description: 'Opens nothing: only text that everybody may read is answered.',
  }),
)
const Language = Type.Optional(Type.String({ minLength: 1, maxLength: 35 }))
const Version = Type.Optional(Type.String({ minLength: 1, maxLength: 100 }))

/** Clients keep more in a message than its words; what else stands there is ignored. */
const Message = Type.Object({
  role: Type.Enum(['user', 'assistant', 'system', 'data'], {
    description: 'Messages of the roles `system` and `data` are ignored.',
  }),
  content: Type.Optional(Type.String({ description: 'Read when there are no parts of text.' })),
  parts: Type.Optional(
    Type.Array(
      Type.Object(
        { type: Type.String(), text: Type.Optional(Type.String()) },
        { description: 'Of the type `text`; others are ignored.' },
      ),
    ),
  ),
})

export const DiscoveryMessageBody = Type.Object(
  {
    fp: Type.String({ maxLength: 500, description: 'Fingerprint of the visitor. It is not kept.' }),
    messages: Type.Array(Message, {
      minItems: 1,
      description: `The conversation so far, the question last: at most ${ASSISTANT_LENGTHS.question} characters. Of a long one the newest ${ASSISTANT_LENGTHS.messages} messages are read.`,
    }),
    threadId: Type.Optional(
      Nullable(Type.String({ ...THREAD_ID_FORM, description: 'Of a conversation that goes on.' })),
    ),
    retrievalPageSize: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MOST_RESULTS,
        default: 5,
        description: `Passages that the answer may rest on; ${MOST_PASSAGES} at most.`,
      }),
    ),
    filter: Type.Optional(
      Nullable(Type.Object({ version: Version, language: Language, groups: Groups }, plain)),
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
          plain,
        ),
        { maxItems: 3, description: 'What of the page the question is about.' },
      ),
    ),
    currentPath: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
    // Further fields that chat components send.
    id: Type.Optional(Type.String({ maxLength: 500, description: 'Ignored.' })),
    trigger: Type.Optional(Type.String({ maxLength: 100, description: 'Ignored.' })),
    messageId: Type.Optional(Type.String({ maxLength: 500, description: 'Ignored.' })),
  },
  closed('DiscoveryMessage'),
)
export type DiscoveryMessageBody = Static<typeof DiscoveryMessageBody>

export const DiscoverySearchBody = Type.Object(
  {
    query: Type.String({ minLength: 1, maxLength: MAX_SEARCH_QUERY_CHARACTERS, description: 'A few words.' }),
    pageSize: Type.Optional(Type.Integer({ minimum: 1, maximum: MOST_RESULTS, default: 10 })),
    scoreThreshold: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 1,
        description: 'Only pages whose score is so much of that of the best one.',
      }),
    ),
    filter: Type.Optional(
      Type.Object({ version: Version, language: Language, tag: Version, groups: Groups }, plain),
    ),
  },
  closed('DiscoverySearch'),
)
export type DiscoverySearchBody = Static<typeof DiscoverySearchBody>

const DiscoveryResult = Type.Object(
  {
    content: Type.String({ description: 'The part of the page that fits, in plain words.' }),
    path: Type.String({ description: 'Path of the page, for `getDiscoveryPage`.' }),
    metadata: Type.Object(
      {
        title: Type.String(),
        heading: Type.String({ description: 'Empty for the beginning of the page.' }),
        url: Type.String({ format: 'uri', description: 'Leads to the section.' }),
        language: Type.String(),
        version: Nullable(Type.String()),
        tag: Nullable(Type.String()),
        score: Type.Number({ minimum: 0, maximum: 1, description: 'Of that of the best page.' }),
      },
      plain,
    ),
  },
  closed('DiscoveryResult'),
)
export type DiscoveryResult = Static<typeof DiscoveryResult>

export const DiscoveryPageBody = Type.Object(
  {
    path: Type.String({ minLength: 1, maxLength: 500, examples: ['/guides/deploy'] }),
    groups: Groups,
  },
  closed('DiscoveryPageRequest'),
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
  // Its handlers keep to it: another project's domain is as unknown as one that nobody has.
  keyProjects: 'scoped',
} as const

const MESSAGE = {
  ...ROW,
  audit: { none: 'a question of a reader, which the questions of the project show' },
  limit: { name: 'discoveryMessages', counts: 'request' },
  secondLimit: 'discoveryAddresses',
  body: DiscoveryMessageBody,
} as const

const MESSAGE_HEADERS = { 'X-Thread-Id': 'Of the conversation, to go on with.' }

export const DISCOVERY_OPERATIONS = {
  sendDiscoveryMessage: {
    ...MESSAGE,
    path: '/discovery/v2/assistant/{domain}/message',
    summary: 'Ask the assistant of a site; the answer is a stream of UI messages of the AI SDK, version 5',
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
    summary: 'Ask the assistant of a site; the answer is a data stream of the AI SDK, version 4',
    success: {
      status: 200,
      contentTypes: ['text/plain'],
      schema: Type.String({
        description:
          'A part in each line: `f` begins, `0` is text, `h` a source, `3` an error; `e` and `d` end, and `d` has the `threadId`.',
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
    summary: 'Get a page of a site as Markdown; pages that search does not show are not there',
    limit: { name: 'discoveryPages', counts: 'request' },
    body: DiscoveryPageBody,
    success: {
      status: 200,
      schema: Type.Object(
        { path: Type.String(), content: Type.String({ description: 'Markdown.' }) },
        closed('DiscoveryPage'),
      ),
    },
  },
} as const satisfies Record<string, Operation>
