/** Routes of the server's default retention for operators, and of sweeps for the command line. */
import { sql } from 'kysely'
import { RETENTION_KINDS, type RetentionKind } from '../../base/api/retention.ts'
import { AppError } from '../../base/errors/errors.ts'
import type { Queries } from '../../database/database.ts'
import type { Handlers } from '../../routing/handler.ts'
import { readInstanceSettings, writeInstanceSettings } from '../accounts/settings/instance-settings.ts'
import { findLastChange } from '../accounts/settings/model-settings.ts'
import {
  chosenRetention,
  type EnvironmentRetention,
  resolveRetention,
  retentionSetting,
} from '../accounts/settings/server-choices.ts'
import type { OPERATOR_STORAGE_OPERATIONS } from './operations/operator.ts'
import type { INSTANCE_RETENTION_OPERATIONS, InstanceRetention } from './operations/retention-settings.ts'
import { readStorageUse, type StorageUse } from './storage-use.ts'
import { previewSweep, type SweepDeps, sweep } from './sweep.ts'

interface InstanceRetentionDeps {
  environmentRetention: EnvironmentRetention
}

export function instanceRetentionHandlers({
  environmentRetention: given,
}: InstanceRetentionDeps): Handlers<typeof INSTANCE_RETENTION_OPERATIONS> {
  return {
    getInstanceRetention: async ({ db }) => ({ body: await retentionView(given, db) }),
    async updateInstanceRetention({ tx, caller: { id: actor }, body: { retention } }) {
      if (given.isRetentionGiven) throw new AppError('set_by_environment')
      const chosen = Object.entries(retention) as [RetentionKind, number | null][]
      const values = chosen.map(([kind, days]) => [
        retentionSetting(kind),
        days === null ? null : String(days),
      ])
      await writeInstanceSettings(tx, actor, Object.fromEntries(values))
      return { body: await retentionView(given, tx), audit: { subject: 'retention', details: retention } }
    },
  }
}

async function retentionView(given: EnvironmentRetention, db: Queries): Promise<InstanceRetention> {
  const settings = await readInstanceSettings(db)
  const chosen = given.isRetentionGiven ? {} : chosenRetention(settings)
  const inForce = resolveRetention(settings, given)
  const own = await organizationsByKind(db)
  const source = given.isRetentionGiven
    ? 'environment'
    : Object.keys(chosen).length > 0
      ? 'dashboard'
      : 'none'
  return {
    source,
    variables: given.isRetentionGiven ? ['OCTAVO_RETENTION'] : [],
    kinds: RETENTION_KINDS.map((kind) => ({
      kind,
      days: inForce[kind],
      chosen: chosen[kind] !== undefined,
      usualDays: given.retention[kind],
      organizations: own.get(kind) ?? 0,
    })),
    ...(given.isRetentionGiven
      ? { changedBy: null, changedAt: null }
      : await findLastChange(db, settings, RETENTION_KINDS.map(retentionSetting))),
  }
}

async function organizationsByKind(db: Queries): Promise<Map<string, number>> {
  const { rows } = await sql<{ kind: string; organizations: number }>`
    SELECT kind, count(*)::integer AS organizations
    FROM organizations, jsonb_object_keys(retention::jsonb) AS kind GROUP BY kind`.execute(db)
  return new Map(rows.map(({ kind, organizations }) => [kind, organizations]))
}

interface OperatorStorageDeps {
  sweepDeps: () => SweepDeps
}

export function operatorStorageHandlers(
  deps: OperatorStorageDeps,
): Handlers<typeof OPERATOR_STORAGE_OPERATIONS> {
  return {
    async measureStorage({ db, signal }) {
      const { endedAt } = await readStorageUse(db)
      const { use, deleted } = await previewSweep(deps.sweepDeps(), signal)
      return {
        body: { use: use.map(toStorageUsage), deletable: deleted, lastSweep: endedAt?.toISOString() ?? null },
      }
    },
    async sweepStorage({ signal }) {
      const swept = await sweep(deps.sweepDeps(), signal)
      return { body: { sweep: swept && { ...swept, use: swept.use.map(toStorageUsage) } } }
    },
  }
}

function toStorageUsage({ organizationId, ...use }: StorageUse) {
  return { organizationId: organizationId || null, ...use }
}
