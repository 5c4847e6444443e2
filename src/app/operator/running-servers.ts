/**
 * Registry of the servers that run on this machine for this user. While a server runs, a file in the user's
 * runtime folder contains its URL and data folder, for commands in other terminals. The file contains no
 * secrets.
 */
import { lstat, mkdir, open, readdir, realpath, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createId } from '../../base/ids.ts'
import { readProcessStart } from '../../base/process-state.ts'
import { type Config, runtimeFolder } from '../config/config.ts'

export interface RunningServer {
  /** Process id, with the start time that distinguishes the process from later ones with the same id. */
  pid: number
  processStart: string
  /** URL for commands on this machine. */
  url: string
  /** URL for everyone else. */
  publicUrl: string
  /** Real path, with symlinks resolved. */
  dataFolder: string
  database: 'embedded' | 'external'
  startedAt: string
}

/** Validators of the file's fields. A schema library would take longer to load than a command takes to run. */
const FIELD_CHECKS: { readonly [Name in keyof RunningServer]: (value: unknown) => boolean } = {
  pid: (value) => Number.isInteger(value) && (value as number) >= 1,
  processStart: isText,
  url: isWebAddress,
  publicUrl: isWebAddress,
  dataFolder: isText,
  database: (value) => value === 'embedded' || value === 'external',
  startedAt: isText,
}

function isText(value: unknown): boolean {
  return typeof value === 'string'
}

function isWebAddress(value: unknown): boolean {
  return typeof value === 'string' && /^https?:\/\//.test(value)
}

/** Maximum size of a file, which normally has a few hundred bytes. */
const MAX_FILE_BYTES = 16_384
const MAX_FILES = 200

/** Registers this process as a server until it is disposed. Ignores a runtime folder that cannot be used. */
export async function announceServer(
  config: Config,
  { port, publicUrl }: { port: number; publicUrl: string },
): Promise<AsyncDisposable> {
  const folder = runtimeFolder()
  const file = join(folder, `${process.pid}-${createId('evt')}.json`)
  const server: RunningServer = {
    pid: process.pid,
    processStart: (await readProcessStart(process.pid)) ?? '',
    url: `http://${toReachableHost(config.host)}:${port}`,
    publicUrl,
    dataFolder: await realpath(config.dataFolder),
    database: config.database.kind,
    startedAt: new Date().toISOString(),
  }
  if (!(await isOwnFolder(folder, { mayCreate: true }))) return { [Symbol.asyncDispose]: async () => {} }
  const draft = `${file}.new`
  await writeFile(draft, `${JSON.stringify(server)}\n`, { mode: 0o600 })
  await rename(draft, file)
  return { [Symbol.asyncDispose]: () => rm(file, { force: true }) }
}

/** Returns the running servers, oldest first, and removes files left by killed servers. */
export async function listRunningServers(): Promise<RunningServer[]> {
  const folder = runtimeFolder()
  if (!(await isOwnFolder(folder, { mayCreate: false }))) return []
  const names = (await readdir(folder)).filter((name) => name.endsWith('.json')).slice(0, MAX_FILES)
  const found = await Promise.all(names.map((name) => readServer(join(folder, name))))
  return found.filter((server) => server !== null).sort((a, b) => (a.startedAt < b.startedAt ? -1 : 1))
}

async function readServer(file: string): Promise<RunningServer | null> {
  const text = await readBounded(file)
  const server = parse(text)
  if (server === null) return null
  if ((await readProcessStart(server.pid)) === server.processStart) return server
  await rm(file, { force: true }).catch(() => {})
  return null
}

async function readBounded(file: string): Promise<string> {
  try {
    await using handle = await open(file, 'r')
    if ((await handle.stat()).size > MAX_FILE_BYTES) return ''
    return await handle.readFile('utf8')
  } catch {
    return ''
  }
}

function parse(text: string): RunningServer | null {
  try {
    const document = JSON.parse(text) as Record<string, unknown>
    const isServer = Object.entries(FIELD_CHECKS).every(([name, isField]) => isField(document[name]))
    return isServer ? (document as unknown as RunningServer) : null
  } catch {
    return null
  }
}

/** Anyone can create a folder in the temporary folder, so a folder that another user can write to is rejected. */
async function isOwnFolder(folder: string, { mayCreate }: { mayCreate: boolean }): Promise<boolean> {
  try {
    if (mayCreate) await mkdir(folder, { recursive: true, mode: 0o700 })
    const found = await lstat(folder)
    return found.isDirectory() && found.uid === process.getuid?.() && (found.mode & 0o022) === 0
  } catch {
    return false
  }
}

function toReachableHost(host: string): string {
  if (['127.0.0.1', '0.0.0.0', '::', ''].includes(host)) return 'localhost'
  return host.includes(':') ? `[${host}]` : host
}
