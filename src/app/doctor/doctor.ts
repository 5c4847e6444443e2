/** `octavo doctor`: checks everything a node needs, one by one, without creating a database or folder. */

import { existsSync } from 'node:fs'
import { access, constants, realpath, stat, statfs } from 'node:fs/promises'
import { createServer } from 'node:net'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { programFile } from '../../base/files/program-files.ts'
import { createLog } from '../../base/log.ts'
import { AddressRefusedError } from '../../base/net/address-guard.ts'
import { effectivePort } from '../../base/net/guarded-fetch.ts'
import { openDatabase } from '../../database/database.ts'
import { embeddedPostgresVersion } from '../../database/embedded-postgres.ts'
import { git } from '../../git/git.ts'
import { chosenModel } from '../../model/model-setup.ts'
import type { ModelSettings } from '../../model/open-model.ts'
import { PROVIDERS, parseModelName } from '../../model/providers.ts'
import {
  type Config,
  ConfigError,
  type DotEnv,
  loadConfig,
  readDataSettings,
  type Secrets,
} from '../config/config.ts'
import { egressGuard } from '../egress.ts'
import { findServer } from '../operator/find-server.ts'
import { programCall } from '../operator/program-call.ts'
import type { RunningServer } from '../operator/running-servers.ts'
import { checkMail } from './doctor-mail.ts'
import { checkAllObjects, checkObjects } from './doctor-objects.ts'
import { readChosenSettings } from './doctor-settings.ts'
import { type DoctorContext, type Finding, fault, ok, reason, warning } from './finding.ts'

/** Tolerated clock difference. Signed links and sign-ins depend on the clock. */
const SKEW_MS = 60_000
/** An advisory lock used by nothing else: taking it shows that the direct address works. */
const DOCTOR_LOCK = 7_205_391_447

const MODEL_CHECK = 'model'

/** Time limit of a single check. */
const CHECK_TIMEOUT_SECONDS = 10
const MANIFEST = programFile('package.json')
const MIN_NODE_MAJOR = 24
const GIGABYTE = 1e9
const LOW_SPACE = 2 * GIGABYTE
const NO_SPACE = 0.2 * GIGABYTE

type Check = (context: DoctorContext) => Promise<Finding | null>

const CHECKS: Readonly<Record<string, Check>> = {
  git: checkGit,
  postgresql: checkPostgres,
  data: checkDataFolder,
  port: checkPort,
  server: checkServer,
  objects: checkObjects,
  model: checkModel,
  mail: checkMail,
  forges: checkForges,
}

export interface DoctorOptions {
  dotEnv: DotEnv | null
  /** Reads every object, without a time limit. */
  readsObjects: boolean
  /** Called with each finding as it is made. */
  report(finding: Finding): void
  /** Called with the progress of a long check. */
  note(line: string): void
}

/** Runs all checks and returns their findings. */
export async function runDoctor({ dotEnv, readsObjects, report, note }: DoctorOptions): Promise<Finding[]> {
  const findings: Finding[] = []
  const addFinding = (finding: Finding | null) => {
    if (finding === null) return
    findings.push(finding)
    report(finding)
  }
  addFinding(checkNode())
  addFinding(await checkClock())
  addFinding(checkDotEnv(dotEnv))
  const settings = checkSettings()
  for (const finding of settings.findings) addFinding(finding)
  if (settings.loaded === null) return findings
  const { config } = settings.loaded
  const server = await resolveServer(config).catch((error: Error) => {
    addFinding(warning('server', sentence(error.message), 'Name the one to look at with OCTAVO_DATA.'))
    return null
  })
  const context: DoctorContext = {
    ...settings.loaded,
    config: server === null ? config : { ...config, dataFolder: server.dataFolder },
    server,
  }
  for (const [name, check] of Object.entries(CHECKS)) addFinding(await withTimeout(name, check(context)))
  if (readsObjects) addFinding(await checkAllObjects(context, note))
  return findings
}

/** Finds the server of this data folder. If there is one here, servers on other folders are ignored. */
async function resolveServer(config: Config): Promise<RunningServer | null> {
  const { given } = readDataSettings()
  const found = await findServer(given)
  const isHere = given !== null || existsSync(config.dataFolder)
  return isHere && found?.dataFolder !== (await realpath(config.dataFolder).catch(() => null)) ? null : found
}

/** Turns a timeout or an unexpected error of a check into a finding. */
async function withTimeout(check: string, work: Promise<Finding | null>): Promise<Finding | null> {
  const clock = new AbortController()
  const timeoutFinding = sleep(CHECK_TIMEOUT_SECONDS * 1000, undefined, { signal: clock.signal }).then(
    () =>
      fault(
        check,
        `No answer in ${CHECK_TIMEOUT_SECONDS} seconds.`,
        'Look whether the network or the disk hangs.',
      ),
    () => null,
  )
  try {
    return await Promise.race([work, timeoutFinding])
  } catch (error) {
    return fault(check, sentence((error as Error).message), 'Mend what it says, then run this again.')
  } finally {
    clock.abort()
  }
}

