/**
 * Determines the recipients of events. The feature that records an event leaves out the user who caused it, such as
 * `notifyAssignee` in feedback/assign-feedback.ts.
 * Waiting events are processed in the order of their ids. The notifications and the mark of a processed event
 * are committed in one transaction, so a killed process leaves no partial result.
 *
 *     event, waiting ──spread──▶ event, spread + a notification for each person who may see it and wants it
 *
 * A user has at most one open notification per kind and project: while it is unread and younger than an hour,
 * further events are added to its count.
 */
import { CompiledQuery, sql } from 'kysely'
import { PERMISSIONS, ROLES } from '../../base/api/roles.ts'
import { createId } from '../../base/ids.ts'
import type { Database, Tx } from '../../database/database.ts'
import { knownProjectCondition } from './known-projects.ts'
import {
  NOTIFICATION_KIND_NAMES,
  NOTIFICATION_KINDS,
  type NotificationRow,
} from './operations/notification-kinds.ts'

const MAX_EVENTS_PER_BATCH = 100
const BATCH_LINES = 1000
/** Key of an advisory lock; an arbitrary number not used elsewhere. */
const DISTRIBUTION_LOCK = 7_205_391_447

interface Line {
  organizationId: string
  userId: string
  projectId: string
  kind: string
  subject: string
  facts: object
  count: number
}

/** Returns the number of processed events; 0 while another process holds the lock. */
export async function distributeNotifications({
  transaction,
}: Pick<Database, 'transaction'>): Promise<{ events: number; hasMore: boolean }> {
  return await transaction(async (tx) => {
    if (!(await tryLock(tx))) return { events: 0, hasMore: false }
    const ids = await claimEvents(tx)
    if (ids.length === 0) return { events: 0, hasMore: false }
    const lines = await findLines(tx, ids)
    for (let start = 0; start < lines.length; start += BATCH_LINES)
      await writeLines(tx, lines.slice(start, start + BATCH_LINES))
    await tx.updateTable('notification_events').set({ is_spread: true }).where('id', 'in', ids).execute()
    return { events: ids.length, hasMore: ids.length === MAX_EVENTS_PER_BATCH }
  })
}

/** Prevents concurrent distribution, because processes cannot see each other's uncommitted notifications. */
async function tryLock(tx: Tx): Promise<boolean> {
  const { rows } = await sql<{ taken: boolean }>`
    SELECT pg_try_advisory_xact_lock(${DISTRIBUTION_LOCK}) AS taken`.execute(tx)
  return rows[0]?.taken === true
}

async function claimEvents(tx: Tx): Promise<string[]> {
  const rows = await tx
    .selectFrom('notification_events')
    .select('id')
    .where('is_spread', '=', false)
    .orderBy('id')
    .limit(MAX_EVENTS_PER_BATCH)
    .execute()
  return rows.map(({ id }) => id)
}

const RULES = JSON.stringify(
  NOTIFICATION_KIND_NAMES.map((kind) => {
    const { permission, usual, isForOwnerOnly: isForOne = false }: NotificationRow = NOTIFICATION_KINDS[kind]
    return { kind, isForOne, roles: ROLES.slice(ROLES.indexOf(PERMISSIONS[permission])), usual }
  }),
)

/** The user's choice for the project, else for all projects, else the default. */
const LEVEL = `coalesce(here.level, everywhere.level, rule.usual)`

// Locks members and projects first. The new notifications hold no locks on them yet, so a concurrent deletion
// would otherwise not wait for the notifications.
const SELECT_NOTIFICATION_LINES = `
  SELECT "organizationId", "userId", "projectId", kind, count(*)::integer AS count,
    (array_agg(subject ORDER BY id DESC))[1] AS subject, (array_agg(facts ORDER BY id DESC))[1] AS facts
  FROM (
    SELECT event.id, event.subject, event.facts, event.kind, event.project_id AS "projectId",
      event.organization_id AS "organizationId", member.user_id AS "userId"
    FROM notification_events AS event
    JOIN jsonb_to_recordset($2::jsonb) AS rule(kind text, "isForOne" boolean, roles jsonb, usual text)
      ON rule.kind = event.kind
    JOIN projects ON projects.id = event.project_id AND ${knownProjectCondition('event')}
    JOIN members AS member ON member.organization_id = event.organization_id AND rule.roles ? member.role
    LEFT JOIN members AS owner
      ON owner.organization_id = event.organization_id AND owner.user_id = event.owner_id
    LEFT JOIN notification_choices AS here ON here.organization_id = event.organization_id
      AND here.user_id = member.user_id AND here.project_id = event.project_id AND here.kind = event.kind
    LEFT JOIN notification_choices AS everywhere ON everywhere.organization_id = event.organization_id
      AND everywhere.user_id = member.user_id AND everywhere.project_id IS NULL AND everywhere.kind = event.kind
    WHERE event.id = ANY($1::text[]) AND (NOT rule."isForOne" OR owner.user_id = member.user_id)
      AND (${LEVEL} = 'all' OR (${LEVEL} = 'own' AND coalesce(owner.user_id, member.user_id) = member.user_id))
    FOR KEY SHARE OF member, projects
  ) AS recipient
  GROUP BY "organizationId", "userId", "projectId", kind`

async function findLines(tx: Tx, eventIds: readonly string[]): Promise<Line[]> {
  const { rows } = await tx.executeQuery<Line>(
    CompiledQuery.raw(SELECT_NOTIFICATION_LINES, [eventIds, RULES]),
  )
  return rows
}

// Skips a notification that is being marked concurrently; its user gets a new one.
const WRITE_NOTIFICATIONS = `
  WITH line AS (
    SELECT * FROM jsonb_to_recordset($1::jsonb) AS line(id text, "organizationId" text, "userId" text,
      "projectId" text, kind text, subject text, facts jsonb, count integer)
  ), open AS (
    SELECT notifications.id, line.id AS line_id
    FROM line JOIN notifications ON notifications.id = (
      SELECT max(newest.id) FROM notifications AS newest WHERE newest.user_id = line."userId"
        AND newest.organization_id = line."organizationId" AND newest.project_id = line."projectId"
        AND newest.kind = line.kind AND newest.read_at IS NULL)
    WHERE notifications.read_at IS NULL AND notifications.created_at > clock_timestamp() - interval '1 hour'
    FOR UPDATE OF notifications SKIP LOCKED
  ), counted AS (
    UPDATE notifications SET count = notifications.count + line.count, subject = line.subject, facts = line.facts,
      updated_at = clock_timestamp()
    FROM open JOIN line ON line.id = open.line_id
    WHERE notifications.id = open.id
    RETURNING line.id
  )
  INSERT INTO notifications (id, organization_id, user_id, project_id, kind, subject, facts, count, updated_at)
  SELECT id, "organizationId", "userId", "projectId", kind, subject, facts, count, clock_timestamp()
  FROM line WHERE NOT EXISTS (SELECT FROM counted WHERE counted.id = line.id)`

async function writeLines(tx: Tx, lines: readonly Line[]): Promise<void> {
  const rows = lines.map((line) => ({ ...line, id: createId('ntf') }))
  await tx.executeQuery(CompiledQuery.raw(WRITE_NOTIFICATIONS, [JSON.stringify(rows)]))
}
