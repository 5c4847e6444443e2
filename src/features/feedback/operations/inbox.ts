/** Data that the inbox shows beside the entries: context, duplicates, saved views, full text. */

import { type Static, Type } from 'typebox'
import { type DashboardOperation, DASHBOARD_ROW as ROW } from '../../../base/api/operation.ts'
import { DateTime, Line, Nullable } from '../../../base/api/schema.ts'
import { AgentJobLine } from '../../dashboard/operations/work.ts'
import { ProjectParams } from '../../projects/operations/projects.ts'
import {
  FEEDBACK_SOURCES,
  FEEDBACK_STATUSES,
  FeedbackEntry,
  FeedbackEntryParams,
  FeedbackQuery,
} from './feedback.ts'

const closed = (title: string) => ({ additionalProperties: false, title })

/** Maximum number of entries listed per group, the newest first. */
export const MAX_GROUP_ENTRIES = 100

export const SameEntry = Type.Object(
  { id: Type.String(), status: Type.Enum([...FEEDBACK_STATUSES]) },
  { additionalProperties: false },
)
export type SameEntry = Static<typeof SameEntry>

/** Maximum characters of text per entry of a group. The entry itself has the full text. */
export const GROUP_COMMENT_CHARACTERS = 300

export const GroupEntry = Type.Object(
  {
    ...SameEntry.properties,
    createdAt: Nullable(DateTime),
    comment: Nullable(
      Type.String({ description: `The first ${GROUP_COMMENT_CHARACTERS} characters: untrusted.` }),
    ),
  },
  { additionalProperties: false },
)
export type GroupEntry = Static<typeof GroupEntry>

const SameEntries = Type.Array(SameEntry, { maxItems: MAX_GROUP_ENTRIES, description: 'The newest first.' })

export const FeedbackContext = Type.Object(
  {
    page: Type.Object(
      {
        path: Type.String(),
        title: Nullable(Type.String()),
        url: Nullable(Type.String({ description: 'Address of the page; null when it is not published.' })),
        markdown: Nullable(
          Type.String({ description: 'Text of the page as it is published, at most 40,000 characters.' }),
        ),
      },
      { additionalProperties: false },
    ),
    code: Nullable(
      Type.Object(
        {
          text: Type.String({ description: 'The block as it is published now.' }),
          lang: Nullable(Type.String()),
          title: Nullable(Type.String()),
          heading: Nullable(Type.String({ description: 'The heading above it.' })),
          number: Type.Integer({ minimum: 1, description: 'Which block of the page it is.' }),
          isSame: Type.Boolean({
            description: 'False: the page has changed since, this is the block most like it.',
          }),
        },
        {
          additionalProperties: false,
          description: 'Null for feedback without code, and when the published page has no such block.',
        },
      ),
    ),
    duplicates: Type.Object(
      {
        count: Type.Integer({ minimum: 0, description: 'Entries that say the same, this one left out.' }),
        entries: SameEntries,
      },
      { additionalProperties: false },
    ),
    agentJobs: Type.Array(AgentJobLine, { maxItems: 10, description: 'Jobs that answer this entry.' }),
  },
  closed('FeedbackContext'),
)
export type FeedbackContext = Static<typeof FeedbackContext>

export const FeedbackGroupsQuery = Type.Object(
  {
    status: FeedbackQuery.properties.status,
    path: FeedbackQuery.properties.path,
    assignee: FeedbackQuery.properties.assignee,
    label: FeedbackQuery.properties.label,
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 50 })),
  },
  { additionalProperties: false },
)
export type FeedbackGroupsQuery = Static<typeof FeedbackGroupsQuery>

export const FeedbackGroup = Type.Object(
  {
    id: Type.String({
      description: 'The same for as long as its page and what is said are: entries may join it.',
    }),
    kind: Type.Enum(['text', 'code'], { description: 'The same words, or the same code block.' }),
    path: Type.String(),
    count: Type.Integer({ minimum: 2 }),
    newestAt: Nullable(DateTime),
    oldestAt: Nullable(DateTime),
    source: Type.Enum([...FEEDBACK_SOURCES], { description: 'Of the newest entry.' }),
    comment: Nullable(Type.String({ description: 'Of the newest entry: untrusted.' })),
    code: Nullable(Type.String()),
    filename: Nullable(Type.String()),
    lang: Nullable(Type.String()),
    entries: Type.Array(GroupEntry, { maxItems: MAX_GROUP_ENTRIES, description: 'The newest first.' }),
  },
  closed('FeedbackGroup'),
)
export type FeedbackGroup = Static<typeof FeedbackGroup>

