/** Reports the statements that a pull request may make false: one comment and an optional status. */
import { type Selectable, sql } from 'kysely'
import { recordAudit, SYSTEM_ACTOR } from '../../database/audit.ts'
import type { Database } from '../../database/database.ts'
import type { Schema } from '../../database/schema.ts'
import { type Forge, ForgeError } from '../../git/forges/forge.ts'
import type { ProjectSourceRow } from '../../git/project-source.ts'
import { describeChange, REASONS } from './describe.ts'
import { type CheckRow, isOfCheck, updateCheck } from './store-check.ts'

export interface ReportAlarmsDeps {
  database: Database
  openForge(row: ProjectSourceRow): Promise<Forge>
  publicUrl: () => string
}

const MAX_REPORTED_ALARMS = 30
const REPORT_TIMEOUT_MS = 60_000

/**
 * Returns the forge's reason for rejecting the status, or null. A rejection does not prevent the comment,
 * which is created at the first alarm.
 */
export async function reportPullRequest(
  { database, openForge, publicUrl }: ReportAlarmsDeps,
  row: CheckRow,
  { source, commit }: { source: ProjectSourceRow; commit: string },
  signal: AbortSignal,
): Promise<string | null> {
  const { project_id: projectId, pull_request: number } = row
  const alarms = await database.queries
    .selectFrom('open_statement_alarms')
    .selectAll()
    .where(isOfCheck(row))
    .orderBy('page')
    .orderBy('line')
    .execute()
  const settings = await database.queries
    .selectFrom('project_publishing')
    .select('statement_status')
    .where('project_id', '=', projectId)
    .executeTakeFirst()
  const url = `${publicUrl()}/p/${projectId}/statements?state=in_doubt`
  const forge = await openForge(source)
  const text = alarmText(alarms, url, forge.readApprovals !== undefined)
  const hasStatus = settings?.statement_status ?? false
  const state = alarms.length === 0 ? 'success' : 'failure'
  const status = hasStatus ? `${commit} ${state}` : ''
  // Format of the last report: the status on the first line, followed by the comment if there is one.
  const last = row.reported ?? '\n'
  const hasComment = alarms.length > 0 || !last.endsWith('\n')
  const reported = `${status}\n${hasComment ? text : ''}`
  if (reported === last) return null
  const ending = AbortSignal.any([signal, AbortSignal.timeout(REPORT_TIMEOUT_MS)])
  const branch = /^refs\/heads\/(.+)/.exec(row.ref ?? '')?.[1] ?? null
  let refusal: string | null = null
  if (hasStatus)
    try {
      await forge.setStatus?.(
        { name: 'octavo/statements', commit, branch, url, state, description: count(alarms.length) },
        ending,
      )
    } catch (error) {
      if (!(error instanceof ForgeError) || error.isTemporary) throw error
      refusal = error.message
    }
  const written =
    hasComment &&
    (await forge.writeComment?.(String(number), { name: `statements of ${projectId}`, text }, ending))
  const listed = alarms.slice(0, MAX_REPORTED_ALARMS).map(({ statement, change }) => ({ statement, change }))
  const comment = written && forge.readApprovals !== undefined ? JSON.stringify({ ...written, listed }) : null
  await updateCheck(database.queries, row, { reported, comment })
  return refusal
}

/**
 * Confirms the statements listed in the comment, for the changes listed with them, once a user with write access to the
 * repository has given the comment a thumbs-up. Runs before new alarms are stored, because no user has seen those yet.
 */
export async function confirmByReaction(
  { database, openForge }: ReportAlarmsDeps,
  row: CheckRow,
  source: ProjectSourceRow,
  signal: AbortSignal,
): Promise<void> {
  const { project_id: projectId, pull_request: number, comment } = row
  if (comment === null || comment.listed.length === 0) return
  const forge = await openForge(source)
  const ending = AbortSignal.any([signal, AbortSignal.timeout(REPORT_TIMEOUT_MS)])
  const [name] = (await forge.readApprovals?.(String(number), comment, ending)) ?? []
  if (name === undefined) return
  const by = `${name} (${forge.kind})`
  await database.transaction(async (tx) => {
    for (const { statement, change } of comment.listed)
      await sql`
        INSERT INTO statement_confirmations AS held (project_id, statement, changes, confirmed_by)
        SELECT project_id, id, ARRAY[definition, ${change}], ${by} FROM statements
        WHERE project_id = ${projectId} AND id = ${statement}
        ON CONFLICT (project_id, statement) DO UPDATE SET changes = held.changes || excluded.changes,
          confirmed_by = excluded.confirmed_by, confirmed_at = clock_timestamp()
        WHERE held.changes IS NOT NULL`.execute(tx)
    // If a confirmation is withdrawn later, the same reaction must not repeat it.
    await updateCheck(tx, row, { comment: JSON.stringify({ ...comment, listed: [] }) })
    await recordAudit(tx, {
      ...{ organizationId: row.organization_id, actor: SYSTEM_ACTOR, subject: projectId },
      action: 'statement.confirmed',
      details: { by, pullRequest: number, statements: comment.listed.length, for: 'change' },
    })
  })
}

type OpenAlarm = Selectable<Schema['open_statement_alarms']>

function alarmText(alarms: readonly OpenAlarm[], url: string, hasReactions: boolean): string {
  if (alarms.length === 0) return '**Docs:** no statements may be false because of this change.'
  const rest = alarms.length - MAX_REPORTED_ALARMS
  return [
    `**Docs:** ${count(alarms.length)}. Review them, and [confirm](${url}) those that are still true.${hasReactions ? ' A 👍 on this comment confirms all that it lists, for this change.' : ''}`,
    ...alarms.slice(0, MAX_REPORTED_ALARMS).map(describe),
    ...(rest > 0 ? [`and ${rest} more`] : []),
  ].join('\n\n')
}

function describe({ page, line, text, found: { reason, name, before, after } }: OpenAlarm): string {
  const lines = describeChange({ before, after })
  return [
    `${code(`${page}:${line}`)}: ${code(name)} ${REASONS[reason]}.`,
    `> ${code(text)}`,
    ['~~~~diff', ...lines.map((one) => one.replace(/[\r\n]+/g, ' ').replaceAll('~~~~', '~~~')), '~~~~'].join(
      '\n',
    ),
  ].join('\n')
}

function count(alarms: number): string {
  if (alarms === 0) return 'No statements may be false'
  return alarms === 1 ? '1 statement may be false' : `${alarms} statements may be false`
}

/** Formats untrusted text as a code span, so that the text cannot end the span. */
function code(text: string): string {
  return `\`${text.replace(/[`\s]+/g, ' ').trim() || ' '}\``
}
