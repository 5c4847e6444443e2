/** Storage commands: report usage, sweep, and set retention. */

import type { RetentionChoice } from '../../base/api/retention.ts'
import { chooseRetention } from '../../features/accounts/organizations/retention.ts'
import { type LastSweep, readUse } from '../../features/storage/storage-use.ts'
import { previewSweep, type SweepResult, sweep } from '../../features/storage/sweep.ts'
import type { Context } from '../context.ts'
import { sweepDeps } from '../sweeper.ts'
import { ACTOR, type Administration, chooseOrganization } from './administration.ts'

/** Scans everything that is stored, without changes. */
export async function measureStorage(
  context: Context,
): Promise<SweepResult & { last: LastSweep['endedAt'] }> {
  const { endedAt: last } = await readUse(context.database.queries)
  return { ...(await previewSweep(sweepDeps(context), new AbortController().signal)), last }
}

/** Sweeps the store. Returns null if another sweep is running. */
export function sweepStorage(context: Context): Promise<SweepResult | null> {
  return sweep(sweepDeps(context), new AbortController().signal)
}

export async function setOrganizationRetention(
  context: Administration,
  organizationId: string | undefined,
  choice: RetentionChoice,
): Promise<{ id: string; name: string }> {
  const organization = await chooseOrganization(context, organizationId)
  await context.database.transaction((tx) =>
    chooseRetention(tx, { organizationId: organization.id, choice, actor: ACTOR }),
  )
  return organization
}
