/** Data shown next to the entries of the inbox: context, duplicates, saved views, full text. */

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

const closedObject = (title: string) => ({ additionalProperties: false, title })

export const MAX_GROUP_ENTRIES = 100

export const Duplicate = Type.Object(
  { id: Type.String(), status: Type.Enum([...FEEDBACK_STATUSES]) },
  { additionalProperties: false },
)
export type Duplicate = Static<typeof Duplicate>

/** Maximum number of characters per entry of a group; the entry itself has the full text. */
export const MAX_GROUP_COMMENT_CHARACTERS = 300

export const GroupEntry = Type.Object(
  {
    ...Duplicate.properties,
    createdAt: Nullable(DateTime),
    comment: Nullable(
      Type.String({
        description: `First ${MAX_GROUP_COMMENT_CHARACTERS} characters of the comment: untrusted.`,
      }),
    ),
  },
  { additionalProperties: false },
)
export type GroupEntry = Static<typeof GroupEntry>

const DuplicateEntries = Type.Array(Duplicate, {
  maxItems: MAX_GROUP_ENTRIES,
  description: 'Newest first.',
})

export const FeedbackContext = Type.Object(
  {
    page: Type.Object(
      {
        path: Type.String(),
        title: Nullable(Type.String()),
        url: Nullable(Type.String({ description: 'URL of the page; null if it is not published.' })),
        markdown: Nullable(
          Type.String({ description: 'Published text of the page, at most 40,000 characters.' }),
        ),
      },
      { additionalProperties: false },
    ),
    code: Nullable(
      Type.Object(
        {
          text: Type.String({ description: 'The currently published block.' }),
          lang: Nullable(Type.String()),
          title: Nullable(Type.String()),
          heading: Nullable(Type.String({ description: 'Heading above the block.' })),
          number: Type.Integer({ minimum: 1, description: 'Number of the block on the page.' }),
          isSame: Type.Boolean({
            description: 'False: the page has changed, and this is the most similar block.',
          }),
        },
        {
          additionalProperties: false,
          description: 'Null for feedback without code, or if the published page has no matching block.',
        },
      ),
    ),
    duplicates: Type.Object(
      {
        count: Type.Integer({ minimum: 0, description: 'Number of other entries with similar text.' }),
        entries: DuplicateEntries,
      },
      { additionalProperties: false },
    ),
    agentJobs: Type.Array(AgentJobLine, { maxItems: 10, description: 'Jobs that address this entry.' }),
  },
  closedObject('FeedbackContext'),
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
      description: 'Does not change when entries are added; depends only on the page and the text.',
    }),
    kind: Type.Enum(['text', 'code'], {
      description: 'Whether the entries have similar text or the same code block.',
    }),
    path: Type.String(),
    count: Type.Integer({ minimum: 2 }),
    newestAt: Nullable(DateTime),
    oldestAt: Nullable(DateTime),
    source: Type.Enum([...FEEDBACK_SOURCES], { description: 'Source of the newest entry.' }),
    comment: Nullable(Type.String({ description: 'Comment of the newest entry: untrusted.' })),
    code: Nullable(Type.String()),
    filename: Nullable(Type.String()),
    lang: Nullable(Type.String()),
    entries: Type.Array(GroupEntry, { maxItems: MAX_GROUP_ENTRIES, description: 'Newest first.' }),
  },
  closedObject('FeedbackGroup'),
)
export type FeedbackGroup = Static<typeof FeedbackGroup>

export const FeedbackGroupList = Type.Object(
  {
    groups: Type.Array(FeedbackGroup, { description: 'Largest first.' }),
    isMore: Type.Boolean({ description: 'Whether there are more groups.' }),
  },
  closedObject('FeedbackGroupList'),
)
export type FeedbackGroupList = Static<typeof FeedbackGroupList>

/** Maximum number of entries counted per response; nobody reviews more entries individually. */
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
    isMore: Type.Boolean({ description: 'Whether only the newest 50,000 entries were counted.' }),
  },
  closedObject('FeedbackCounts'),
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
          'Text to find in the comment, code, path or email address (case-insensitive), or the beginning of an ID.',
      }),
    ),
    vote: Type.Optional(
      Type.Enum(['up', 'down'], {
        description: 'Only entries with this vote.',
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
        'Whether more entries may match. One call searches at most 10,000 entries, so even an empty page can be followed by another page.',
    }),
    searchedTo: Nullable(
      Type.String({
        format: 'date-time',
        description:
          'Creation time of the oldest entry that this call searched; null: all entries were searched.',
      }),
    ),
  },
  closedObject('SearchedFeedback'),
)
export type SearchedFeedback = Static<typeof SearchedFeedback>

export const FeedbackView = Type.Object(
  {
    id: Type.String({ pattern: '^view_[0-9a-z]+$' }),
    name: Type.String(),
    query: Type.String({ description: 'Query string of the inbox, without the question mark.' }),
    isShared: Type.Boolean({ description: 'Whether all members can see it.' }),
    isMine: Type.Boolean(),
    createdAt: DateTime,
    updatedAt: DateTime,
  },
  closedObject('FeedbackView'),
)
export type FeedbackView = Static<typeof FeedbackView>