export const FeedbackGroupList = Type.Object(
  {
    groups: Type.Array(FeedbackGroup, { description: 'The largest first.' }),
    isMore: Type.Boolean({ description: 'There are further groups.' }),
  },
  closed('FeedbackGroupList'),
)
export type FeedbackGroupList = Static<typeof FeedbackGroupList>

/** Maximum number of entries counted for one response. Nobody works through more than this one by one. */
export const MAX_COUNTED_ENTRIES = 50_000

export const FeedbackCountsQuery = Type.Object(
  {
    path: FeedbackQuery.properties.path,
    dateFrom: FeedbackQuery.properties.dateFrom,
    dateTo: FeedbackQuery.properties.dateTo,
  },
  { additionalProperties: false },
)
export type FeedbackCountsQuery = Static<typeof FeedbackCountsQuery>

export const FeedbackCounts = Type.Object(
  {
    counts: Type.Array(
      Type.Object(
        {
          source: Type.Enum([...FEEDBACK_SOURCES]),
          status: Type.Enum([...FEEDBACK_STATUSES]),
          count: Type.Integer({ minimum: 1 }),
        },
        { additionalProperties: false },
      ),
    ),
    isMore: Type.Boolean({ description: 'Only the newest 50,000 were counted.' }),
  },
  closed('FeedbackCounts'),
)
export type FeedbackCounts = Static<typeof FeedbackCounts>

export const SearchFeedbackQuery = Type.Object(
  {
    ...FeedbackQuery.properties,
    q: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description:
          'Words of the comment, the code, the path or the e-mail address: a part is enough, case does not matter. Or the beginning of an id.',
      }),
    ),
    vote: Type.Optional(
      Type.Enum(['up', 'down'], {
        description: 'Only entries that say the page helped, or that it did not.',
      }),
    ),
  },
  { additionalProperties: false },
)
export type SearchFeedbackQuery = Static<typeof SearchFeedbackQuery>

export const SearchedFeedback = Type.Object(
  {
    feedback: Type.Array(FeedbackEntry),
    nextCursor: Nullable(Type.String()),
    hasMore: Type.Boolean({
      description:
        'More may match. A call looks at 10,000 entries at most: also a page without entries goes on.',
    }),
    searchedTo: Nullable(
      Type.String({
        format: 'date-time',
        description: 'How far back this call has looked; null when it was to the end.',
      }),
    ),
  },
  closed('SearchedFeedback'),
)
export type SearchedFeedback = Static<typeof SearchedFeedback>

export const FeedbackView = Type.Object(
  {
    id: Type.String({ pattern: '^view_[0-9a-z]+$' }),
    name: Type.String(),
    query: Type.String({ description: 'Query string of the inbox, without the question mark.' }),
    isShared: Type.Boolean({ description: 'Seen by all members.' }),
    isMine: Type.Boolean(),
    createdAt: DateTime,
    updatedAt: DateTime,
  },
  closed('FeedbackView'),
)
export type FeedbackView = Static<typeof FeedbackView>

export const FeedbackViewList = Type.Object(
  { views: Type.Array(FeedbackView, { description: 'By name; own ones and shared ones.' }) },
  closed('FeedbackViewList'),
)
export type FeedbackViewList = Static<typeof FeedbackViewList>

export const FeedbackViewParams = Type.Object({
  projectId: Type.String({ minLength: 1, maxLength: 64 }),
  viewId: Type.String({ minLength: 1, maxLength: 64 }),
})

const VIEW_NAME = Line(100)
const VIEW_QUERY = Type.String({ maxLength: 2048 })

export const CreateFeedbackViewBody = Type.Object(
  { name: VIEW_NAME, query: VIEW_QUERY, isShared: Type.Optional(Type.Boolean()) },
  closed('CreateFeedbackView'),
)
export type CreateFeedbackViewBody = Static<typeof CreateFeedbackViewBody>

export const UpdateFeedbackViewBody = Type.Object(
  {
    name: Type.Optional(VIEW_NAME),
    query: Type.Optional(VIEW_QUERY),
    isShared: Type.Optional(Type.Boolean()),
  },
  closed('UpdateFeedbackView'),
)
export type UpdateFeedbackViewBody = Static<typeof UpdateFeedbackViewBody>

