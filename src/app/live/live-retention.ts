/** Current retention periods for organizations without their own choice. */

import type { Retention } from '../../base/api/retention.ts'
import type { Queries } from '../../database/database.ts'
import { readInstanceSettings } from '../../features/accounts/settings/instance-settings.ts'
import { resolveRetention } from '../../features/accounts/settings/server-choices.ts'
import type { Config } from '../config/config.ts'
import { deriveFromSettings, type LiveSettings } from './live-settings.ts'

export function createRetention(
  { storage }: Pick<Config, 'storage'>,
  settings: Pick<LiveSettings, 'current'>,
): () => Retention {
  return deriveFromSettings(settings, (now) => resolveRetention(now, storage))
}

/** Reads the retention once, for commands. */
export async function readRetention({ storage }: Pick<Config, 'storage'>, db: Queries): Promise<Retention> {
  return resolveRetention(await readInstanceSettings(db), storage)
}