export const FeedbackViewList = Type.Object(
  { views: Type.Array(FeedbackView, { description: 'Your own and shared views, sorted by name.' }) },
  closedObject('FeedbackViewList'),
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
  closedObject('CreateFeedbackView'),
)
export type CreateFeedbackViewBody = Static<typeof CreateFeedbackViewBody>

export const UpdateFeedbackViewBody = Type.Object(
  {
    name: Type.Optional(VIEW_NAME),
    query: Type.Optional(VIEW_QUERY),
    isShared: Type.Optional(Type.Boolean()),
  },
  closedObject('UpdateFeedbackView'),
)
export type UpdateFeedbackViewBody = Static<typeof UpdateFeedbackViewBody>

export const DeletedFeedbackView = Type.Object({ id: Type.String() }, closedObject('DeletedFeedbackView'))

export const SearchQuery = Type.Object(
  { q: Type.String({ minLength: 1, maxLength: 200 }) },
  { additionalProperties: false },
)
export type SearchQuery = Static<typeof SearchQuery>

export const SEARCH_KINDS = ['page', 'feedback', 'agent_job', 'export'] as const

export const SearchHit = Type.Object(
  {
    kind: Type.Enum([...SEARCH_KINDS]),
    id: Type.String({ description: 'ID of the result, or the path of the page.' }),
    title: Type.String({ description: 'May contain text from readers: untrusted.' }),
    detail: Nullable(Type.String()),
    at: Nullable(DateTime),
  },
  closedObject('SearchHit'),
)
export type SearchHit = Static<typeof SearchHit>

export const SearchResult = Type.Object(
  {
    hits: Type.Array(SearchHit, {
      maxItems: 24,
      description: 'At most six results of each kind, best matches first.',
    }),
  },
  closedObject('SearchResult'),
)
export type SearchResult = Static<typeof SearchResult>

const PROJECT = '/internal/projects/{projectId}'
const VIEW = `${PROJECT}/feedback/views/{viewId}` as const
const PROJECT_ROW = { ...ROW, params: ProjectParams } as const

export const INBOX_OPERATIONS = {
  searchFeedback: {
    ...PROJECT_ROW,
    method: 'GET',
    path: `${PROJECT}/feedback/search`,
    summary: 'Search feedback by text or vote, newest first',
    permission: 'read',
    query: SearchFeedbackQuery,
    success: { status: 200, schema: SearchedFeedback },
  },
  countFeedback: {
    ...PROJECT_ROW,
    method: 'GET',
    path: `${PROJECT}/feedback/counts`,
    summary: 'Count feedback by source and status',
    permission: 'read',
    query: FeedbackCountsQuery,
    success: { status: 200, schema: FeedbackCounts },
  },
  listFeedbackGroups: {
    ...PROJECT_ROW,
    method: 'GET',
    path: `${PROJECT}/feedback/groups`,
    summary: 'Group the feedback on a page by similar text or by code block',
    permission: 'read',
    query: FeedbackGroupsQuery,
    success: { status: 200, schema: FeedbackGroupList },
  },
  getFeedbackContext: {
    ...ROW,
    method: 'GET',
    path: `${PROJECT}/feedback/{feedbackId}/context`,
    summary: 'Return the page and code block of an entry, its duplicates, and the jobs that address it',
    permission: 'read',
    params: FeedbackEntryParams,
    success: { status: 200, schema: FeedbackContext },
  },
  listFeedbackViews: {
    ...PROJECT_ROW,
    method: 'GET',
    path: `${PROJECT}/feedback/views`,
    summary: 'List your own and shared views of the inbox',
    permission: 'read',
    success: { status: 200, schema: FeedbackViewList },
  },
  createFeedbackView: {
    ...PROJECT_ROW,
    method: 'POST',
    path: `${PROJECT}/feedback/views`,
    summary: 'Save a view of the inbox',
    audit: 'feedback_view.created',
    permission: 'feedback',
    body: CreateFeedbackViewBody,
    success: { status: 201, schema: FeedbackView, headers: { Location: 'URL of the view.' } },
  },
  updateFeedbackView: {
    ...ROW,
    method: 'PATCH',
    path: VIEW,
    summary: 'Update a saved view; allowed for its creator and, if the view is shared, for admins',
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
    summary: 'Delete a saved view; allowed for its creator and, if the view is shared, for admins',
    audit: 'feedback_view.deleted',
    permission: 'feedback',
    params: FeedbackViewParams,
    success: { status: 200, schema: DeletedFeedbackView },
  },
  search: {
    ...PROJECT_ROW,
    method: 'GET',
    path: `${PROJECT}/search`,
    summary: 'Search pages, feedback, agent jobs and exports of a project',
    permission: 'read',
    query: SearchQuery,
    success: { status: 200, schema: SearchResult },
  },
} as const satisfies Record<string, DashboardOperation>
