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
import { parseModelChoice } from '../../model/model-setup.ts'
import type { ModelSettings } from '../../model/open-model.ts'
import { PROVIDERS, parseModelName } from '../../model/providers.ts'
import {
  type Config,
  ConfigError,
  type DotEnv,
  describeUnknownSettings,
  loadConfig,
  readDataSettings,
  type Secrets,
} from '../config/config.ts'
import { createEgressGuard } from '../egress.ts'
import { findServer } from '../operator/find-server.ts'
import { resolveProgramCommand } from '../operator/program-call.ts'
import type { RunningServer } from '../operator/running-servers.ts'
import { checkMail } from './doctor-mail.ts'
import { checkAllObjects, checkObjects } from './doctor-objects.ts'
import { readChosenSettings } from './doctor-settings.ts'
import { type DoctorContext, type Finding, fault, ok, reason, warning } from './finding.ts'

/** Tolerated clock difference. Signed links and sign-ins depend on the clock. */
const MAX_CLOCK_SKEW_MS = 60_000
/** Advisory lock that nothing else uses. Acquiring it shows that the direct database URL works. */
const DOCTOR_LOCK = 7_205_391_447

const MODEL_CHECK = 'model'

const CHECK_TIMEOUT_SECONDS = 10
const MANIFEST = programFile('package.json')
const MIN_NODE_MAJOR = 24
const GIGABYTE = 1e9
const LOW_SPACE_BYTES = 2 * GIGABYTE
const CRITICAL_SPACE_BYTES = 0.2 * GIGABYTE

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
  /** Whether to verify every object, without a time limit. */
  readsObjects: boolean
  /** Called with each finding as soon as it is known. */
  report(finding: Finding): void
  note(line: string): void
}

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
    addFinding(warning('server', sentence(error.message), 'Choose the server to check with OCTAVO_DATA.'))
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

