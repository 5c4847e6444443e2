/**
 * Caches the dashboard settings in this process. Nodes and workers poll them every two seconds, which works
 * through any connection pooler.
 */

import type { Log } from '../../base/log.ts'
import { repeat } from '../../base/repeat.ts'
import type { Database } from '../../database/database.ts'
import {
  type InstanceSettings,
  readInstanceSettings,
} from '../../features/accounts/settings/instance-settings.ts'

export interface LiveSettings extends AsyncDisposable {
  /** Returns the same object until a setting changes. */
  current(): InstanceSettings
}

const POLL_INTERVAL_MS = 2000

export async function followSettings({
  database,
  log,
}: {
  database: Database
  log: Log
}): Promise<LiveSettings> {
  let settings = await readInstanceSettings(database.queries)
  let hasFailed = false
  const polling = repeat({
    firstAfterMs: POLL_INTERVAL_MS,
    everyMs: POLL_INTERVAL_MS,
    async work() {
      const now = await readInstanceSettings(database.queries)
      hasFailed = false
      if (settingsStamp(now) === settingsStamp(settings)) return
      settings = now
      log.info({}, 'settings.changed')
    },
    onFailure(error) {
      if (!hasFailed) log.warn({ error: error.message }, 'settings.not_read')
      hasFailed = true
    },
  })
  return { current: () => settings, [Symbol.asyncDispose]: () => polling[Symbol.asyncDispose]() }
}

export function deriveFromSettings<Made>(
  live: Pick<LiveSettings, 'current'>,
  derive: (settings: InstanceSettings) => Made,
): () => Made {
  let from: InstanceSettings | null = null
  let derived: Made
  return () => {
    const settings = live.current()
    if (settings !== from) derived = derive(settings)
    from = settings
    return derived
  }
}

/** Returns a text that changes whenever any setting changes. */
function settingsStamp(settings: InstanceSettings): string {
  const stamps = [...settings].map(([name, { setAt }]) => `${name} ${setAt.toISOString()}`)
  return stamps.sort().join('\n')
}
