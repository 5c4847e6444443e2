/** A pool of PostgreSQL connections with typed queries on top. */
import { setTimeout as delay } from 'node:timers/promises'
import { Kysely, PostgresDialect, type PostgresPool, type Transaction } from 'kysely'
import { type Client, type ClientBase, Pool, type PoolConfig, types } from 'pg'
import type { Log } from '../base/log.ts'
import type { PostgresConnection } from './embedded/server-client.ts'
import { DatabaseFrozenError, type FreezeWatch, watchForFreeze } from './freeze-watch.ts'
import type { Schema } from './schema.ts'
import { withSessionLock } from './session-lock.ts'
import { DatabaseStartError } from './start-error.ts'

/** Runs queries, inside or outside of a transaction. Most functions accept this type. */
export type Queries = Kysely<Schema>
/** Runs queries that take effect together when the transaction commits. */
export type Tx = Transaction<Schema>

export interface Database {
  queries: Queries
  /** For libraries that run their own SQL. */
  pool: Pool
  /**
   * Runs `work` at READ COMMITTED. Rolls back when `work` rejects, and rejects with the same error. A
   * transaction that PostgreSQL aborts because of a conflict with another transaction is retried, so `work` may
   * run several times.
   */
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /** Waits until no other process holds the lock, then works on a separate connection that bypasses any pooler. */
  withLock<T>(lock: number, work: (client: Client) => Promise<T>): Promise<T>
  /** Like `withLock`, but resolves with null immediately if another process holds the lock. */
  tryWithLock<T>(lock: number, work: () => Promise<T>): Promise<T | null>
  /** Resolves within two seconds and never rejects. */
  isReachable(): Promise<boolean>
  [Symbol.asyncDispose](): Promise<void>
}

export type DatabaseAddress =
  | { connection: PostgresConnection }
  /**
   * `directUrl` is a URL of the same database that bypasses a pooler, for features that need a session: locks and
   * notifications.
   */
  | { url: string; directUrl?: string | null }

/** Returns the address that bypasses a pooler. */
export function directAddress(address: DatabaseAddress): DatabaseAddress {
  return 'url' in address ? { url: address.directUrl ?? address.url } : address
}

const MIN_POSTGRES_VERSION = 14
/**
 * Limit for opening a connection or waiting for a free one. Together with everything that follows, a caller
 * waits at most ten seconds.
 */
const CONNECT_TIMEOUT_MS = 8000
const PROBE_TIMEOUT_MS = 2000
/**
 * Maximum time that an open transaction may wait for the client's next statement. Limited, because the transaction
 * holds locks. No code pauses for this long within a transaction.
 */
const IDLE_TRANSACTION_TIMEOUT_MS = 60_000

/**
 * Connects, and refuses a server that could lose or garble data. Throws DatabaseStartError with a message for the
 * operator. `poolSize` is the maximum number of connections.
 */
export async function openDatabase(
  options: DatabaseAddress & { poolSize: number; allowFsyncOff?: boolean; log: Log },
): Promise<Database> {
  const pool = createPool(options, options.poolSize)
  let isClosing = false
  const report = (error: Error) => {
    if (!isClosing) options.log.warn({ cause: error.message }, 'database.connection_lost')
  }
  // A pool reports errors of idle connections only. Without these listeners, an error would end the process.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', report))
  try {
    await checkServer(pool, describeAddress(options), options.allowFsyncOff ?? false)
  } catch (error) {
    await pool.end()
    throw error
  }
  const freezeWatch = watchForFreeze(pool, connectionConfig(options), options.log)
  const queries = new Kysely<Schema>({
    dialect: new PostgresDialect({ pool: rejectWhenFrozen(pool, freezeWatch) }),
  })
  const direct = connectionConfig(directAddress(options))
  return {
    queries,
    pool,
    transaction: (work) => withRetries(() => queries.transaction().execute(work)),
    withLock: (lock, work) => withSessionLock(direct, lock, work),
    tryWithLock: (lock, work) => withSessionLock(direct, lock, work, { isWaiting: false }),
    // While the server is frozen, queries are rejected without contacting it.
    isReachable: async () => !freezeWatch.isFrozen() && (await probe(pool)),
    async [Symbol.asyncDispose]() {
      // The pool does not wait for the server to acknowledge the close. If the server stops now, it ends these
      // connections itself.
      isClosing = true
      freezeWatch[Symbol.dispose]()
      // Also ends the pool, but only if a query has run.
      await queries.destroy()
      if (!pool.ended) await pool.end()
    },
  }
}

/** Deadlock and serialization failure: PostgreSQL has rolled the transaction back, and a retry may succeed. */
const RETRYABLE_CODES: ReadonlySet<unknown> = new Set(['40P01', '40001'])
const MAX_RETRIES = 3
/** Doubled on each retry, with half of it random, so that the same two transactions do not collide again. */
const RETRY_DELAY_MS = 20

