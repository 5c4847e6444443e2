/** All previews at once: how many have an address, and what is told when the domain of them is another one. */
import { sql } from 'kysely'
import type { Queries, Tx } from '../../../database/database.ts'

/** Nodes still know the former domain for so long. */
const SETTLED_SECONDS = 10
/** What no preview is told as, see report-previews.ts. */
const MOVED = 'moved'

export async function countOpenPreviews(db: Queries): Promise<number> {
  const { open } = await db
    .selectFrom('previews')
    .select(sql<number>`count(*)::integer`.as('open'))
    .where('removed_at', 'is', null)
    .where('expires_at', '>', sql<Date>`clock_timestamp()`)
    .executeTakeFirstOrThrow()
  return open
}

/** Forges that were told of an address are told of the new one. */
export async function tellMovedPreviews(tx: Tx): Promise<void> {
  await tx
    .updateTable('previews')
    .set({
      told: MOVED,
      tell_at: sql<Date>`least(tell_at, clock_timestamp() + make_interval(secs => ${SETTLED_SECONDS}))`,
    })
    .where('removed_at', 'is', null)
    .where('told', 'is not', null)
    .execute()
}
