/**
 * Detects a server that has frozen: its connections are open, but no answers arrive. A long query looks the same on
 * its own connection, so the server is probed over a separate one. If neither the probe nor any other connection is
 * answered in time, all connections are cut, and everything that waits for one fails within eight seconds.
 */
import { Client, type Pool, type PoolClient, type PoolConfig } from 'pg'
import type { Log } from '../base/log.ts'

/** The server was frozen at the last probe. Callers can fail at once instead of waiting for it. */
export class DatabaseFrozenError extends Error {
  override name = 'DatabaseFrozenError'
  constructor() {
    super('the database server does not answer')
  }
}

export interface FreezeWatch extends Disposable {
  isFrozen(): boolean
}

const TICK_MS = 500
/** A connection in use for this long triggers a probe. */
const LONG_MS = 1500
/** How long a probe may take, in ticks of our own event loop, which may itself have been blocked. */
const PATIENCE_TICKS = 10

interface Question {
  ticks: number
  isAnswered: boolean
  end(): void
}

export function watchForFreeze(pool: Pool, config: PoolConfig, log: Log): FreezeWatch {
  const lent = new Map<PoolClient, number>()
  let question: Question | null = null
  let frozenSince: number | null = null

  pool.on('acquire', (client) => void lent.set(client, performance.now()))
  pool.on('release', (error, client) => {
    lent.delete(client)
    // Another query was answered. Connections that we cut are released too, but do not count.
    if (!error && !isCut(client) && question !== null) question.isAnswered = true
  })
  pool.on('remove', (client) => void lent.delete(client))

  const look = () => {
    if (question === null) {
      if (frozenSince !== null || someoneWaits(lent)) question = ask(config)
      return
    }
    question.ticks++
    if (question.isAnswered) {
      if (frozenSince !== null)
        log.warn({ seconds: Math.round((performance.now() - frozenSince) / 1000) }, 'database.answers_again')
      frozenSince = null
    } else if (question.ticks < PATIENCE_TICKS) return
    else {
      if (frozenSince === null) log.error({ connections: lent.size }, 'database.frozen')
      frozenSince ??= performance.now()
      for (const client of lent.keys()) cut(client)
    }
    question.end()
    question = null
  }
  const timer = setInterval(look, TICK_MS).unref()
  return {
    isFrozen: () => frozenSince !== null,
    [Symbol.dispose]() {
      clearInterval(timer)
      question?.end()
    },
  }
}

function someoneWaits(lent: ReadonlyMap<PoolClient, number>): boolean {
  const [oldest] = lent.values()
  return oldest !== undefined && performance.now() - oldest > LONG_MS
}

/** Probes the server. An error counts as an answer, because it proves that the server responds. */
function ask(config: PoolConfig): Question {
  const client = new Client({ ...config, connectionTimeoutMillis: 0 }) // the caller limits the time
  const question: Question = { ticks: 0, isAnswered: false, end: () => cut(client) }
  const answered = () => {
    question.isAnswered = true
  }
  client.on('error', answered)
  client
    .connect()
    .then(() => client.query('SELECT 1'))
    .then(answered, answered)
  return question
}

/** Destroys the socket without a goodbye message, which would not arrive. Pending queries reject at once. */
function cut(client: Client | PoolClient): void {
  streamOf(client).destroy()
}

function isCut(client: PoolClient): boolean {
  return streamOf(client).destroyed
}

function streamOf(client: Client | PoolClient): { destroy(): void; destroyed: boolean } {
  return (client as unknown as { connection: { stream: { destroy(): void; destroyed: boolean } } }).connection
    .stream
}