async function withRetries<Result>(run: () => Promise<Result>): Promise<Result> {
  for (let retry = 0; ; retry++) {
    try {
      return await run()
    } catch (error) {
      const isRolledBack = RETRYABLE_CODES.has((error as { code?: unknown } | null)?.code)
      if (!isRolledBack || retry === MAX_RETRIES) throw error
      await delay(RETRY_DELAY_MS * 2 ** retry * (0.5 + Math.random()))
    }
  }
}

/** Returns host and database without user and password, safe to print. */
export function describeAddress(address: DatabaseAddress): string {
  if ('connection' in address) return `${address.connection.host}/${address.connection.database}`
  try {
    const url = new URL(address.url)
    return `${url.searchParams.get('host') ?? url.host}${url.pathname}`
  } catch {
    return 'the address in DATABASE_URL'
  }
}

/** Returns the connection as a URL for DATABASE_URL. `pg` takes the folder of a Unix socket from the query. */
export function connectionUrl(connection: PostgresConnection): string {
  const query = new URLSearchParams({ host: connection.host, port: String(connection.port) })
  return `postgres://${encodeURIComponent(connection.user)}@localhost/${connection.database}?${query}`
}

export function connectionConfig(address: DatabaseAddress): PoolConfig {
  return {
    ...('url' in address ? { connectionString: address.url } : address.connection),
    application_name: 'octavo',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    types: { getTypeParser: typeParser },
  }
}

function createPool(address: DatabaseAddress, size: number): Pool {
  try {
    return new Pool({ ...connectionConfig(address), max: size, onConnect: limitIdleTransactions })
  } catch (cause) {
    throw new DatabaseStartError(
      'DATABASE_URL is not a PostgreSQL URL. Write it as postgres://user:password@host:5432/database.',
      { cause },
    )
  }
}

/** Sets the limit for idle transactions with a statement, because poolers reject it as a connection parameter. */
async function limitIdleTransactions(client: ClientBase): Promise<void> {
  await client.query(`SET idle_in_transaction_session_timeout = ${IDLE_TRANSACTION_TIMEOUT_MS}`)
}

function rejectWhenFrozen(pool: Pool, freezeWatch: FreezeWatch): PostgresPool {
  return {
    async connect() {
      if (freezeWatch.isFrozen()) throw new DatabaseFrozenError()
      return pool.connect()
    },
    end: () => pool.end(),
    options: pool.options,
  }
}

/** Parses bigint as a number, rejecting values beyond 2^53, and leaves date as text because it has no time zone. */
const typeParser: typeof types.getTypeParser = (oid: number, format?: 'text' | 'binary') => {
  if (format !== 'binary' && oid === types.builtins.INT8) return parseSafeInteger
  if (format !== 'binary' && oid === types.builtins.DATE) return (text: string) => text
  if (format !== 'binary' && oid === types.builtins.TIMESTAMPTZ) return parseTime
  return types.getTypeParser(oid, format as 'text')
}

const parseAnyTime = types.getTypeParser(types.builtins.TIMESTAMPTZ, 'text')

/**
 * Parses a timestamp. Every row of a list has one, so the common form (UTC, four-digit year) is parsed
 * without a regular expression.
 */
function parseTime(text: string): unknown {
  if (text.endsWith('+00') && text[4] === '-') return new Date(`${text.slice(0, 10)}T${text.slice(11)}:00`)
  return parseAnyTime(text)
}

function parseSafeInteger(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError(`${text} is not a safe integer`)
  return value
}

async function checkServer(pool: Pool, address: string, allowFsyncOff: boolean): Promise<void> {
  const answer = await pool
    .query<{ fsync: string; encoding: string; version: number; text: string }>(
      `SELECT current_setting('fsync') AS fsync, current_setting('server_encoding') AS encoding,
              current_setting('server_version_num')::int / 10000 AS version, current_setting('server_version') AS text`,
    )
    .catch((cause: Error) => {
      throw new DatabaseStartError(
        `The database at ${address} cannot be reached (${cause.message || cause.name}). Check DATABASE_URL, and that the server is running.`,
        { cause },
      )
    })
  const server = answer.rows[0]
  if (server === undefined) throw new DatabaseStartError(`The database at ${address} does not respond.`)
  if (server.version < MIN_POSTGRES_VERSION) {
    throw new DatabaseStartError(
      `The database at ${address} is PostgreSQL ${server.text}, but Octavo requires ${MIN_POSTGRES_VERSION} or newer.`,
    )
  }
  if (server.encoding !== 'UTF8') {
    throw new DatabaseStartError(
      `The database at ${address} has the encoding ${server.encoding}. Create one with UTF8.`,
    )
  }
  if (server.fsync === 'off' && !allowFsyncOff) {
    throw new DatabaseStartError(
      `The database server at ${address} runs with fsync off and can lose data in a power failure. Turn fsync on, or ` +
        'set OCTAVO_ALLOW_FSYNC_OFF=true if you can afford to lose the data.',
    )
  }
}

async function probe(pool: Pool): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const timer = setTimeout(() => resolve(false), PROBE_TIMEOUT_MS)
  pool.query('SELECT 1').then(
    () => resolve(true),
    () => resolve(false),
  )
  return promise.finally(() => clearTimeout(timer))
}
