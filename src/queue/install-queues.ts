/** Creates or updates the queue's schema at start: its tables, and one queue per job name. */
import type { PgBoss } from 'pg-boss'
import { type DatabaseAddress, directAddress } from '../database/database.ts'
import { withSessionLock } from '../database/session-lock.ts'
import { EXHAUSTED_QUEUE, JOB_NAMES, JOBS } from './jobs.ts'
import { LEASE_SECONDS } from './lease-times.ts'

export const QUEUE_SCHEMA = 'pgboss'

// Arbitrary number that no other lock of ours uses.
const INSTALL_LOCK = 6_218_740_113

const DAY = 86_400

/** Also starts the library, since that creates its tables. */
export async function installQueues(boss: PgBoss, address: DatabaseAddress): Promise<void> {
  const config = { ...addressConfig(address), application_name: 'octavo-queue-install' }
  await withSessionLock(config, INSTALL_LOCK, () => install(boss))
}

async function install(boss: PgBoss): Promise<void> {
  try {
    await boss.start()
    await putQueue(boss, EXHAUSTED_QUEUE, {
      policy: 'standard',
      // The row must eventually be ended, however long the database or the code that writes it has problems.
      retryLimit: 1000,
      retryDelayMax: 60,
      expireInSeconds: 300,
      retentionSeconds: 30 * DAY,
    })
    for (const name of JOB_NAMES) {
      await putQueue(boss, name, {
        policy: 'exclusive',
        retryLimit: JOBS[name].attempts - 1,
        retryDelayMax: LEASE_SECONDS.retryMost,
        expireInSeconds: JOBS[name].deadlineSeconds,
        deadLetter: EXHAUSTED_QUEUE,
      })
    }
  } catch (error) {
    await boss.stop({ graceful: false })
    throw error
  }
}

interface QueueShape {
  /** Cannot be changed once the queue exists. */
  policy: 'standard' | 'exclusive'
  retryLimit: number
  retryDelayMax?: number
  expireInSeconds: number
  retentionSeconds?: number
  deadLetter?: string
}

async function putQueue(boss: PgBoss, name: string, { policy, ...shape }: QueueShape): Promise<void> {
  const settings = {
    ...shape,
    retryDelay: LEASE_SECONDS.retry,
    retryBackoff: true,
    heartbeatSeconds: LEASE_SECONDS.heartbeat,
    deleteAfterSeconds: DAY,
    notify: true,
  }
  await boss.createQueue(name, { policy, ...settings })
  await boss.updateQueue(name, settings)
}

/**
 * The address alone: the library reads numbers and times in `pg`'s own way, so our type parsers stay out. Past a pooler:
 * the library listens for notifications.
 */
export function addressConfig(address: DatabaseAddress) {
  const direct = directAddress(address)
  return 'url' in direct ? { connectionString: direct.url } : direct.connection
}
