/**
 * Finds out that a server stands still: its connections are open, and nothing comes back. Long work looks the same from
 * its own connection, so another one is asked; when no answer comes to that either, and none to anybody else in the
 * meantime, all connections are cut, and whoever waits for one of them hears of it within eight seconds.
 */
import { Client, type Pool, type PoolClient, type PoolConfig } from 'pg'
import type { Log } from '../base/log.ts'

/** Says that the server has stood still when it was asked last; nobody need wait to find the same. */
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
/** A connection that has been lent for so long is a reason to ask. */
const LONG_MS = 1500
/** Of the question; by the ticks of our own event loop, which may itself have stood still. */
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
    // Somebody was answered, and not cut off by us: whoever is cut off gives the connection back as well.
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

/** An error is an answer too: of a server that is there. */
function ask(config: PoolConfig): Question {
  const client = new Client({ ...config, connectionTimeoutMillis: 0 }) // whoever asks has the patience
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

/** Without the word of farewell that nobody would hear; what waits on it rejects at once. */
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
