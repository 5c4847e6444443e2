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

const LOOK_MS = 2000

export async function followSettings({
  database,
  log,
}: {
  database: Database
  log: Log
}): Promise<LiveSettings> {
  let settings = await readInstanceSettings(database.queries)
  let isAway = false
  const look = async () => {
    const now = await readInstanceSettings(database.queries)
    isAway = false
    if (stampOf(now) === stampOf(settings)) return
    settings = now
    log.info({}, 'settings.changed')
  }
  let timer: NodeJS.Timeout | null = null
  let isOver = false
  const lookAgain = () => {
    if (isOver) return
    timer = setTimeout(() => {
      look()
        .catch((error: Error) => {
          if (!isAway) log.warn({ error: error.message }, 'settings.not_read')
          isAway = true
        })
        .finally(lookAgain)
    }, LOOK_MS).unref()
  }
  lookAgain()
  return {
    current: () => settings,
    [Symbol.dispose]() {
      isOver = true
      if (timer !== null) clearTimeout(timer)
    },
  }
}

/** Returns a value derived from the settings, recomputed only when they change. */
export function madeOfSettings<Made>(
  live: Pick<LiveSettings, 'current'>,
  make: (settings: InstanceSettings) => Made,
): () => Made {
  let from: InstanceSettings | null = null
  let made: Made
  return () => {
    const settings = live.current()
    if (settings !== from) made = make(settings)
    from = settings
    return made
  }
}

/** Returns a text that changes whenever any setting changes. */
function stampOf(settings: InstanceSettings): string {
  const stamps = [...settings].map(([name, { setAt }]) => `${name} ${setAt.toISOString()}`)
  return stamps.sort().join('\n')
}
