/** Reader feedback for callers that review it: entries, lists, counts by page, and history. */

import { type Static, Type } from 'typebox'
import { type Operation, PUBLIC_ROW } from '../../../base/api/operation.ts'
import { CsvQuery, DateTime, Nullable, PageQuery } from '../../../base/api/schema.ts'

export const FEEDBACK_SOURCES = ['code_snippet', 'contextual', 'agent', 'thumbs_only'] as const
export type FeedbackSource = (typeof FEEDBACK_SOURCES)[number]

export const FEEDBACK_STATUSES = ['pending', 'in_progress', 'resolved', 'dismissed'] as const
export type FeedbackStatus = (typeof FEEDBACK_STATUSES)[number]

const Status = Type.Enum([...FEEDBACK_STATUSES])

const FeedbackId = Type.String({ pattern: '^fb_[0-9a-z]+$', examples: ['fb_01jd4q8r6v0000000000000000'] })

/** Optional fields that `include` can add to the entries of a list or an export. */
export const FEEDBACK_EXTRAS = ['vote', 'reason', 'assignee', 'labels'] as const
export type FeedbackExtra = (typeof FEEDBACK_EXTRAS)[number]

/** Optional fields of an export, including `cursor`. */
export const EXPORT_EXTRAS = [...FEEDBACK_EXTRAS, 'cursor'] as const
export type ExportExtra = (typeof EXPORT_EXTRAS)[number]

const BASE = {
  id: FeedbackId,
  path: Type.String({ description: 'Path or URL of the page.' }),
  comment: Nullable(Type.String({ description: 'Text from a reader: untrusted.' })),
  createdAt: Nullable(DateTime),
}

const EXTRAS = {
  helpful: Type.Optional(
    Type.Boolean({ description: 'With `include=vote`: the vote, if the entry has one.' }),
  ),
  reason: Type.Optional(
    Nullable(Type.String({ description: 'With `include=reason`: the reason chosen by the reader.' })),
  ),
  assignee: Type.Optional(
    Nullable(
      Type.Object(
        { id: Type.String(), name: Type.String() },
        {
          additionalProperties: false,
          description: 'With `include=assignee`: the assigned member.',
        },
      ),
    ),
  ),
  labels: Type.Optional(
    Type.Array(Type.Object({ id: Type.String(), name: Type.String() }, { additionalProperties: false }), {
      description: 'With `include=labels`: the labels, sorted by name.',
    }),
  ),
}
const { helpful: _helpful, ...WITHOUT_VOTE } = EXTRAS

const isClosed = (title: string) => ({ additionalProperties: false, title })

export const ContextualFeedback = Type.Object(
  {
    ...BASE,
    source: Type.Enum(['contextual']),
    status: Status,
    helpful: Type.Boolean(),
    contact: Nullable(Type.String({ description: 'Email address of the reader.' })),
    ...WITHOUT_VOTE,
  },
  isClosed('ContextualFeedback'),
)

export const CodeSnippetFeedback = Type.Object(
  {
    ...BASE,
    source: Type.Enum(['code_snippet']),
    status: Status,
    code: Type.String({ description: 'Exact text of the code block.' }),
    filename: Nullable(Type.String()),
    lang: Nullable(Type.String()),
    ...EXTRAS,
  },
  isClosed('CodeSnippetFeedback'),
)

export const AgentFeedback = Type.Object(
  { ...BASE, source: Type.Enum(['agent']), status: Status, ...EXTRAS },
  isClosed('AgentFeedback'),
)

export const ThumbsOnlyFeedback = Type.Object(
  { ...BASE, source: Type.Enum(['thumbs_only']), status: Status, ...EXTRAS },
  isClosed('ThumbsOnlyFeedback'),
)

export const FeedbackEntry = Type.Union(
  [ContextualFeedback, CodeSnippetFeedback, AgentFeedback, ThumbsOnlyFeedback],
  { title: 'FeedbackEntry' },
)
export type FeedbackEntry = Static<typeof FeedbackEntry>

export const FeedbackList = Type.Object(
  { feedback: Type.Array(FeedbackEntry), nextCursor: Nullable(Type.String()), hasMore: Type.Boolean() },
  isClosed('FeedbackList'),
)
export type FeedbackList = Static<typeof FeedbackList>

