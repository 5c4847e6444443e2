import { createHash, randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { AppError, assertNoFaults } from '../../base/errors/errors.ts'
import { createFault, type Fault, faultAt } from '../../base/errors/fault.ts'
import { createId } from '../../base/ids.ts'
import { toStorableText } from '../../base/text/storable.ts'
import type { Queries, Tx } from '../../database/database.ts'
import type { AutomationTrigger, Schedule } from './operations/automation-triggers.ts'
import {
  AUTOMATION_HOOK_PATH,
  type Automation,
  type CreateAutomationBody,
  type CreatedAutomation,
  MAX_AUTOMATIONS,
  type UpdateAutomationBody,
} from './operations/automations.ts'
import { cronFault, isTimeZone, nextTime } from './schedule.ts'
import { type AutomationRef, getRow, lockRow, toAutomation } from './store.ts'

export interface ManageDeps {
  publicUrl: () => string
}

type ProjectRef = Omit<AutomationRef, 'automationId'>

/** Returns the webhook URL, which is not shown again. Throws `not_found`, `too_many_automations`. */
export async function createAutomation(
  deps: ManageDeps,
  tx: Tx,
  { organizationId, projectId, madeBy }: ProjectRef & { madeBy: string },
  body: CreateAutomationBody,
): Promise<CreatedAutomation> {
  // Locks the project so that concurrent calls cannot exceed the limit together.
  await lockProject(tx, { organizationId, projectId })
  await checkAutomationLimit(tx, projectId)
  const { trigger, paused = false } = body
  await checkCodeRepository(tx, projectId, trigger)
  const id = createId('aut')
  const token = trigger.kind === 'webhook' ? createToken() : null
  const row = await tx
    .insertInto('automations')
    .values({
      id,
      organization_id: organizationId,
      project_id: projectId,
      name: toStorableText(body.name.trim()),
      kind: trigger.kind,
      trigger: JSON.stringify(trigger),
      prompt: toStorableText(body.prompt),
      scope: JSON.stringify(body.scope ?? []),
      budget: JSON.stringify(body.budget ?? {}),
      model: body.model ?? null,
      is_dry_run: body.dryRun ?? false,
      paused_at: paused ? sql<Date>`clock_timestamp()` : null,
      hook_hash: token === null ? null : hashToken(token),
      seen_deployment: findNewestDeployment(projectId),
      made_by: madeBy,
      look_at: nextCheckTime(trigger),
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  return { ...toAutomation(row), address: token && buildWebhookUrl(deps, id, token) }
}

/** Lists the newest first. Throws AppError `not_found`. */
export async function listAutomations(queries: Queries, ref: ProjectRef): Promise<Automation[]> {
  const { organizationId, projectId } = ref
  const project = await queries
    .selectFrom('projects')
    .select('id')
    .where('id', '=', projectId)
    .where('organization_id', '=', organizationId)
    .executeTakeFirst()
  if (project === undefined) throw new AppError('not_found')
  const rows = await queries
    .selectFrom('automations')
    .selectAll()
    .where('project_id', '=', projectId)
    .orderBy('id', 'desc')
    .limit(MAX_AUTOMATIONS)
    .execute()
  return rows.map(toAutomation)
}

export async function getAutomation(queries: Queries, ref: AutomationRef): Promise<Automation> {
  return toAutomation(await getRow(queries, ref))
}

/**
 * Runs missed during a pause are not made up for. After a dry run, the first real run has the same findings. Throws
 * AppError `not_found`, `automation_kind_fixed`.
 */
export async function updateAutomation(
  tx: Tx,
  ref: AutomationRef,
  body: UpdateAutomationBody,
): Promise<Automation> {
  const row = await lockRow(tx, ref)
  const trigger = body.trigger ?? row.trigger
  if (trigger.kind !== row.kind) throw new AppError('automation_kind_fixed')
  if (body.trigger !== undefined) await checkCodeRepository(tx, row.project_id, trigger)
  const paused = body.paused ?? row.paused_at !== null
  const goesOn = row.paused_at !== null && !paused
  const isInEarnest = row.is_dry_run && body.dryRun === false
  if (isInEarnest) await deleteSeenItems(tx, row.id)
  const changed = await tx
    .updateTable('automations')
    .set({
      ...(body.name !== undefined && { name: toStorableText(body.name.trim()) }),
      ...(body.prompt !== undefined && { prompt: toStorableText(body.prompt) }),
      ...(body.scope !== undefined && { scope: JSON.stringify(body.scope) }),
      ...(body.budget !== undefined && { budget: JSON.stringify(body.budget) }),
      ...(body.model !== undefined && { model: body.model }),
      ...(body.dryRun !== undefined && { is_dry_run: body.dryRun }),
      ...(body.trigger !== undefined && { trigger: JSON.stringify(body.trigger) }),
      ...(paused !== (row.paused_at !== null) && {
        paused_at: paused ? sql<Date>`clock_timestamp()` : null,
      }),
      ...(goesOn && { seen_deployment: findNewestDeployment(row.project_id), seen_code: null }),
      ...((goesOn || isInEarnest || body.trigger !== undefined) && { look_at: nextCheckTime(trigger) }),
      updated_at: sql`clock_timestamp()`,
    })
    .where('id', '=', row.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  return toAutomation(changed)
}

/** Does not affect jobs of the automation. Throws AppError `not_found`. */
export async function deleteAutomation(tx: Tx, ref: AutomationRef): Promise<void> {
  const { id } = await lockRow(tx, ref)
  await tx.deleteFrom('automations').where('id', '=', id).execute()
}

/** Throws AppError `not_found`, `automation_without_address`. */
export async function renewAddress(
  deps: ManageDeps,
  tx: Tx,
  ref: AutomationRef,
): Promise<{ address: string }> {
  const { id, kind } = await lockRow(tx, ref)
  if (kind !== 'webhook') throw new AppError('automation_without_address')
  const token = createToken()
  await tx
    .updateTable('automations')
    .set({ hook_hash: hashToken(token), updated_at: sql`clock_timestamp()` })
    .where('id', '=', id)
    .execute()
  return { address: buildWebhookUrl(deps, id, token) }
}

export function automationFaults(body: unknown): Fault[] {
  if (typeof body !== 'object' || body === null) return []
  const { trigger, scope } = body as { trigger?: AutomationTrigger; scope?: unknown }
  return [...(trigger?.kind === 'schedule' ? scheduleFaults(trigger) : []), ...scopeFaults(scope)]
}

function scheduleFaults({ every, cron, timeZone: zone }: Schedule): Fault[] {
  const isZone = typeof zone !== 'string' || zone === '' || isTimeZone(zone)
  const fault = typeof cron === 'string' && cron !== '' ? cronFault(cron) : null
  const isOne = (every === undefined) !== (cron === undefined)
  return [
    ...(isZone ? [] : [faultAt('/trigger/timeZone', 'invalid_schedule_zone')]),
    ...(fault === null ? [] : [faultAt('/trigger/cron', fault)]),
    ...(isOne ? [] : [faultAt('/trigger', 'every_or_cron')]),
  ]
}

/** The patterns of a scope match paths relative to the docs folder. */
function scopeFaults(scope: unknown): Fault[] {
  return (Array.isArray(scope) ? scope : []).flatMap((pattern, index) => {
    const leads =
      typeof pattern === 'string' && (pattern.split('/').includes('..') || /^[a-z]:|\\/i.test(pattern))
    return leads ? [faultAt(`/scope/${index}`, 'outside_docs')] : []
  })
}

export function findUpdateFaults(body: unknown): Fault[] {
  const isEmpty = typeof body === 'object' && body !== null && Object.keys(body).length === 0
  return isEmpty
    ? [createFault('one_of_required', { fields: ['/prompt', '/paused', '…'] })]
    : automationFaults(body)
}

export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

function createToken(): string {
  return randomBytes(24).toString('base64url')
}

function buildWebhookUrl({ publicUrl }: ManageDeps, id: string, token: string): string {
  return publicUrl() + AUTOMATION_HOOK_PATH.replace('{automationId}', id).replace('{token}', token)
}

function findNewestDeployment(projectId: string) {
  return sql<number>`(SELECT coalesce(max(number), 0) FROM deployments WHERE project_id = ${projectId})`
}

function nextCheckTime(trigger: AutomationTrigger) {
  return trigger.kind === 'schedule' ? nextTime(trigger, new Date()) : sql<Date>`clock_timestamp()`
}

async function deleteSeenItems(tx: Tx, automationId: string): Promise<void> {
  await tx.deleteFrom('automation_seen').where('automation_id', '=', automationId).execute()
}

/** Throws AppError `invalid_request` if the trigger's code repository does not exist in the project. */
async function checkCodeRepository(tx: Tx, projectId: string, trigger: AutomationTrigger): Promise<void> {
  if (trigger.kind !== 'code_push') return
  const named = await tx
    .selectFrom('code_repositories')
    .select('name')
    .where('project_id', '=', projectId)
    .orderBy('name')
    .execute()
  if (named.some(({ name }) => name === trigger.repository)) return
  const names = named.map(({ name }) => name)
  assertNoFaults([
    names.length === 0
      ? faultAt('/trigger/repository', 'no_code_repository')
      : faultAt('/trigger/repository', 'unknown_code_repository', { names }),
  ])
}

async function lockProject(tx: Tx, { organizationId, projectId }: ProjectRef): Promise<void> {
  const project = await tx
    .selectFrom('projects')
    .select('id')
    .where('id', '=', projectId)
    .where('organization_id', '=', organizationId)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (project === undefined) throw new AppError('not_found')
}

async function checkAutomationLimit(tx: Tx, projectId: string): Promise<void> {
  const { count } = await tx
    .selectFrom('automations')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('project_id', '=', projectId)
    .executeTakeFirstOrThrow()
  if (count >= MAX_AUTOMATIONS) throw new AppError('too_many_automations')
}