function checkNode(): Finding {
  const major = Number(process.versions.node.split('.')[0])
  if (major >= MIN_NODE_MAJOR) return ok('node', `Node ${process.versions.node}.`)
  return fault(
    'node',
    `Node ${process.versions.node} is too old.`,
    `Install Node ${MIN_NODE_MAJOR} or newer.`,
  )
}

/** A clock earlier than the build of this program must be wrong. */
async function checkClock(): Promise<Finding> {
  const { mtimeMs } = await stat(MANIFEST)
  if (Date.now() > mtimeMs - SKEW_MS) return ok('clock', `${new Date().toISOString()}.`)
  return fault(
    'clock',
    `The clock says ${new Date().toISOString()}, which is before this program was installed.`,
    'Set the clock, best by NTP: links, sign-ins and certificates go by it.',
  )
}

function checkDotEnv(dotEnv: DotEnv | null): Finding | null {
  if (dotEnv === null) return null
  const { file, applied: taken, unknown } = dotEnv
  if (unknown.length > 0)
    return warning(
      'dotenv',
      `${file} has names that are no settings: ${unknown.join(', ')}.`,
      `Correct them: ${programCall()} config --example explains every setting.`,
    )
  return ok('dotenv', `${file}: ${taken.length === 0 ? 'nothing that counts' : taken.join(', ')}.`)
}

function checkSettings(): { findings: Finding[]; loaded: { config: Config; secrets: Secrets } | null } {
  try {
    return { loaded: loadConfig(), findings: [ok('settings', 'The settings fit together.')] }
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    const remedy = `Correct it: ${programCall()} config --example explains every setting.`
    return { loaded: null, findings: error.faults.map((text) => fault('settings', text, remedy)) }
  }
}

async function checkGit(): Promise<Finding> {
  try {
    const version = (await git(['version'], {})).toString().trim()
    return ok('git', `${version}.`)
  } catch (error) {
    return fault('git', sentence((error as Error).message), 'Install git 2.32 or newer.')
  }
}

async function checkPostgres({ config, secrets }: DoctorContext): Promise<Finding> {
  const check = 'postgresql'
  if (secrets.databaseUrl === null) {
    try {
      return ok(check, `The embedded PostgreSQL ${await embeddedPostgresVersion()} runs here.`)
    } catch (error) {
      return fault(
        check,
        sentence((error as Error).message),
        'Install the packages again, or set DATABASE_URL.',
      )
    }
  }
  try {
    await using database = await openDatabase({
      url: secrets.databaseUrl,
      directUrl: secrets.databaseDirectUrl,
      poolSize: 2,
      allowFsyncOff: config.allowFsyncOff,
      log: createLog('silent'),
    })
    const { rows } = await database.pool.query<{ version: string; now: Date }>(
      "SELECT current_setting('server_version') AS version, now() AS now",
    )
    await database.withLock(DOCTOR_LOCK, async () => undefined)
    const skew = Math.abs((rows[0]?.now.getTime() ?? 0) - Date.now())
    if (skew > SKEW_MS)
      return warning(
        check,
        `The clock of PostgreSQL differs by ${Math.round(skew / 1000)} seconds from this machine's.`,
        'Set both clocks by NTP.',
      )
    return ok(check, `PostgreSQL ${rows[0]?.version} at DATABASE_URL.`)
  } catch (error) {
    return fault(
      check,
      sentence((error as Error).message),
      'Correct DATABASE_URL, or leave it out for the embedded one.',
    )
  }
}

async function checkDataFolder({ config, server }: DoctorContext): Promise<Finding> {
  const check = 'data'
  const folder = config.dataFolder
  const exists = existsSync(folder)
  const checkedFolder = exists ? folder : nearestExistingFolder(folder)
  try {
    await access(checkedFolder, constants.W_OK | constants.X_OK)
  } catch {
    return fault(
      check,
      `${exists ? 'The data folder' : 'The data folder cannot be made:'} ${checkedFolder} may not be written by this user.`,
      'Give this user the right, or name another folder with OCTAVO_DATA.',
    )
  }
  const { bavail, bsize } = await statfs(checkedFolder)
  const free = bavail * bsize
  const shown = `${(free / GIGABYTE).toFixed(1)} GB free`
  const remedy = 'Make room, or name a folder on another disk with OCTAVO_DATA.'
  if (free < NO_SPACE) return fault(check, `${folder}: ${shown}.`, remedy)
  if (free < LOW_SPACE) return warning(check, `${folder}: ${shown}.`, remedy)
  const state = server !== null ? 'in use' : exists ? 'there' : 'made at the first start'
  return ok(check, `${folder}: ${state}, ${shown}.`)
}

function nearestExistingFolder(folder: string): string {
  const parent = dirname(folder)
  return existsSync(folder) || parent === folder ? folder : nearestExistingFolder(parent)
}

