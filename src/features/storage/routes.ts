/** Routes of the server's default retention, as operators view and set it. */
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
import type { INSTANCE_RETENTION_OPERATIONS, InstanceRetention } from './operations/retention-settings.ts'

export interface InstanceRetentionDeps {
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

/** Counts the organizations that have chosen their own retention, by kind. */
async function organizationsByKind(db: Queries): Promise<Map<string, number>> {
  const { rows } = await sql<{ kind: string; organizations: number }>`
    SELECT kind, count(*)::integer AS organizations
    FROM organizations, jsonb_object_keys(retention::jsonb) AS kind GROUP BY kind`.execute(db)
  return new Map(rows.map(({ kind, organizations }) => [kind, organizations]))
}
