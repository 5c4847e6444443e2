/**
 * Detects a server that has frozen: its connections are open, but no responses arrive. A long query looks the same on
 * its own connection, so the server is probed over a separate one. If neither the probe nor any other connection gets a
 * response in time, all connections are cut, and everything that waits for one fails within eight seconds.
 */
import { Client, type Pool, type PoolClient, type PoolConfig } from 'pg'
import type { Log } from '../base/log.ts'

/** Error for a server that was frozen at the last probe. Callers can fail immediately instead of waiting. */
export class DatabaseFrozenError extends Error {
  override name = 'DatabaseFrozenError'
  constructor() {
    super('the database server does not answer')
  }
}

export interface FreezeWatch extends Disposable {
  isFrozen(): boolean
}

const POLL_INTERVAL_MS = 500
/** A connection in use for this long triggers a probe. */
const PROBE_AFTER_MS = 1500
/** Maximum duration of a probe, in ticks of our own event loop, which may itself have been blocked. */
const PROBE_TIMEOUT_TICKS = 10

interface Probe {
  ticks: number
  isAnswered: boolean
  end(): void
}

export function watchForFreeze(pool: Pool, config: PoolConfig, log: Log): FreezeWatch {
  const inUse = new Map<PoolClient, number>()
  let probe: Probe | null = null
  let frozenSince: number | null = null

  pool.on('acquire', (client) => void inUse.set(client, performance.now()))
  pool.on('release', (error, client) => {
    inUse.delete(client)
    // Another query got a response. Connections that we cut are released too, but do not count.
    if (!error && !isDestroyed(client) && probe !== null) probe.isAnswered = true
  })
  pool.on('remove', (client) => void inUse.delete(client))

  const poll = () => {
    if (probe === null) {
      if (frozenSince !== null || isLongInUse(inUse)) probe = startProbe(config)
      return
    }
    probe.ticks++
    if (probe.isAnswered) {
      if (frozenSince !== null)
        log.warn({ seconds: Math.round((performance.now() - frozenSince) / 1000) }, 'database.answers_again')
      frozenSince = null
    } else if (probe.ticks < PROBE_TIMEOUT_TICKS) return
    else {
      if (frozenSince === null) log.error({ connections: inUse.size }, 'database.frozen')
      frozenSince ??= performance.now()
      for (const client of inUse.keys()) destroyConnection(client)
    }
    probe.end()
    probe = null
  }
  const timer = setInterval(poll, POLL_INTERVAL_MS).unref()
  return {
    isFrozen: () => frozenSince !== null,
    [Symbol.dispose]() {
      clearInterval(timer)
      probe?.end()
    },
  }
}

function isLongInUse(inUse: ReadonlyMap<PoolClient, number>): boolean {
  const [oldest] = inUse.values()
  return oldest !== undefined && performance.now() - oldest > PROBE_AFTER_MS
}

/** Probes the server. An error counts as a response, because it proves that the server responds. */
function startProbe(config: PoolConfig): Probe {
  const client = new Client({ ...config, connectionTimeoutMillis: 0 }) // the caller limits the time
  const probe: Probe = { ticks: 0, isAnswered: false, end: () => destroyConnection(client) }
  const answered = () => {
    probe.isAnswered = true
  }
  client.on('error', answered)
  client
    .connect()
    .then(() => client.query('SELECT 1'))
    .then(answered, answered)
  return probe
}

/** Destroys the socket without a goodbye message, which would not arrive. Pending queries reject immediately. */
function destroyConnection(client: Client | PoolClient): void {
  streamOf(client).destroy()
}

function isDestroyed(client: PoolClient): boolean {
  return streamOf(client).destroyed
}

function streamOf(client: Client | PoolClient): { destroy(): void; destroyed: boolean } {
  return (client as unknown as { connection: { stream: { destroy(): void; destroyed: boolean } } }).connection
    .stream
}
