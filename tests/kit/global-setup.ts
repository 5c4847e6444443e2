/**
 * Runs once around all test files: one PostgreSQL server and one look for a browser. Both are handed to the test files
 * through the environment:
 *   OCTAVO_TEST_DATABASE_URL   where the server is; set before the run, that server is used and none is started
 *   OCTAVO_TEST_FOLDER         set before the run: where the server's data lies, deleted by who set it
 *   OCTAVO_TEST_BROWSER        the browser's program as JSON, `null` when there is none
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

/** The folder of the server's socket goes into the query: a URL has no place for a path before its own. */
function urlOf({ host, port, user, database }: PostgresConnection): string {
  return `postgresql://${user}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`
}