export const DeletedFeedbackView = Type.Object({ id: Type.String() }, closed('DeletedFeedbackView'))

export const SearchQuery = Type.Object(
  { q: Type.String({ minLength: 1, maxLength: 200 }) },
  { additionalProperties: false },
)
export type SearchQuery = Static<typeof SearchQuery>

export const SEARCH_KINDS = ['page', 'feedback', 'agent_job', 'export'] as const

export const SearchHit = Type.Object(
  {
    kind: Type.Enum([...SEARCH_KINDS]),
    id: Type.String({ description: 'Id of the thing, or the path of the page.' }),
    title: Type.String({ description: 'May hold text of readers: untrusted.' }),
    detail: Nullable(Type.String()),
    at: Nullable(DateTime),
  },
  closed('SearchHit'),
)
export type SearchHit = Static<typeof SearchHit>

export const SearchResult = Type.Object(
  { hits: Type.Array(SearchHit, { maxItems: 24, description: 'At most six of each kind, the best first.' }) },
  closed('SearchResult'),
)
export type SearchResult = Static<typeof SearchResult>

const PROJECT = '/internal/projects/{projectId}'
const VIEW = `${PROJECT}/feedback/views/{viewId}` as const
const OF_PROJECT = { ...ROW, params: ProjectParams } as const

export const INBOX_OPERATIONS = {
  searchFeedback: {
    ...OF_PROJECT,
    method: 'GET',
    path: `${PROJECT}/feedback/search`,
    summary: 'Find feedback by its words or its vote, newest first',
    permission: 'read',
    query: SearchFeedbackQuery,
    success: { status: 200, schema: SearchedFeedback },
  },
  countFeedback: {
    ...OF_PROJECT,
    method: 'GET',
    path: `${PROJECT}/feedback/counts`,
    summary: 'Feedback counted by source and status',
    permission: 'read',
    query: FeedbackCountsQuery,
    success: { status: 200, schema: FeedbackCounts },
  },
  listFeedbackGroups: {
    ...OF_PROJECT,
    method: 'GET',
    path: `${PROJECT}/feedback/groups`,
    summary: 'Feedback of a page that says the same, or is about the same code block, grouped',
    permission: 'read',
    query: FeedbackGroupsQuery,
    success: { status: 200, schema: FeedbackGroupList },
  },
  getFeedbackContext: {
    ...ROW,
    method: 'GET',
    path: `${PROJECT}/feedback/{feedbackId}/context`,
    summary:
      'The page and the code block that an entry is about, its duplicates, and the jobs that answer it',
    permission: 'read',
    params: FeedbackEntryParams,
    success: { status: 200, schema: FeedbackContext },
  },
  listFeedbackViews: {
    ...OF_PROJECT,
    method: 'GET',
    path: `${PROJECT}/feedback/views`,
    summary: 'List saved views of the inbox: own ones and shared ones',
    permission: 'read',
    success: { status: 200, schema: FeedbackViewList },
  },
  createFeedbackView: {
    ...OF_PROJECT,
    method: 'POST',
    path: `${PROJECT}/feedback/views`,
    summary: 'Save a view of the inbox',
    audit: 'feedback_view.created',
    permission: 'feedback',
    body: CreateFeedbackViewBody,
    success: { status: 201, schema: FeedbackView, headers: { Location: 'Address of the view.' } },
  },
  updateFeedbackView: {
    ...ROW,
    method: 'PATCH',
    path: VIEW,
    summary: 'Change a saved view: its maker, or an admin when it is shared',
    audit: 'feedback_view.updated',
    permission: 'feedback',
    params: FeedbackViewParams,
    body: UpdateFeedbackViewBody,
    success: { status: 200, schema: FeedbackView },
  },
  deleteFeedbackView: {
    ...ROW,
    method: 'DELETE',
    path: VIEW,
    summary: 'Delete a saved view: its maker, or an admin when it is shared',
    audit: 'feedback_view.deleted',
    permission: 'feedback',
    params: FeedbackViewParams,
    success: { status: 200, schema: DeletedFeedbackView },
  },
  search: {
    ...OF_PROJECT,
    method: 'GET',
    path: `${PROJECT}/search`,
    summary: 'Find pages, feedback, agent jobs and exports of a project',
    permission: 'read',
    query: SearchQuery,
    success: { status: 200, schema: SearchResult },
  },
} as const satisfies Record<string, DashboardOperation>
