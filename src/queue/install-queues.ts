/** Creates or updates the schema of the queue at start: the library's tables, and one queue per job name. */
import type { PgBoss } from 'pg-boss'
import { type DatabaseAddress, directAddress } from '../database/database.ts'
import { withSessionLock } from '../database/session-lock.ts'
import { EXHAUSTED_QUEUE, JOB_NAMES, JOBS } from './job-settings.ts'
import { LEASE_SECONDS } from './lease-times.ts'

// Arbitrary, but different from our other locks.
const INSTALL_LOCK = 6_218_740_113

const DAY = 86_400

/** Starts the library, which creates its tables. Then creates the queues. */
export async function installQueues(boss: PgBoss, address: DatabaseAddress): Promise<void> {
  const config = { ...queueConnectionConfig(address), application_name: 'octavo-queue-install' }
  await withSessionLock(config, INSTALL_LOCK, () => install(boss))
}

async function install(boss: PgBoss): Promise<void> {
  try {
    await boss.start()
    await putQueue(boss, EXHAUSTED_QUEUE, {
      policy: 'standard',
      // High enough to outlast long failures of the database, because the job's row must be updated eventually.
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
  /** Cannot be changed for an existing queue. */
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
 * Returns only the address, without our type parsers, because the library depends on the default ones of `pg`. Bypasses
 * a pooler, because the library listens for notifications.
 */
export function queueConnectionConfig(address: DatabaseAddress) {
  const direct = directAddress(address)
  return 'url' in direct ? { connectionString: direct.url } : direct.connection
}
