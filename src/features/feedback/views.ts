/** Saved views of the inbox: private to their creator, or shared with all users of the project. */
import { sql } from 'kysely'
import { AppError } from '../../base/errors/errors.ts'
import { type Fault, faultAt } from '../../base/errors/fault.ts'
import { createId } from '../../base/ids.ts'
import type { Queries, Tx } from '../../database/database.ts'
import { checkProject } from './list-feedback.ts'
import type {
  CreateFeedbackViewBody,
  FeedbackView,
  FeedbackViewList,
  UpdateFeedbackViewBody,
} from './operations/inbox.ts'
import type { ProjectScope } from './page-sql.ts'

export interface ViewScope extends ProjectScope {
  userId: string
  /** Whether the user may also change shared views of other users. */
  isAdmin: boolean
}

const MAX_VIEWS = 100

export async function listFeedbackViews(queries: Queries, scope: ViewScope): Promise<FeedbackViewList> {
  await checkProject(queries, scope)
  const rows = await queries
    .selectFrom('feedback_views')
    .selectAll()
    .where('project_id', '=', scope.projectId)
    .where((either) => either.or([either('user_id', '=', scope.userId), either('is_shared', '=', true)]))
    .orderBy(sql`lower(name)`)
    .orderBy('id')
    .limit(500)
    .execute()
  return { views: rows.map((row) => toView(row, scope.userId)) }
}

/** Throws AppError `not_found`, `too_many_views`. */
export async function createFeedbackView(
  tx: Tx,
  scope: ViewScope,
  wanted: CreateFeedbackViewBody,
): Promise<FeedbackView> {
  await checkProject(tx, scope)
  const { projectId, userId } = scope
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`views:${projectId}:${userId}`}, 0))`.execute(tx)
  const { count } = await tx
    .selectFrom('feedback_views')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('project_id', '=', projectId)
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  if (count >= MAX_VIEWS) throw new AppError('too_many_views')
  const row = await tx
    .insertInto('feedback_views')
    .values({
      id: createId('view'),
      project_id: projectId,
      user_id: userId,
      name: wanted.name.trim(),
      query: wanted.query,
      is_shared: wanted.isShared ?? false,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  return toView(row, userId)
}

/** Throws AppError `not_found`, also for private views of others and shared views without permission. */
export async function updateFeedbackView(
  tx: Tx,
  scope: ViewScope,
  viewId: string,
  change: UpdateFeedbackViewBody,
): Promise<FeedbackView> {
  await requireChangeable(tx, scope, viewId)
  const { name, query, isShared } = change
  const row = await tx
    .updateTable('feedback_views')
    .set({
      ...(name === undefined ? {} : { name: name.trim() }),
      ...(query === undefined ? {} : { query }),
      ...(isShared === undefined ? {} : { is_shared: isShared }),
      updated_at: sql<Date>`clock_timestamp()`,
    })
    .where('id', '=', viewId)
    .returningAll()
    .executeTakeFirstOrThrow()
  return toView(row, scope.userId)
}

/** Throws AppError `not_found`, like `updateFeedbackView`. */
export async function deleteFeedbackView(tx: Tx, scope: ViewScope, viewId: string): Promise<{ id: string }> {
  await requireChangeable(tx, scope, viewId)
  await tx.deleteFrom('feedback_views').where('id', '=', viewId).execute()
  return { id: viewId }
}

async function requireChangeable(tx: Tx, scope: ViewScope, viewId: string): Promise<void> {
  await checkProject(tx, scope)
  const row = await tx
    .selectFrom('feedback_views')
    .select(['user_id', 'is_shared'])
    .where('id', '=', viewId)
    .where('project_id', '=', scope.projectId)
    .forUpdate()
    .executeTakeFirst()
  const isTheirs = row?.user_id === scope.userId || (row?.is_shared === true && scope.isAdmin)
  if (!isTheirs) throw new AppError('not_found')
}

interface ViewRow {
  id: string
  user_id: string
  name: string
  query: string
  is_shared: boolean
  created_at: Date
  updated_at: Date
}

function toView(row: ViewRow, userId: string): FeedbackView {
  return {
    id: row.id,
    name: row.name,
    query: row.query,
    isShared: row.is_shared,
    isMine: row.user_id === userId,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  }
}

export function viewFaults(body: unknown): Fault[] {
  const { query } = (body ?? {}) as { query?: unknown }
  const faults: Fault[] = []
  if (typeof query === 'string' && /^\?|[\s#\p{Cc}]/u.test(query))
    faults.push(faultAt('/query', 'invalid_view_query'))
  return faults
}
