/**
 * Moves a project with all its data to another organization in one transaction, so that it always belongs to
 * exactly one. Rows that refer to the organization are updated through their foreign keys (migration
 * `project_transfers`).
 */

import { CompiledQuery, sql } from 'kysely'
import { MAX_PREVIEWS_BY_PLAN } from '../../../base/api/plans.ts'
import { AppError } from '../../../base/errors/errors.ts'
import { createFault } from '../../../base/errors/fault.ts'
import { recordAudit, SYSTEM_ACTOR } from '../../../database/audit.ts'
import type { Queries, Tx } from '../../../database/database.ts'
import { removeExcessPreviews } from '../../hosting/previews/previews.ts'
import { type ProjectTransfer, TRANSFER_LOSSES, type TransferLoss } from '../operations/transfer.ts'
import { PROJECT_DATA, type ProjectTable } from './project-data.ts'
import { countWorkInProgress } from './work-in-progress.ts'

export interface Move {
  projectId: string
  from: string
  to: string
  actor: string
  /** Whether the operator moves the project. If so, the project keeps the folders granted to it. */
  isOperator: boolean
}

const NEW_MEMBERS_QUERY = 'SELECT user_id FROM members WHERE organization_id = $2'

/** Counts the losses listed before a transfer. `$1` is the project, `$2` the new organization or null. */
const LOSS_COUNT_QUERIES: Record<Exclude<TransferLoss, 'previews'>, string> = {
  webhooks: 'SELECT FROM webhook_endpoints WHERE project_id = $1',
  push_secret: 'SELECT FROM project_publishing WHERE project_id = $1 AND hook_secret IS NOT NULL',
  commit_key: 'SELECT FROM commit_keys WHERE project_id = $1',
  git_tokens: `SELECT FROM git_credentials JOIN all_projects USING (organization_id)
    WHERE all_projects.id = $1 AND source_kind = 'git'`,
  folder: `SELECT FROM all_projects WHERE id = $1 AND folder_granted
    UNION ALL SELECT FROM code_repositories WHERE project_id = $1 AND folder_granted`,
  automations: 'SELECT FROM automations WHERE project_id = $1',
  domain_proofs: `SELECT FROM project_domains WHERE project_id = $1 AND proof IS DISTINCT FROM 'operator'
    AND (proof IS NOT NULL OR state = 'pending')`,
  passes: 'SELECT FROM site_passes WHERE project_id = $1',
  members: `SELECT FROM members JOIN all_projects USING (organization_id)
    WHERE all_projects.id = $1 AND user_id NOT IN (${NEW_MEMBERS_QUERY})`,
  keys: 'SELECT FROM api_keys WHERE project_ids @> ARRAY[$1::text COLLATE "C"] AND revoked_at IS NULL',
  assignees: `SELECT FROM feedback WHERE project_id = $1 AND assignee_id IS NOT NULL AND assignee_id NOT IN (${NEW_MEMBERS_QUERY})`,
  views: 'SELECT FROM feedback_views WHERE project_id = $1',
  notifications: 'SELECT FROM notifications WHERE project_id = $1',
  review_links: 'SELECT FROM agent_jobs WHERE project_id = $1 AND pushed_commit IS NOT NULL',
}

/**
 * Determines for each table whether its rows are moved unchanged, deleted, or reset by these statements before
 * the move. The statements have the parameters of LOSS_COUNT_QUERIES. Rows that give the old organization access are
 * never moved unchanged.
 */
