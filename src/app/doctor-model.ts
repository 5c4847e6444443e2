/** `octavo doctor`, for the language model: the one of the environment, or the one that an operator set on the dashboard. */
import { existsSync } from 'node:fs'
import { type InstanceSettings, readInstanceSettings } from '../accounts/instance-settings.ts'
import { silentLog } from '../base/log.ts'
import { type Database, type DatabaseAddress, openDatabase } from '../database/database.ts'
import { startEmbeddedPostgres } from '../database/embedded-postgres.ts'
import { chosenModel } from '../model/model-setup.ts'
import type { ModelSettings } from '../model/open-model.ts'
import { PROVIDERS, parseModelName } from '../model/providers.ts'
import { type Finding, fault, ok, type Patient } from './finding.ts'
import { reach } from './reach.ts'

const CHECK = 'model'

export async function checkModel(patient: Patient): Promise<Finding | null> {
  const { agent, assistant } = patient.config
  const given = agent.model ?? assistant.model
  if (given === null) return await checkChosenModel(patient)
  if (given.replayFile === null)
    return await reachModel(given, 'Start the model server, or correct OCTAVO_MODEL_URL.')
  if (existsSync(given.replayFile)) return ok(CHECK, `A recording, ${given.name}.`)
  return fault(CHECK, `There is no recording ${given.replayFile}.`, 'Correct OCTAVO_MODEL.')
}

/** What the dashboard says is known to the database alone, which is started for nobody here. */
async function checkChosenModel(patient: Patient): Promise<Finding | null> {
  await using opening = new AsyncDisposableStack()
  const address = await addressOf(opening, patient)
  if (address === null)
    return ok(CHECK, 'The environment names none; what the dashboard says is seen while the server runs.')
  const allowFsyncOff = patient.config.allowFsyncOff
  const database = await openDatabase({ ...address, poolSize: 1, allowFsyncOff, log: silentLog }).catch(
    () => null,
  )
  // Of which another line speaks.
  if (database === null) return null
  opening.use(database)
  const { model, assistant, url } = chosenModel(await settingsIn(database))
  const name = model ?? assistant
  if (name === null) return ok(CHECK, 'None is configured, so agent jobs are off.')
  return await reachModel(
    { name, url },
    'Start the model server, or correct its address on the page Server of the dashboard.',
  )
}

/** Null when no database runs. */
async function addressOf(
  opening: AsyncDisposableStack,
  { config, secrets, server }: Patient,
): Promise<DatabaseAddress | null> {
  if (secrets.databaseUrl !== null) return { url: secrets.databaseUrl }
  if (server === null || server.database === 'external') return null
  const running = opening.use(await startEmbeddedPostgres({ dataDir: config.dataFolder, log: silentLog }))
  return { connection: running.connection }
}

/** None in a database in which no server has been started yet. */
async function settingsIn({ pool, queries }: Database): Promise<InstanceSettings> {
  const { rows } = await pool.query<{ is_there: boolean }>(
    "SELECT to_regclass('instance_settings') IS NOT NULL AS is_there",
  )
  return rows[0]?.is_there === true ? await readInstanceSettings(queries) : new Map()
}

async function reachModel(
  { name, url: own }: Pick<ModelSettings, 'name' | 'url'>,
  remedy: string,
): Promise<Finding | null> {
  const { provider } = parseModelName(name)
  const url = own ?? (provider === 'replay' ? null : PROVIDERS[provider].url)
  return url === null ? null : await reach(CHECK, name, url, remedy)
}
