import { sql } from 'kysely'
import type { AutomationKind } from '../../base/api/form-choices.ts'
import type { Tx } from '../../database/database.ts'

/** Delay in seconds after the first of several pushes, so that one check covers them all. */
const PUSH_DEBOUNCE_SECONDS = 20

export async function scheduleForCodePush(
  tx: Tx,
  projectId: string,
  names: readonly string[],
): Promise<number> {
  if (names.length === 0) return 0
  const rows = await tx
    .updateTable('automations')
    .set({
      look_at: sql<Date>`least(look_at, clock_timestamp() + make_interval(secs => ${PUSH_DEBOUNCE_SECONDS}))`,
    })
    .where('project_id', '=', projectId)
    .where('kind', '=', 'code_push')
    .where(sql<string>`trigger->>'repository'`, 'in', names)
    .where('paused_at', 'is', null)
    .returning('id')
    .execute()
  return rows.length
}

/** Runs in the transaction that promotes a version. */
export async function scheduleForPublish(tx: Tx, projectId: string): Promise<void> {
  await scheduleKinds(tx, projectId, ['push', 'broken_link', 'translation'])
}

/** Runs in the transaction that stores new alarms of statements. */
export async function scheduleForAlarms(tx: Tx, projectId: string): Promise<void> {
  await scheduleKinds(tx, projectId, ['alarm'])
}

async function scheduleKinds(tx: Tx, projectId: string, kinds: AutomationKind[]): Promise<void> {
  await tx
    .updateTable('automations')
    .set({ look_at: sql<Date>`clock_timestamp()` })
    .where('project_id', '=', projectId)
    .where('kind', 'in', kinds)
    .where('paused_at', 'is', null)
    .execute()
}