const TABLE_TRANSFER_ACTIONS: Record<ProjectTable, 'moved' | 'deleted' | readonly string[]> = {
  // Responses stored for retries of the old organization's callers.
  idempotent_answers: 'deleted',
  project_transfers: 'deleted',
  feedback_changes: 'moved',
  feedback: [
    `WITH picked AS (
       SELECT id, assignee_id FROM feedback
       WHERE project_id = $1 AND assignee_id IS NOT NULL AND assignee_id NOT IN (${NEW_MEMBERS_QUERY}) FOR UPDATE
     ), changed AS (
       UPDATE feedback SET assignee_id = NULL, updated_at = clock_timestamp()
       FROM picked WHERE feedback.id = picked.id RETURNING feedback.id, picked.assignee_id
     )
     INSERT INTO feedback_changes (feedback_id, actor, from_assignee)
     SELECT id, '${SYSTEM_ACTOR}', assignee_id FROM changed`,
  ],
  feedback_views: 'deleted',
  feedback_labels: 'moved',
  agent_job_questions: 'moved',
  agent_job_comments: 'moved',
  agent_job_feedback: 'moved',
  agent_job_events: 'moved',
  agent_job_changes: 'moved',
  agent_job_messages: 'moved',
  agent_job_prompts: 'moved',
  automation_seen: 'moved',
  automation_runs: 'moved',
  // Tokens of review links are derived from the salt and the job id.
  agent_jobs: [
    `UPDATE agent_jobs SET link_salt = replace(gen_random_uuid()::text, '-', '') WHERE project_id = $1`,
  ],
  automations: [
    `UPDATE automations SET paused_at = coalesce(paused_at, clock_timestamp()), hook_hash = NULL, made_by = NULL
     WHERE project_id = $1`,
  ],
  statement_confirmations: 'moved',
  statement_alarms: 'moved',
  statements: 'moved',
  statement_checks: 'moved',
  code_repositories: ['UPDATE code_repositories SET folder_granted = false WHERE project_id = $1'],
  // Commits are signed for the organization that created the key.
  commit_keys: 'deleted',
  static_exports: 'moved',
  published_sites: 'moved',
  site_problems: 'moved',
  deployments: 'moved',
  previews: 'moved',
  webhook_deliveries: 'deleted',
  webhook_endpoints: 'deleted',
  webhook_events: 'deleted',
  notifications: 'deleted',
  notification_events: 'deleted',
  notification_choices: 'deleted',
  feedback_rates: 'moved',
  assistant_passages: 'moved',
  assistant_corpora: 'moved',
  assistant_questions: 'moved',
  assistant_months: 'moved',
  analytics_inbox: 'moved',
  analytics_set_aside: 'moved',
  analytics_events: 'moved',
  analytics_visitors: 'moved',
  analytics_counts: 'moved',
  project_publishing: [
    `UPDATE project_publishing SET hook_secret = NULL, hook_made_at = NULL, hook_called_at = NULL, hook_forge = NULL
     WHERE project_id = $1`,
  ],
  // Users of the old organization have the passwords and signed links.
  site_passes: 'deleted',
  site_access: 'moved',
  project_domains: [
    // If the verification is missing, a grace period begins at the next check. A grace period that has already begun
    // continues, so that repeated transfers do not extend it.
    `UPDATE project_domains SET reason = NULL, check_at = clock_timestamp()
     WHERE project_id = $1 AND check_at IS NOT NULL`,
  ],
  all_projects: ['UPDATE all_projects SET folder_granted = false WHERE id = $1'],
}

/** Tables with folder grants, which only a transfer by the operator preserves. */
const TABLES_WITH_FOLDER_GRANTS: ReadonlySet<string> = new Set<ProjectTable>([
  'all_projects',
  'code_repositories',
])

/** Keys stay with the organization. A key for this project alone is revoked: without projects, it would allow all. */
const API_KEY_UPDATE_STATEMENTS = [
  `UPDATE api_keys SET revoked_at = coalesce(revoked_at, now())
   WHERE project_ids = ARRAY[$1::text COLLATE "C"]`,
  `UPDATE api_keys SET project_ids = array_remove(project_ids, $1::text)
   WHERE project_ids @> ARRAY[$1::text COLLATE "C"] AND cardinality(project_ids) > 1`,
]

/**
 * Expects that both sides have agreed. Throws AppError `not_found`, `project_at_work`, and `domain_taken` if
 * another project of the new organization has one of the domains.
 */
export async function moveProject(tx: Tx, move: Move): Promise<{ projectId: string; name: string }> {
  const project = await lockProject(tx, move)
  const plan = await readReceiverPlan(tx, move)
  await requireIdle(tx, move)
  await requireFreeDomains(tx, move)
  await resetForTransfer(tx, move)
  await assignOrganization(tx, move)
  await removeExcessPreviews(
    tx,
    { organizationId: move.to, projectId: move.projectId },
    MAX_PREVIEWS_BY_PLAN[plan],
  )
  await recordMove(tx, move, project)
  return { projectId: move.projectId, name: project.name }
}

