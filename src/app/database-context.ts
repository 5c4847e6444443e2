/**
 * Context of administrative commands: a data folder and its database. Servers and workers extend it in context.ts.
 */
import { createLog, type Log } from '../base/log.ts'
import { type Database, type DatabaseAddress, openDatabase } from '../database/database.ts'
import { startEmbeddedPostgres } from '../database/embedded-postgres.ts'
import { migrate, requireMigrated } from '../database/migrate.ts'
import type { Config, Secrets } from './config/config.ts'
import { type DataFolder, dataFolderPaths, openDataFolder } from './data-folder.ts'

export interface DatabaseContext {
  config: Config
  log: Log
  folder: DataFolder
  database: Database
  address: DatabaseAddress
  [Symbol.asyncDispose](): Promise<void>
}

export interface Opening {
  /** If false, a missing folder or database is an error and nothing is created. */
  mayCreate: boolean
  /** Database that another process has started and will stop. */
  address?: DatabaseAddress
}

export async function openDatabaseContext(
  config: Config,
  secrets: Secrets,
  opening: Opening = { mayCreate: true },
): Promise<DatabaseContext> {
  await using stack = new AsyncDisposableStack()
  const context = stack.use(await openUnmigratedDatabase(config, secrets, opening))
  if (!opening.mayCreate) await requireMigrated(context.database)
  await migrate(context.database, context.log)
  const open = stack.move()
  return { ...context, [Symbol.asyncDispose]: () => open.disposeAsync() }
}

/** Like openDatabaseContext, but does not create or migrate tables. */
export async function openUnmigratedDatabase(
  config: Config,
  secrets: Secrets,
  { mayCreate, address: known }: Opening = { mayCreate: true },
): Promise<DatabaseContext> {
  await using opening = new AsyncDisposableStack()
  const log = createLog(config.logLevel, { asText: config.logsAsText })
  const folder = mayCreate ? await openDataFolder(config.dataFolder) : dataFolderPaths(config.dataFolder)
  const address = known ?? (await resolveDatabaseAddress(opening, config, secrets, log))
  const database = opening.use(
    await openDatabase({
      ...address,
      poolSize: config.databasePool,
      allowFsyncOff: config.allowFsyncOff,
      log,
    }),
  )
  const open = opening.move()
  return { config, log, folder, database, address, [Symbol.asyncDispose]: () => open.disposeAsync() }
}

async function resolveDatabaseAddress(
  opening: AsyncDisposableStack,
  config: Config,
  secrets: Secrets,
  log: Log,
): Promise<DatabaseAddress> {
  if (secrets.databaseUrl !== null) return { url: secrets.databaseUrl, directUrl: secrets.databaseDirectUrl }
  const server = opening.use(await startEmbeddedPostgres({ dataDir: config.dataFolder, log }))
  return { connection: server.connection }
}
