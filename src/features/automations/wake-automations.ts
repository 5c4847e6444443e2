/** Automations that wait for a publish are looked at next. */
import { sql } from 'kysely'
import type { Tx } from '../../database/database.ts'

/** Seconds until the first of several pushes is looked at: those that come with it are seen by the same look. */
const GATHER_SECONDS = 20

/** Those that follow one of these repositories of code are looked at soon; how many there are. */
export async function wakeForCode(tx: Tx, projectId: string, names: readonly string[]): Promise<number> {
  if (names.length === 0) return 0
  const rows = await tx
    .updateTable('automations')
    .set({
      look_at: sql<Date>`least(look_at, clock_timestamp() + make_interval(secs => ${GATHER_SECONDS}))`,
    })
    .where('project_id', '=', projectId)
    .where('kind', '=', 'code_push')
    .where(sql<string>`trigger->>'repository'`, 'in', names)
    .where('paused_at', 'is', null)
    .returning('id')
    .execute()
  return rows.length
}

/** In the transaction that has put a version in front. */
export async function wakeAutomations(tx: Tx, projectId: string): Promise<void> {
  await tx
    .updateTable('automations')
    .set({ look_at: sql<Date>`clock_timestamp()` })
    .where('project_id', '=', projectId)
    .where('kind', 'in', ['push', 'broken_link'])
    .where('paused_at', 'is', null)
    .execute()
}
