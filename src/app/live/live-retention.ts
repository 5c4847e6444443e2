/** Current retention periods for organizations without their own choice. */

import type { Retention } from '../../base/api/retention.ts'
import type { Queries } from '../../database/database.ts'
import { readInstanceSettings } from '../../features/accounts/settings/instance-settings.ts'
import { retentionIn } from '../../features/accounts/settings/server-choices.ts'
import type { Config } from '../config/config.ts'
import { type LiveSettings, madeOfSettings } from './live-settings.ts'

export function createRetention(
  { storage }: Pick<Config, 'storage'>,
  settings: Pick<LiveSettings, 'current'>,
): () => Retention {
  return madeOfSettings(settings, (now) => retentionIn(now, storage))
}

/** Reads the retention once, for commands. */
export async function readRetention({ storage }: Pick<Config, 'storage'>, db: Queries): Promise<Retention> {
  return retentionIn(await readInstanceSettings(db), storage)
}
