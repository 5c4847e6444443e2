/**
 * Runs once for all test files: starts a PostgreSQL server and looks for a browser. Test files receive both through
 * the environment:
 *   OCTAVO_TEST_DATABASE_URL   URL of the server; if set before the run, no server is started
 *   OCTAVO_TEST_FOLDER         parent of the server's data folder, set before the run and deleted by the caller
 *   OCTAVO_TEST_BROWSER        the browser program as JSON, `null` when there is none
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { silentLog } from '../../src/base/log.ts'
import type { PostgresConnection } from '../../src/database/embedded/server-client.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../src/database/embedded-postgres.ts'
import { findBrowser } from './browser.ts'

let server: EmbeddedPostgres | undefined
let folder: string | undefined

export async function globalSetup(): Promise<void> {
  process.env.OCTAVO_TEST_BROWSER ??= JSON.stringify(await findBrowser())
  if (process.env.OCTAVO_TEST_DATABASE_URL) return
  folder = await mkdtemp(join(process.env.OCTAVO_TEST_FOLDER ?? tmpdir(), 'octavo-test-'))
  server = await startEmbeddedPostgres({ dataDir: folder, log: silentLog })
  process.env.OCTAVO_TEST_DATABASE_URL = urlOf(server.connection)
}

export async function globalTeardown(): Promise<void> {
  await server?.stop()
  if (folder) await rm(folder, { recursive: true, force: true })
}

/** Passes the socket folder in the query, since the host part of a URL cannot contain a path. */
function urlOf({ host, port, user, database }: PostgresConnection): string {
  return `postgresql://${user}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`
}