async function checkPort({ config, server }: DoctorContext): Promise<Finding> {
  const { port, host } = config
  if (server !== null) return ok('port', `The running server listens at ${server.url}.`)
  if (port === 0) return ok('port', 'Any free port.')
  const listener = createServer()
  const { promise, resolve } = Promise.withResolvers<NodeJS.ErrnoException | null>()
  listener.once('error', resolve)
  listener.listen({ port, host }, () => listener.close(() => resolve(null)))
  const error = await promise
  if (error === null) return ok('port', `Port ${port} is free at ${host}.`)
  return fault(
    'port',
    `Nothing can listen at ${host}, port ${port} (${error.code}).`,
    'Name another port with PORT, or end the program that has it.',
  )
}

async function checkServer({ server }: DoctorContext): Promise<Finding> {
  if (server === null) return ok('server', `None runs on this data folder: ${programCall()} start.`)
  const remedy = 'Look into its log, then start it again.'
  try {
    const answer = await fetch(`${server.url}/readyz`, { signal: AbortSignal.timeout(5000) })
    if (answer.ok) return ok('server', `It runs at ${server.url}, process ${server.pid}, and is ready.`)
    const { error, parts } = (await answer.json()) as { error?: string; parts?: Record<string, string> }
    const detail =
      Object.values(parts ?? {}).find((part) => part !== 'ok') ?? error ?? `status ${answer.status}`
    return fault('server', `It runs at ${server.url} and is not ready: ${sentence(detail)}`, remedy)
  } catch (error) {
    return fault(
      'server',
      `Process ${server.pid} does not answer at ${server.url}: ${reason(error)}.`,
      remedy,
    )
  }
}

async function checkForges({ config, secrets }: DoctorContext): Promise<Finding | null> {
  const hosts = new Set([...Object.keys(config.forges.kinds), ...Object.keys(secrets.gitTokens)])
  if (secrets.githubApp !== null) hosts.add('github.com')
  if (hosts.size === 0) return null
  const remedy = 'Look at the network, OCTAVO_GIT_PROXY and the name of the host.'
  const found = await Promise.all(
    [...hosts].map((host) => checkReachable('forges', host, `https://${host}/`, remedy)),
  )
  return found.find(({ state }) => state !== 'ok') ?? ok('forges', `${[...hosts].join(', ')} answers.`)
}

function sentence(text: string): string {
  return text.endsWith('.') ? text : `${text}.`
}

/** `octavo doctor`: checks the language model set by the environment or on the dashboard. */
async function checkModel(context: DoctorContext): Promise<Finding | null> {
  const { agent, assistant } = context.config
  const given = agent.model ?? assistant.model
  if (given === null) return await checkChosenModel(context)
  if (given.replayFile === null)
    return await checkModelReachable(context, given, 'Start the model server, or correct OCTAVO_MODEL_URL.')
  if (existsSync(given.replayFile)) return ok(MODEL_CHECK, `A recording, ${given.name}.`)
  return fault(MODEL_CHECK, `There is no recording ${given.replayFile}.`, 'Correct OCTAVO_MODEL.')
}

async function checkChosenModel(context: DoctorContext): Promise<Finding | null> {
  const settings = await readChosenSettings(context)
  if (settings === 'not running')
    return ok(
      MODEL_CHECK,
      'The environment names none; what the dashboard says is seen while the server runs.',
    )
  // Another check reports this.
  if (settings === 'away') return null
  const { model, assistant, url } = chosenModel(settings)
  const name = model ?? assistant
  if (name === null) return ok(MODEL_CHECK, 'None is configured, so agent jobs are off.')
  return await checkModelReachable(
    context,
    { name, url },
    'Start the model server, or correct its address on the page Server of the dashboard.',
  )
}

async function checkModelReachable(
  { config }: DoctorContext,
  { name, url: own }: Pick<ModelSettings, 'name' | 'url'>,
  remedy: string,
): Promise<Finding | null> {
  const { provider } = parseModelName(name)
  const url = own ?? (provider === 'replay' ? null : PROVIDERS[provider].url)
  if (url === null) return null
  const guard = egressGuard(config, 'models')
  const { hostname, protocol, port } = new URL(url)
  try {
    await guard.resolveAllowedAddresses(hostname, effectivePort({ protocol, port }))
  } catch (error) {
    if (error instanceof AddressRefusedError)
      return fault(MODEL_CHECK, `${name} is not asked. ${guard.refusal}`, 'Name its host there.')
  }
  return await checkReachable(MODEL_CHECK, name, url, remedy)
}

// `octavo doctor`: checks that remote services respond, and compares their clock.

/** Checks that a service responds, whatever the status. Wrong credentials show up on first use. */
async function checkReachable(check: string, name: string, url: string, remedy: string): Promise<Finding> {
  try {
    const answer = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(5000) })
    const serverDate = Date.parse(answer.headers.get('date') ?? '')
    if (Math.abs(serverDate - Date.now()) > SKEW_MS)
      return warning(check, `The clock of ${name} differs from this machine's.`, 'Set the clock by NTP.')
    return ok(check, `${name} answers.`)
  } catch (error) {
    return fault(check, `${name} cannot be reached: ${reason(error)}.`, remedy)
  }
}
