/**
 * What operators have set on the dashboard, as this process knows it. It is looked at every two seconds: by each node and
 * worker, through every kind of pool in front of the database.
 */

import type { Log } from '../../base/log.ts'
import type { Database } from '../../database/database.ts'
import {
  type InstanceSettings,
  readInstanceSettings,
} from '../../features/accounts/settings/instance-settings.ts'

export interface LiveSettings extends Disposable {
  /** The same object until something has changed. */
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

/** What is made of the settings, made anew only when they are others. */
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

/** A change of any setting makes another text. */
function stampOf(settings: InstanceSettings): string {
  const stamps = [...settings].map(([name, { setAt }]) => `${name} ${setAt.toISOString()}`)
  return stamps.sort().join('\n')
}
