/** Reads the audit log with filters: page by page, or all of it as a stream. */
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { AppError } from '../../../base/errors/errors.ts'
import { type Fault, faultAt, type Parsed } from '../../../base/errors/fault.ts'
import { type CursorCodec, pageOf } from '../../../base/signed-cursor.ts'
import { csvLine } from '../../../base/text/csv.ts'
import type { Queries } from '../../../database/database.ts'
import type { AuditExportQuery, AuditList, AuditQuery, AuditRow } from '../operations/organization.ts'

const MAX_TITLE_CHARACTERS = 200

export type ReadMoment = (text: string) => number | null

export interface AuditDeps {
  cursors: CursorCodec
  readMoment: ReadMoment
}

const DEFAULT_PAGE_SIZE = 50
/** Maximum number of rows that a text search scans, because the texts are not indexed. */
const MAX_SEARCHED_ROWS = 50_000
const BATCH = 500

interface Position {
  /** Milliseconds since the epoch. */
  at: number
  id: string
}

/** Milliseconds since the epoch: `from` is included, `to` is not. Null means unbounded. */
export interface AuditRange {
  from: number | null
  to: number | null
}

/**
 * Validates rules that the schema of the query cannot express. The cursor is checked later, once the organization of the
 * log is known.
 */
export function parseAuditRange(
  { readMoment }: AuditDeps,
  query: Readonly<Record<string, unknown>>,
): Parsed<AuditRange> {
  const faults: Fault[] = []
  const readBound = (name: 'dateFrom' | 'dateTo') => {
    const text = query[name]
    if (typeof text !== 'string') return null
    const moment = readMoment(text)
    if (moment === null) faults.push(faultAt(name, 'invalid_moment', { value: text.slice(0, 80) }))
    return moment
  }
  const from = readBound('dateFrom')
  const to = readBound('dateTo')
  if (from !== null && to !== null && from >= to) faults.push(faultAt('dateFrom', 'dates_reversed'))
  return { value: { from, to }, faults }
}

const CURSOR_FAULT = faultAt('cursor', 'invalid_cursor')

/** Returns the newest rows first. Throws AppError `invalid_request` for a cursor from another list. */
export async function readAudit(
  deps: AuditDeps,
  db: Queries,
  organizationId: string,
  query: AuditQuery,
  range: AuditRange,
): Promise<AuditList> {
  const scope = cursorScope(organizationId, query)
  const limit = query.limit ?? DEFAULT_PAGE_SIZE
  const after = readCursor(deps, scope, query.cursor)
  const rows = await selectRows(db, organizationId, query, range, { after, limit: limit + 1 })
  const { shown, paging } = pageOf(rows, limit, (last) =>
    deps.cursors.encode(scope, [Date.parse(last.at), last.id]),
  )
  return { rows: shown, ...paging }
}

export interface AuditExport {
  contentType: 'application/x-ndjson' | 'text/csv'
  filename: string
  lines: AsyncGenerator<string>
}

function readCursor({ cursors }: AuditDeps, scope: string, cursor: string | undefined): Position | null {
  if (cursor === undefined) return null
  const position = cursors.decode(scope, cursor)
  if (position === null) throw new AppError('invalid_request', { details: [CURSOR_FAULT] })
  return { at: Number(position[0]), id: String(position[1]) }
}

/** Streams the log in batches, so that only one batch is in memory at a time. */
export function exportAudit(
  db: Queries,
  organizationId: string,
  query: AuditExportQuery,
  range: AuditRange,
): AuditExport {
  const batches = readBatches(db, organizationId, query, range)
  const filename = `audit-${organizationId}`
  if (query.format === 'csv')
    return { contentType: 'text/csv', filename: `${filename}.csv`, lines: toCsv(batches) }
  return { contentType: 'application/x-ndjson', filename: `${filename}.jsonl`, lines: toJsonLines(batches) }
}

function cursorScope(organizationId: string, query: Readonly<Record<string, unknown>>): string {
  const { actor, action, subject, q, dateFrom, dateTo } = query
  const filters = [actor, action, subject, dateFrom, dateTo, ...(q === undefined ? [] : [q])].map(
    (value) => value ?? null,
  )
  return `audit:${organizationId}:${JSON.stringify(filters)}`
}

