/** For how long things are kept now, where no organization has chosen its own. */

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

/** Of a command, which reads it once. */
export async function readRetention({ storage }: Pick<Config, 'storage'>, db: Queries): Promise<Retention> {
  return retentionIn(await readInstanceSettings(db), storage)
}