/** Unparsed filters. filters.ts checks lists, dates and the order of dates, which the schema cannot check. */
const FILTERS = {
  dateFrom: Type.Optional(
    Type.String({
      description: 'ISO 8601 or `YYYY-MM-DD` (00:00 UTC); inclusive.',
      examples: ['2026-11-01', '2026-11-21T09:30:00+01:00'],
    }),
  ),
  dateTo: Type.Optional(
    Type.String({
      description: 'ISO 8601 or `YYYY-MM-DD` (00:00 UTC); exclusive.',
      examples: ['2026-12-01'],
    }),
  ),
  source: Type.Optional(Type.Enum([...FEEDBACK_SOURCES])),
  sources: Type.Optional(
    Type.String({
      description: `Comma-separated list of ${FEEDBACK_SOURCES.map((source) => `\`${source}\``).join(', ')}; with \`source\`, what both allow.`,
      examples: ['contextual,code_snippet'],
    }),
  ),
  status: Type.Optional(
    Type.String({
      description: `Comma-separated list of ${FEEDBACK_STATUSES.map((status) => `\`${status}\``).join(', ')}.`,
      examples: ['pending,in_progress'],
    }),
  ),
  path: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 2048,
      description: 'Only feedback on this page.',
      examples: ['/guides/deploy'],
    }),
  ),
  assignee: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 2048,
      description:
        'Comma-separated list of member IDs, as returned by `include=assignee`; `none`: unassigned.',
      examples: ['none'],
    }),
  ),
  label: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 2048,
      description:
        'Comma-separated list of label IDs, as returned by `include=labels`; entries with any of them match. `none`: entries without labels.',
      examples: ['none'],
    }),
  ),
}

const include = (words: readonly string[]) =>
  Type.Optional(
    Type.String({
      description: `Comma-separated list of additional fields to include: ${words.map((word) => `\`${word}\``).join(', ')}.`,
    }),
  )

export const FeedbackQuery = Type.Object(
  { ...FILTERS, ...PageQuery, include: include(FEEDBACK_EXTRAS) },
  { additionalProperties: false },
)
export type FeedbackQuery = Static<typeof FeedbackQuery>

export const FeedbackExportQuery = Type.Object(
  {
    ...FILTERS,
    cursor: PageQuery.cursor,
    format: Type.Optional(
      Type.Enum(['jsonl', 'csv'], { default: 'jsonl', description: 'JSON Lines, or CSV with a header row.' }),
    ),
    ...CsvQuery,
    include: include(EXPORT_EXTRAS),
  },
  { additionalProperties: false },
)
export type FeedbackExportQuery = Static<typeof FeedbackExportQuery>

export const FeedbackByPageQuery = Type.Object(
  { ...FILTERS, ...PageQuery, limit: Type.Optional({ ...PageQuery.limit, default: 10 }) },
  { additionalProperties: false },
)
export type FeedbackByPageQuery = Static<typeof FeedbackByPageQuery>

const count = (description: string) => Type.Integer({ minimum: 0, description })

export const PageFeedback = Type.Object(
  {
    path: Type.String(),
    thumbsUp: count('Positive votes (the page helped), with or without a comment.'),
    thumbsDown: count('Negative votes (the page did not help).'),
    code: count('Entries on code blocks.'),
    comments: count('Entries with a comment.'),
    total: count('All entries.'),
  },
  isClosed('PageFeedback'),
)

export type PageFeedback = Static<typeof PageFeedback>

export const PageFeedbackList = Type.Object(
  { feedback: Type.Array(PageFeedback), nextCursor: Nullable(Type.String()), hasMore: Type.Boolean() },
  isClosed('PageFeedbackList'),
)
export type PageFeedbackList = Static<typeof PageFeedbackList>

export const FeedbackChange = Type.Object(
  {
    at: DateTime,
    actor: Type.String({
      description: 'ID of the key or member, `agent:` followed by the ID of an agent job, `cli` or `system`.',
    }),
    from: Nullable(Status),
    to: Nullable(Status),
    note: Nullable(Type.String({ description: 'Internal: readers never see it.' })),
    assignee: Nullable(
      Type.Object(
        { from: Nullable(Type.String()), to: Nullable(Type.String()) },
        { additionalProperties: false, description: 'IDs of members; null: unchanged.' },
      ),
    ),
    labels: Nullable(
      Type.Object(
        { added: Type.Array(Type.String()), removed: Type.Array(Type.String()) },
        { additionalProperties: false, description: 'Names at that time; null: unchanged.' },
      ),
    ),
  },
  {
    ...isClosed('FeedbackChange'),
    description:
      'A status change, assignee change, label change or note. `from` and `to` are null unless the status changed.',
  },
)
export type FeedbackChange = Static<typeof FeedbackChange>

const DETAILS = {
  ...EXTRAS,
  updatedAt: DateTime,
  pageVersion: Nullable(Type.String({ description: 'Revision of the site that the reader saw, if known.' })),
  history: Type.Array(FeedbackChange, { description: 'Oldest first.' }),
}

export const FeedbackDetail = Type.Union(
  [
    Type.Object(
      { ...ContextualFeedback.properties, ...DETAILS, helpful: Type.Boolean() },
      { additionalProperties: false },
    ),
    Type.Object({ ...CodeSnippetFeedback.properties, ...DETAILS }, { additionalProperties: false }),
    Type.Object({ ...AgentFeedback.properties, ...DETAILS }, { additionalProperties: false }),
    Type.Object({ ...ThumbsOnlyFeedback.properties, ...DETAILS }, { additionalProperties: false }),
  ],
  { title: 'FeedbackDetail' },
)
export type FeedbackDetail = Static<typeof FeedbackDetail>

const Note = Type.String({ minLength: 1, maxLength: 5000, description: 'An internal note.' })

export const UpdateFeedbackBody = Type.Object(
  { status: Type.Optional(Status), note: Type.Optional(Note) },
  { additionalProperties: false, title: 'UpdateFeedback' },
)
export type UpdateFeedbackBody = Static<typeof UpdateFeedbackBody>

export const UpdateManyFeedbackQuery = Type.Object(FILTERS, { additionalProperties: false })
export type UpdateManyFeedbackQuery = Static<typeof UpdateManyFeedbackQuery>

export const UpdateManyFeedbackBody = Type.Object(
  {
    status: Status,
    note: Type.Optional(Note),
    ids: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
        minItems: 1,
        maxItems: 100,
        description: 'Only these entries, if they match the filters.',
      }),
    ),
  },
  { additionalProperties: false, title: 'UpdateManyFeedback' },
)
export type UpdateManyFeedbackBody = Static<typeof UpdateManyFeedbackBody>

export const UpdatedFeedback = Type.Object(
  {
    changed: count('Entries whose status changed.'),
    hasMore: Type.Boolean({
      description: 'Whether more entries match than one call can change. Call again to change them.',
    }),
  },
  isClosed('UpdatedFeedback'),
)
export type UpdatedFeedback = Static<typeof UpdatedFeedback>

export const FeedbackParams = Type.Object({ projectId: Type.String({ minLength: 1, maxLength: 64 }) })
export const FeedbackEntryParams = Type.Object({
  projectId: Type.String({ minLength: 1, maxLength: 64 }),
  feedbackId: Type.String({ minLength: 1, maxLength: 64 }),
})

const FEEDBACK = '/v1/analytics/{projectId}/feedback'

const ROW = {
  ...PUBLIC_ROW,
  area: 'analytics',
  limit: { name: 'analytics', counts: 'request' },
} as const

export const FEEDBACK_OPERATIONS = {
  getFeedback: {
    ...ROW,
    method: 'GET',
    path: FEEDBACK,
    summary: 'List feedback from readers and agents, newest first',
    params: FeedbackParams,
    query: FeedbackQuery,
    success: { status: 200, schema: FeedbackList },
  },
  updateManyFeedback: {
    ...ROW,
    method: 'PATCH',
    path: FEEDBACK,
    summary: 'Update the status of all matching feedback, at most 10,000 entries per call',
    audit: 'feedback.updated',
    params: FeedbackParams,
    query: UpdateManyFeedbackQuery,
    body: UpdateManyFeedbackBody,
    success: { status: 200, schema: UpdatedFeedback },
  },
  getFeedbackByPage: {
    ...ROW,
    method: 'GET',
    path: `${FEEDBACK}/by-page`,
    summary: 'Count feedback by page, highest count first',
    params: FeedbackParams,
    query: FeedbackByPageQuery,
    success: { status: 200, schema: PageFeedbackList },
  },
  exportFeedback: {
    ...ROW,
    method: 'GET',
    path: `${FEEDBACK}/export`,
    summary:
      'Stream all feedback that matches the filters, newest first. With `include=cursor`, an interrupted export can be continued',
    params: FeedbackParams,
    query: FeedbackExportQuery,
    success: {
      status: 200,
      contentTypes: ['application/x-ndjson', 'text/csv'],
      schema: Type.String({
        description:
          'One FeedbackEntry per line, as JSON or CSV. With `include=cursor`, each entry has a `cursor` from which an export can continue.',
      }),
      headers: { 'Content-Disposition': 'File name for the download.' },
    },
  },
  getFeedbackEntry: {
    ...ROW,
    method: 'GET',
    path: `${FEEDBACK}/{feedbackId}`,
    summary: 'Get one entry with its history',
    params: FeedbackEntryParams,
    success: { status: 200, schema: FeedbackDetail },
  },
  updateFeedback: {
    ...ROW,
    method: 'PATCH',
    path: `${FEEDBACK}/{feedbackId}`,
    summary: 'Update the status of an entry, add an internal note, or both',
    audit: 'feedback.updated',
    params: FeedbackEntryParams,
    body: UpdateFeedbackBody,
    success: { status: 200, schema: FeedbackDetail },
  },
} as const satisfies Record<string, Operation>