async function* readBatches(
  db: Queries,
  organizationId: string,
  query: AuditExportQuery,
  range: AuditRange,
): AsyncGenerator<AuditRow[]> {
  let after: Position | null = null
  while (true) {
    const rows: AuditRow[] = await selectRows(db, organizationId, query, range, { after, limit: BATCH })
    const last = rows.at(-1)
    if (last === undefined) return
    yield rows
    if (rows.length < BATCH) return
    after = { at: Date.parse(last.at), id: last.id }
  }
}

async function* toJsonLines(batches: AsyncIterable<AuditRow[]>): AsyncGenerator<string> {
  for await (const rows of batches) yield rows.map((row) => `${JSON.stringify(row)}\n`).join('')
}

async function* toCsv(batches: AsyncIterable<AuditRow[]>): AsyncGenerator<string> {
  yield csvLine(['id', 'at', 'actor', 'actorName', 'action', 'subject', 'details'])
  for await (const rows of batches) yield rows.map(toCsvLine).join('')

  function toCsvLine({ id, at, actor, actorName, action, subject, details }: AuditRow): string {
    return csvLine([id, at, actor, actorName, action, subject, JSON.stringify(details)])
  }
}

async function selectRows(
  db: Queries,
  organizationId: string,
  { actor, action, subject, q }: AuditQuery | AuditExportQuery,
  { from, to }: AuditRange,
  { after, limit }: { after: Position | null; limit: number },
): Promise<AuditRow[]> {
  let query = db
    .selectFrom('audit_rows as row')
    .leftJoin('users as person', 'person.id', 'row.actor')
    .leftJoin('api_keys as key', (join) =>
      join.onRef('key.id', '=', 'row.actor').onRef('key.organization_id', '=', 'row.organization_id'),
    )
    .select(['row.id', 'row.at', 'row.actor', 'row.action', 'row.subject', 'row.details'])
    .select(sql<string | null>`coalesce(person.name, key.name)`.as('actor_name'))
    .where('row.organization_id', '=', organizationId)
  if (actor !== undefined) query = query.where('row.actor', '=', actor)
  if (subject !== undefined) query = query.where('row.subject', '=', subject)
  if (action !== undefined)
    query = action.includes('.')
      ? query.where('row.action', '=', action)
      : query.where(sql<boolean>`starts_with(row.action, ${`${action}.`})`)
  if (from !== null) query = query.where('row.at', '>=', new Date(from))
  if (to !== null) query = query.where('row.at', '<', new Date(to))
  if (after !== null)
    query = query.where(sql<boolean>`(row.at, row.id) < (${new Date(after.at)}::timestamptz(3), ${after.id})`)
  const newest = query.orderBy('row.at', 'desc').orderBy('row.id', 'desc')
  const rows = await (q === undefined
    ? newest
    : db
        .selectFrom(newest.limit(MAX_SEARCHED_ROWS).as('row'))
        .selectAll()
        .where(matchesText(organizationId, q))
  )
    .limit(limit)
    .execute()
  const subjects = await findSubjectNames(
    db,
    organizationId,
    rows.map((row) => row.subject),
  )
  return rows.map((row) => ({
    id: row.id,
    at: row.at.toISOString(),
    actor: row.actor,
    actorName: row.actor_name,
    action: row.action,
    subject: row.subject,
    subjectName: subjects.get(row.subject)?.name ?? null,
    projectId: subjects.get(row.subject)?.projectId ?? null,
    projectName: subjects.get(row.subject)?.projectName ?? null,
    details: row.details,
  }))
}