/** Finds the server of this data folder. Ignores a running server with a different data folder. */
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
        `No response within ${CHECK_TIMEOUT_SECONDS} seconds.`,
        'Check whether the network or the disk hangs.',
      ),
    () => null,
  )
  try {
    return await Promise.race([work, timeoutFinding])
  } catch (error) {
    return fault(check, sentence((error as Error).message), 'Fix this, then run the command again.')
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

/** Reports a clock that shows a time before this program was built, and is therefore wrong. */
async function checkClock(): Promise<Finding> {
  const { mtimeMs } = await stat(MANIFEST)
  if (Date.now() > mtimeMs - MAX_CLOCK_SKEW_MS) return ok('clock', `${new Date().toISOString()}.`)
  return fault(
    'clock',
    `The clock shows ${new Date().toISOString()}, which is before Octavo was installed.`,
    'Set the clock, preferably with NTP. Links, sign-ins and certificates depend on it.',
  )
}

function checkDotEnv(dotEnv: DotEnv | null): Finding | null {
  if (dotEnv === null) return null
  const { file, applied: taken, unknown } = dotEnv
  if (unknown.length > 0)
    return warning(
      'dotenv',
      `${file} contains unknown settings: ${unknown.join(', ')}.`,
      `Correct them: ${resolveProgramCommand()} config --example explains every setting.`,
    )
  return ok('dotenv', `${file}: ${taken.length === 0 ? 'nothing relevant' : taken.join(', ')}.`)
}

function checkSettings(): { findings: Finding[]; loaded: { config: Config; secrets: Secrets } | null } {
  const remedy = `Correct it: ${resolveProgramCommand()} config --example explains every setting.`
  const unknown = describeUnknownSettings().map((text) => warning('settings', text, remedy))
  try {
    return { loaded: loadConfig(), findings: [...unknown, ok('settings', 'The settings are valid.')] }
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
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
      return ok(check, `The embedded PostgreSQL ${await embeddedPostgresVersion()} can run here.`)
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
    if (skew > MAX_CLOCK_SKEW_MS)
      return warning(
        check,
        `The clock of PostgreSQL differs from this machine's by ${Math.round(skew / 1000)} seconds.`,
        'Synchronize both clocks with NTP.',
      )
    return ok(check, `PostgreSQL ${rows[0]?.version} at DATABASE_URL.`)
  } catch (error) {
    return fault(
      check,
      sentence((error as Error).message),
      'Correct DATABASE_URL, or remove it to use the embedded PostgreSQL.',
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
      `${exists ? 'The data folder' : 'The data folder cannot be created:'} ${checkedFolder} is not writable by this user.`,
      'Give this user write access, or set another folder with OCTAVO_DATA.',
    )
  }
  const { bavail, bsize } = await statfs(checkedFolder)
  const free = bavail * bsize
  const shown = `${(free / GIGABYTE).toFixed(1)} GB free`
  const remedy = 'Free some space, or set a folder on another disk with OCTAVO_DATA.'
  if (free < CRITICAL_SPACE_BYTES) return fault(check, `${folder}: ${shown}.`, remedy)
  if (free < LOW_SPACE_BYTES) return warning(check, `${folder}: ${shown}.`, remedy)
  const state = server !== null ? 'in use' : exists ? 'there' : 'created at the first start'
  return ok(check, `${folder}: ${state}, ${shown}.`)
}

function nearestExistingFolder(folder: string): string {
  const parent = dirname(folder)
  return existsSync(folder) || parent === folder ? folder : nearestExistingFolder(parent)
}

async function checkPort({ config, server }: DoctorContext): Promise<Finding> {
  const { port, host } = config
  if (server !== null) return ok('port', `The running server listens on ${server.url}.`)
  if (port === 0) return ok('port', 'Any free port.')
  const listener = createServer()
  const { promise, resolve } = Promise.withResolvers<NodeJS.ErrnoException | null>()
  listener.once('error', resolve)
  listener.listen({ port, host }, () => listener.close(() => resolve(null)))
  const error = await promise
  if (error === null) return ok('port', `Port ${port} on ${host} is free.`)
  return fault(
    'port',
    `Port ${port} on ${host} is not available (${error.code}).`,
    'Set another port with PORT, or stop the program that uses it.',
  )
}

async function checkServer({ server }: DoctorContext): Promise<Finding> {
  if (server === null)
    return ok('server', `No server runs on this data folder. Start one: ${resolveProgramCommand()} start`)
  const remedy = 'Check its log, then restart it.'
  try {
    const answer = await fetch(`${server.url}/readyz`, { signal: AbortSignal.timeout(5000) })
    if (answer.ok) return ok('server', `Running at ${server.url}, process ${server.pid}, and ready.`)
    const { error, parts } = (await answer.json()) as { error?: string; parts?: Record<string, string> }
    const detail =
      Object.values(parts ?? {}).find((part) => part !== 'ok') ?? error ?? `status ${answer.status}`
    return fault('server', `Running at ${server.url} but not ready: ${sentence(detail)}`, remedy)
  } catch (error) {
    return fault(
      'server',
      `Process ${server.pid} does not respond at ${server.url}: ${reason(error)}.`,
      remedy,
    )
  }
}

async function checkForges({ config, secrets }: DoctorContext): Promise<Finding | null> {
  const tokenHosts = secrets.gitTokens.map(({ prefix }) => prefix.split('/', 1)[0] as string)
  const hosts = new Set([...Object.keys(config.forges.kinds), ...tokenHosts])
  if (secrets.githubApp !== null) hosts.add('github.com')
  if (hosts.size === 0) return null
  const remedy = 'Check the network, OCTAVO_GIT_PROXY and the host name.'
  const found = await Promise.all(
    [...hosts].map((host) => checkReachable('forges', host, `https://${host}/`, remedy)),
  )
  return found.find(({ state }) => state !== 'ok') ?? ok('forges', `Reachable: ${[...hosts].join(', ')}.`)
}

function sentence(text: string): string {
  return text.endsWith('.') ? text : `${text}.`
}

async function checkModel(context: DoctorContext): Promise<Finding | null> {
  const { agent, assistant } = context.config
  const given = agent.model ?? assistant.model
  if (given === null) return await checkChosenModel(context)
  if (given.replayFile === null)
    return await checkModelReachable(context, given, 'Start the model server, or correct OCTAVO_MODEL_URL.')
  if (existsSync(given.replayFile)) return ok(MODEL_CHECK, `A recording: ${given.name}.`)
  return fault(MODEL_CHECK, `The recording ${given.replayFile} does not exist.`, 'Correct OCTAVO_MODEL.')
}

async function checkChosenModel(context: DoctorContext): Promise<Finding | null> {
  const settings = await readChosenSettings(context)
  if (settings === 'not running')
    return ok(
      MODEL_CHECK,
      'Not set in the environment. Settings made on the dashboard are only checked while the server runs.',
    )
  // `checkPostgres` reports an unreachable database.
  if (settings === 'away') return null
  const { model, assistant, url } = parseModelChoice(settings)
  const name = model ?? assistant
  if (name === null) return ok(MODEL_CHECK, 'Not configured, so agent jobs are off.')
  return await checkModelReachable(
    context,
    { name, url },
    'Start the model server, or correct its URL on the Server page of the dashboard.',
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
  const guard = createEgressGuard(config, 'models')
  const { hostname, protocol, port } = new URL(url)
  try {
    await guard.resolveAllowedAddresses(hostname, effectivePort({ protocol, port }))
  } catch (error) {
    if (error instanceof AddressRefusedError)
      return fault(MODEL_CHECK, `${name} was not contacted. ${guard.refusal}`, 'Add its host there.')
  }
  return await checkReachable(MODEL_CHECK, name, url, remedy)
}

/** Checks that a service responds with any status. Wrong credentials are only detected on first use. */
async function checkReachable(check: string, name: string, url: string, remedy: string): Promise<Finding> {
  try {
    const answer = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(5000) })
    const serverDate = Date.parse(answer.headers.get('date') ?? '')
    if (Math.abs(serverDate - Date.now()) > MAX_CLOCK_SKEW_MS)
      return warning(
        check,
        `The clock of ${name} differs from this machine's.`,
        'Synchronize the clock with NTP.',
      )
    return ok(check, `${name} responds.`)
  } catch (error) {
    return fault(check, `${name} cannot be reached: ${reason(error)}.`, remedy)
  }
}