/** Blocks changes and new work until the commit. */
async function lockProject(tx: Tx, { projectId, from }: Move) {
  const project = await tx
    .selectFrom('all_projects')
    .select(['name'])
    .where('id', '=', projectId)
    .where('organization_id', '=', from)
    .where('deleted_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  if (project === undefined) throw new AppError('not_found')
  return project
}

async function readReceiverPlan(tx: Tx, { to }: Move) {
  const organization = await tx
    .selectFrom('organizations')
    .select('plan')
    .where('id', '=', to)
    .forKeyShare()
    .executeTakeFirst()
  if (organization === undefined) throw new AppError('not_found')
  return organization.plan
}

async function requireIdle(tx: Tx, { projectId }: Move): Promise<void> {
  if ((await countWorkInProgress(tx, { projectId })) > 0) throw new AppError('project_at_work')
}

/** An organization can have a domain in only one project. */
async function requireFreeDomains(tx: Tx, { projectId, to }: Move): Promise<void> {
  const rows = await tx
    .selectFrom('project_domains as own')
    .innerJoin('project_domains as other', 'other.domain', 'own.domain')
    .innerJoin('all_projects', 'all_projects.id', 'other.project_id')
    .select('own.domain')
    .where('own.project_id', '=', projectId)
    .where('all_projects.organization_id', '=', to)
    .execute()
  if (rows.length > 0)
    throw new AppError('domain_taken', {
      details: rows.map(({ domain }) => createFault('domain_of_new_owner', { domain })),
    })
}

async function resetForTransfer(tx: Tx, { projectId, to, isOperator }: Move): Promise<void> {
  const statements = PROJECT_DATA.flatMap(({ table, where }) => {
    const what = isOperator && TABLES_WITH_FOLDER_GRANTS.has(table) ? 'moved' : TABLE_TRANSFER_ACTIONS[table]
    if (what === 'moved') return []
    return what === 'deleted' ? [`DELETE FROM ${table} WHERE ${where}`] : what
  })
  for (const statement of [...statements, ...API_KEY_UPDATE_STATEMENTS])
    await tx.executeQuery(CompiledQuery.raw(statement, valuesFor(statement, [projectId, to])))
}

/** Omits unused parameters, which PostgreSQL rejects. */
function valuesFor(statement: string, values: readonly unknown[]): unknown[] {
  return values.slice(0, statement.includes('$2') ? 2 : 1)
}

async function assignOrganization(tx: Tx, { projectId, to }: Move): Promise<void> {
  await tx
    .updateTable('all_projects')
    .set({ organization_id: to, updated_at: sql<Date>`clock_timestamp()` })
    .where('id', '=', projectId)
    .execute()
}

async function recordMove(
  tx: Tx,
  { projectId, from, to, actor }: Move,
  { name }: { name: string },
): Promise<void> {
  const entry = { actor, action: 'project.transferred', subject: projectId } as const
  const details = { name, from, to }
  await recordAudit(tx, { ...entry, organizationId: from, details })
  await recordAudit(tx, { ...entry, organizationId: to, details })
}

/** A single query, because lists run it for each offer. */
const TRANSFER_LOSSES_QUERY = `SELECT ${Object.entries(LOSS_COUNT_QUERIES)
  .map(([what, count]) => `(SELECT count(*)::int FROM (${count}) AS held) AS ${what}`)
  .join(', ')}`

type TransferPlan = Pick<ProjectTransfer, 'domains' | 'goesAlong' | 'losses' | 'atWork'>

export async function planTransfer(
  queries: Queries,
  {
    projectId,
    to = null,
    isOperator = false,
  }: { projectId: string; to?: string | null; isOperator?: boolean },
): Promise<TransferPlan> {
  const losses: TransferPlan['losses'] = []
  const add = (what: TransferLoss, count: number) => {
    if (count > 0) losses.push({ what, count, text: TRANSFER_LOSSES[what] })
  }
  const { rows } = await queries.executeQuery<Record<string, number>>(
    CompiledQuery.raw(TRANSFER_LOSSES_QUERY, [projectId, to]),
  )
  for (const what of Object.keys(LOSS_COUNT_QUERIES) as TransferLoss[])
    if (!(isOperator && what === 'folder')) add(what, rows[0]?.[what] ?? 0)
  const { domains, ...goesAlong } = await holdings(queries, projectId)
  if (to !== null) {
    const organization = await queries
      .selectFrom('organizations')
      .select('plan')
      .where('id', '=', to)
      .executeTakeFirst()
    add('previews', goesAlong.previews - MAX_PREVIEWS_BY_PLAN[organization?.plan ?? 'free'])
  }
  return { domains, goesAlong, losses, atWork: await countWorkInProgress(queries, { projectId }) }
}

async function holdings(
  queries: Queries,
  projectId: string,
): Promise<TransferPlan['goesAlong'] & Pick<TransferPlan, 'domains'>> {
  const { rows } = await sql<TransferPlan['goesAlong'] & Pick<TransferPlan, 'domains'>>`
    SELECT ARRAY(SELECT domain FROM project_domains WHERE project_id = project.id ORDER BY position, domain) AS domains,
      (SELECT count(*)::int FROM feedback WHERE project_id = project.id) AS feedback,
      (SELECT count(*)::int FROM deployments WHERE project_id = project.id) AS deployments,
      (SELECT count(*)::int FROM static_exports WHERE project_id = project.id) AS exports,
      (SELECT count(*)::int FROM agent_jobs WHERE project_id = project.id) AS "agentJobs",
      (SELECT count(*)::int FROM previews WHERE project_id = project.id AND removed_at IS NULL) AS previews,
      (SELECT count(*)::int FROM automations WHERE project_id = project.id) AS automations,
      (SELECT count(*)::int FROM code_repositories WHERE project_id = project.id) AS "codeRepositories"
    FROM projects AS project WHERE project.id = ${projectId}`.execute(queries)
  const [found] = rows
  if (found === undefined) throw new AppError('not_found')
  return found
}
