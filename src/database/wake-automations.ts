/** Automations that wait for a publish are looked at next. It lives here, below those who publish. */
import { sql } from 'kysely'
import type { Tx } from './database.ts'

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
