/**
 * Process for tests of the embedded PostgreSQL: starts or joins the server of the folder given as the first argument,
 * prints one line of JSON, and keeps the server running until SIGINT.
 */
import { createLog } from '../../src/base/log.ts'
import { startEmbeddedPostgres } from '../../src/database/embedded-postgres.ts'

const server = await startEmbeddedPostgres({ dataDir: process.argv[2] ?? '', log: createLog('info') })
process.once('SIGINT', () => {
  void server.stop().then(() => process.exit(0))
})
process.stdout.write(
  `${JSON.stringify({ pid: server.pid, wasRunning: server.wasRunning, connection: server.connection })}\n`,
)
setInterval(() => undefined, 60_000)
