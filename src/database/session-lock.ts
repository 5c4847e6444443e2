/**
 * Advisory locks of a session, for work that only one process may do at a time. PostgreSQL releases them when
 * the connection ends for any reason. A connection pooler that hands out connections by transaction loses
 * them, so each lock has a separate connection that bypasses the pooler.
 */
import { Client, type ClientConfig } from 'pg'

export interface LockOptions {
  /** Whether to wait for a lock that is held elsewhere instead of resolving with null. Default: true. */
  isWaiting?: boolean
}

export async function withSessionLock<Result>(
  config: ClientConfig,
  lock: number,
  work: (client: Client) => Promise<Result>,
  options: { isWaiting: false },
): Promise<Result | null>
export async function withSessionLock<Result>(
  config: ClientConfig,
  lock: number,
  work: (client: Client) => Promise<Result>,
): Promise<Result>
export async function withSessionLock<Result>(
  config: ClientConfig,
  lock: number,
  work: (client: Client) => Promise<Result>,
  { isWaiting = true }: LockOptions = {},
): Promise<Result | null> {
  const client = new Client(config)
  // A lost connection only releases the lock.
  client.on('error', () => {})
  await client.connect()
  try {
    if (isWaiting) await client.query('SELECT pg_advisory_lock($1)', [lock])
    else {
      const { rows } = await client.query<{ is_held: boolean }>(
        'SELECT pg_try_advisory_lock($1) AS is_held',
        [lock],
      )
      if (rows[0]?.is_held !== true) return null
    }
    return await work(client)
  } finally {
    await client.end()
  }
}
