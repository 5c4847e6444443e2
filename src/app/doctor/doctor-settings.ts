/** `octavo doctor`: reads the dashboard settings from the database, but does not start a database that is stopped. */

import { silentLog } from '../../base/log.ts'
import { type Database, type DatabaseAddress, openDatabase } from '../../database/database.ts'
import { startEmbeddedPostgres } from '../../database/embedded-postgres.ts'
import {
  type InstanceSettings,
  readInstanceSettings,
} from '../../features/accounts/settings/instance-settings.ts'
import type { DoctorContext } from './finding.ts'

export async function readChosenSettings(
  context: DoctorContext,
): Promise<InstanceSettings | 'not running' | 'away'> {
  await using opening = new AsyncDisposableStack()
  const address = await findDatabaseAddress(opening, context)
  if (address === null) return 'not running'
  const allowFsyncOff = context.config.allowFsyncOff
  const database = await openDatabase({ ...address, poolSize: 1, allowFsyncOff, log: silentLog }).catch(
    () => null,
  )
  if (database === null) return 'away'
  opening.use(database)
  return await readStoredSettings(database)
}

async function findDatabaseAddress(
  opening: AsyncDisposableStack,
  { config, secrets, server }: DoctorContext,
): Promise<DatabaseAddress | null> {
  if (secrets.databaseUrl !== null) return { url: secrets.databaseUrl, directUrl: secrets.databaseDirectUrl }
  if (server === null || server.database === 'external') return null
  const running = opening.use(await startEmbeddedPostgres({ dataDir: config.dataFolder, log: silentLog }))
  return { connection: running.connection }
}

/** Returns no settings if the database has no tables yet, because no server has been started. */
async function readStoredSettings({ pool, queries }: Database): Promise<InstanceSettings> {
  const { rows } = await pool.query<{ is_there: boolean }>(
    "SELECT to_regclass('instance_settings') IS NOT NULL AS is_there",
  )
  return rows[0]?.is_there === true ? await readInstanceSettings(queries) : new Map()
}
