/** A database with many entries, stored in a folder between runs, and helpers shared by the benchmarks that use it. */
import { mkdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { silentLog } from '../../src/base/log.ts'
import { connectionUrl, type Database, openDatabase } from '../../src/database/database.ts'
import { startEmbeddedPostgres } from '../../src/database/embedded-postgres.ts'
import { migrate } from '../../src/database/migrate.ts'

export const ORGANIZATION = 'org_bench'
/** Has nine tenths of the entries; twenty small projects share the rest. */
export const PROJECT = 'prj_0bench0bench0bench0bench0b'

export interface BenchDatabase {
  database: Database
  url: string
  entries: number
  [Symbol.asyncDispose](): Promise<void>
}

/** `OCTAVO_BENCH_ENTRIES` sets the number of entries (default one million), `OCTAVO_BENCH_DATA` the folder. */
export async function openBenchDatabase(): Promise<BenchDatabase> {
  const entries = Number(process.env.OCTAVO_BENCH_ENTRIES ?? 1_000_000)
  const dataDir = join(process.env.OCTAVO_BENCH_DATA ?? join(tmpdir(), 'octavo-bench'), String(entries))
  await mkdir(dataDir, { recursive: true })
  await using opening = new AsyncDisposableStack()
  const server = opening.use(await startEmbeddedPostgres({ dataDir, log: silentLog }))
  const database = opening.use(
    await openDatabase({ connection: server.connection, poolSize: 16, log: silentLog }),
  )
  await migrate(database, silentLog)
  const open = opening.move()
  return {
    database,
    url: connectionUrl(server.connection),
    entries,
    [Symbol.asyncDispose]: () => open.disposeAsync(),
  }
}

/** Returns a percentile in milliseconds, rounded to two decimals. `part` is between 0 and 1. */
export function percentile(times: readonly number[], part: number): number {
  const sorted = [...times].sort((a, b) => a - b)
  const value = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN
  return Math.round(value * 100) / 100
}

export function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
