/**
 * Settings from the dashboard as seen by this process. Nodes and workers poll them every two seconds, which works
 * through any connection pooler.
 */

import type { Log } from '../../base/log.ts'
import type { Database } from '../../database/database.ts'
import {
  type InstanceSettings,
  readInstanceSettings,
} from '../../features/accounts/settings/instance-settings.ts'

export interface LiveSettings extends Disposable {
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
  const refresh = async () => {
    const now = await readInstanceSettings(database.queries)
    hasFailed = false
    if (settingsStamp(now) === settingsStamp(settings)) return
    settings = now
    log.info({}, 'settings.changed')
  }
  let timer: NodeJS.Timeout | null = null
  let isOver = false
  const scheduleRefresh = () => {
    if (isOver) return
    timer = setTimeout(() => {
      refresh()
        .catch((error: Error) => {
          if (!hasFailed) log.warn({ error: error.message }, 'settings.not_read')
          hasFailed = true
        })
        .finally(scheduleRefresh)
    }, POLL_INTERVAL_MS).unref()
  }
  scheduleRefresh()
  return {
    current: () => settings,
    [Symbol.dispose]() {
      isOver = true
      if (timer !== null) clearTimeout(timer)
    },
  }
}

/** Returns a value derived from the settings, recomputed only when they change. */
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
