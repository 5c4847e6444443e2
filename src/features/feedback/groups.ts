/** Groups a page's entries by equal text or by code block, largest group first. The counts require only one index. */
import { CompiledQuery } from 'kysely'
import type { Queries } from '../../database/database.ts'
import { createValues, type Filters, workConditions } from './filters.ts'
import { checkProject } from './list-feedback.ts'
import type { FeedbackSource, FeedbackStatus } from './operations/feedback.ts'
import {
  type Duplicate,
  type FeedbackGroup,
  type FeedbackGroupList,
  type GroupEntry,
  MAX_GROUP_COMMENT_CHARACTERS,
  MAX_GROUP_ENTRIES,
} from './operations/inbox.ts'
import type { ProjectScope } from './page-sql.ts'

const DEFAULT_LIMIT = 50

export async function listFeedbackGroups(
  queries: Queries,
  scope: ProjectScope,
  filters: Filters,
  limit = DEFAULT_LIMIT,
): Promise<FeedbackGroupList> {
  await checkProject(queries, scope)
  const rows = await selectGroups(queries, scope.projectId, filters, limit + 1)
  return { groups: rows.slice(0, limit).map(toGroup), isMore: rows.length > limit }
}

interface GroupRow {
  path: string
  same_hash: number
  count: number
  newest_at: Date | number | null
  oldest_at: Date | number | null
  entries: { id: string; status: FeedbackStatus; sortAt: string; comment: string | null }[]
  source: FeedbackSource
  comment: string | null
  code: string | null
  filename: string | null
  lang: string | null
}

/** Reads only the rows of the listed groups, and only the newest of each. */
async function selectGroups(
  queries: Queries,
  projectId: string,
  filters: Filters,
  limit: number,
): Promise<GroupRow[]> {
  const values = createValues()
  const project = values.add(projectId)
  const conditions = [
    `project_id = ${project}`,
    'same_hash IS NOT NULL',
    ...(filters.path === null ? [] : [`path = ${values.add(filters.path)}`]),
    ...(filters.statuses === null ? [] : [`status = ANY(${values.add(filters.statuses)}::text[])`]),
    ...workConditions(filters, values),
  ].join(' AND ')
  const limitPlaceholder = values.add(limit)
  const text = `
    SELECT sized.path, sized.same_hash, sized.count, sized.newest_at, sized.oldest_at, newest.entries,
      entry.source, entry.comment, entry.code, entry.filename, entry.lang
    FROM (
      SELECT path, same_hash, count(*) AS count, max(sort_at) AS newest_at,
        min(nullif(sort_at, '-infinity')) AS oldest_at
      FROM feedback WHERE ${conditions} GROUP BY path, same_hash HAVING count(*) > 1
      ORDER BY count DESC, newest_at DESC, path, same_hash LIMIT ${limitPlaceholder}
    ) AS sized, LATERAL (
      SELECT (array_agg(id))[1] AS id,
        json_agg(json_build_object('id', id, 'status', status, 'sortAt', sort_at, 'comment', left(comment, ${MAX_GROUP_COMMENT_CHARACTERS}))) AS entries
      FROM (SELECT id, status, sort_at, comment FROM feedback WHERE ${conditions} AND path = sized.path AND same_hash = sized.same_hash
        ORDER BY sort_at DESC, id DESC LIMIT ${MAX_GROUP_ENTRIES}) AS named
    ) AS newest JOIN feedback AS entry ON entry.id = newest.id
    ORDER BY sized.count DESC, sized.newest_at DESC, sized.path, sized.same_hash`
  const { rows } = await queries.executeQuery<GroupRow>(CompiledQuery.raw(text, values.list))
  return rows
}

function toGroup(row: GroupRow): FeedbackGroup {
  return {
    id: `${row.same_hash.toString(36)}:${row.path}`,
    kind: row.code === null ? 'text' : 'code',
    path: row.path,
    count: row.count,
    newestAt: toTime(row.newest_at),
    oldestAt: toTime(row.oldest_at),
    source: row.source,
    comment: row.comment,
    code: row.code,
    filename: row.filename,
    lang: row.lang,
    entries: row.entries.map(toGroupEntry),
  }
}

/** Returns null for entries without a time, whose -infinity is not a date. */
function toTime(at: Date | number | null): string | null {
  return at instanceof Date ? at.toISOString() : null
}

function toGroupEntry({ id, status, sortAt, comment }: GroupRow['entries'][number]): GroupEntry {
  const createdAt = sortAt === '-infinity' ? null : new Date(sortAt).toISOString()
  return { id, status, createdAt, comment }
}

interface DuplicateRow {
  ids: string[]
  statuses: FeedbackStatus[]
}

function toDuplicateEntries({ ids, statuses }: DuplicateRow): Duplicate[] {
  return ids.map((id, index) => ({ id, status: statuses[index] ?? 'pending' }))
}

export async function findDuplicates(
  queries: Queries,
  projectId: string,
  entry: { id: string; path: string; same_hash: number | null },
): Promise<{ count: number; entries: Duplicate[] }> {
  if (entry.same_hash === null) return { count: 0, entries: [] }
  const text = `
    WITH same AS MATERIALIZED (
      SELECT id, status, sort_at FROM feedback
      WHERE project_id = $1 AND path = $2 AND same_hash = $3 AND id <> $4),
    newest AS (SELECT id, status FROM same ORDER BY sort_at DESC, id DESC LIMIT ${MAX_GROUP_ENTRIES})
    SELECT (SELECT count(*) FROM same) AS count, array_agg(id) AS ids, array_agg(status) AS statuses FROM newest`
  const values = [projectId, entry.path, entry.same_hash, entry.id]
  const { rows } = await queries.executeQuery<{
    count: number
    ids: string[] | null
    statuses: FeedbackStatus[] | null
  }>(CompiledQuery.raw(text, values))
  const [found] = rows
  if (!found?.ids || !found.statuses) return { count: 0, entries: [] }
  return { count: found.count, entries: toDuplicateEntries({ ids: found.ids, statuses: found.statuses }) }
}