/** Matches rows that contain the words, or whose subject's current name contains them. */
function matchesText(organizationId: string, q: string): RawBuilder<SqlBool> {
  const part = `%${q.replace(/[\\%_]/g, '\\$&')}%`
  return sql<boolean>`(row.subject ILIKE ${part} OR row.details::text ILIKE ${part} OR row.actor_name ILIKE ${part}
    OR row.subject IN (
      SELECT id FROM all_projects WHERE organization_id = ${organizationId} AND name ILIKE ${part}
      UNION ALL SELECT id FROM api_keys WHERE organization_id = ${organizationId} AND name ILIKE ${part}
      UNION ALL SELECT id FROM agent_jobs WHERE organization_id = ${organizationId} AND title ILIKE ${part}
      UNION ALL SELECT id FROM webhook_endpoints WHERE organization_id = ${organizationId} AND url ILIKE ${part}
      UNION ALL SELECT u.id FROM users AS u JOIN members AS m ON m.user_id = u.id
        WHERE m.organization_id = ${organizationId} AND (u.name ILIKE ${part} OR u.email ILIKE ${part})
    ))`
}

interface AuditSubject {
  name: string | null
  projectId: string | null
  projectName: string | null
}

/** Looks up all names in one round trip. Deleted subjects and those of other organizations are left out. */
async function findSubjectNames(
  db: Queries,
  organizationId: string,
  subjects: readonly string[],
): Promise<Map<string, AuditSubject>> {
  const ids = [...new Set(subjects)]
  if (ids.length === 0) return new Map()
  const { rows } = await sql<AuditSubject & { id: string }>`
    SELECT known.id, left(known.name, ${MAX_TITLE_CHARACTERS}) AS name,
      project.id AS "projectId", project.name AS "projectName"
    FROM (
      SELECT id, name, id AS project_id FROM all_projects WHERE id = ANY(${ids}) AND organization_id = ${organizationId}
      UNION ALL SELECT id, name, NULL FROM api_keys WHERE id = ANY(${ids}) AND organization_id = ${organizationId}
      UNION ALL SELECT id, email, NULL FROM invitations WHERE id = ANY(${ids}) AND organization_id = ${organizationId}
      UNION ALL SELECT id, prefix, NULL FROM git_credentials
        WHERE id = ANY(${ids}) AND organization_id = ${organizationId}
      UNION ALL SELECT id, coalesce(title, (
          SELECT split_part(btrim(prompt, E' \\r\\n\\t'), E'\\n', 1) FROM agent_job_prompts
          WHERE job_id = agent_jobs.id ORDER BY number LIMIT 1
        )), project_id FROM agent_jobs
        WHERE id = ANY(${ids}) AND organization_id = ${organizationId}
      UNION ALL SELECT id, name, project_id FROM automations
        WHERE id = ANY(${ids}) AND organization_id = ${organizationId}
      UNION ALL SELECT id, name, project_id FROM code_repositories
        WHERE id = ANY(${ids}) AND organization_id = ${organizationId}
      UNION ALL SELECT id, domain, project_id FROM static_exports
        WHERE id = ANY(${ids}) AND organization_id = ${organizationId}
      UNION ALL SELECT id, NULL, project_id FROM deployments
        WHERE id = ANY(${ids}) AND organization_id = ${organizationId}
      UNION ALL SELECT id, branch, project_id FROM previews
        WHERE id = ANY(${ids}) AND organization_id = ${organizationId}
      UNION ALL SELECT id, url, project_id FROM webhook_endpoints
        WHERE id = ANY(${ids}) AND organization_id = ${organizationId}
      UNION ALL SELECT entry.id, coalesce(entry.comment, entry.path), entry.project_id FROM feedback AS entry
        WHERE entry.id = ANY(${ids})
      UNION ALL SELECT view.id, view.name, view.project_id FROM feedback_views AS view WHERE view.id = ANY(${ids})
      UNION ALL SELECT label.id, label.name, label.project_id FROM feedback_labels AS label WHERE label.id = ANY(${ids})
      UNION ALL SELECT person.id, person.name, NULL FROM users AS person
        JOIN members AS member ON member.user_id = person.id AND member.organization_id = ${organizationId}
        WHERE person.id = ANY(${ids})
    ) AS known (id, name, project_id)
    LEFT JOIN all_projects AS project ON project.id = known.project_id AND project.organization_id = ${organizationId}
    WHERE known.project_id IS NULL OR project.id IS NOT NULL`.execute(db)
  return new Map(rows.map(({ id, ...subject }) => [id, subject]))
}
