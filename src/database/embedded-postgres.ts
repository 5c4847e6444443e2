/** A PostgreSQL of our own: the programs come with npm, the data lives in the data folder, and nothing listens on a port. */
import type { ChildProcess } from 'node:child_process'
import { chown, mkdir, open, readdir, readFile, realpath, rename, rm, rmdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import type { Log } from '../base/log.ts'
import { type Binaries, findBinaries } from './embedded/binaries.ts'
import {
  checkCluster,
  dataFolderError,
  makeServerFolders,
  makeSocketDir,
  type ServerFolders,
} from './embedded/folders.ts'
import {
  type Hold,
  hasHolders,
  holdNewServer,
  holdRunningServer,
  PIPE_NAME,
  WATCHER_SCRIPT,
} from './embedded/holders.ts'
import { disarmLockFiles, findPostmaster, isAlive, type Postmaster } from './embedded/postmaster.ts'
import {
  chooseServerAccount,
  clusterPathFor,
  giveTree,
  runAs,
  type ServerAccount,
  spawnAs,
} from './embedded/server-account.ts'
import { DatabaseStartError } from './start-error.ts'

export interface PostgresConnection {
  /** A host name, or the folder of a Unix socket. */
  host: string
  port: number
  user: string
  database: string
}

export interface EmbeddedPostgres {
  connection: PostgresConnection
  /** Process number of the server. */
  pid: number
  /** True when another process had already started it. */
  wasRunning: boolean
  /**
   * Lets go of the server, and when no other process holds it, waits until it has shut down. Connections that are still
   * open are ended. Safe to call twice.
   */
  stop(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

interface Setting {
  binaries: Binaries
  account: ServerAccount | null
  folders: ServerFolders
  log: Log
}

const SUPERUSER = 'octavo'
const DATABASE = 'octavo'
const PORT = 5432 // Only a part of the socket's name.

/** Recovery after a power cut replays at most 1 GB of log. */
const START_SECONDS = 300
const STOP_SECONDS = 60
/**
 * Complaints that go away: another process was faster, children of a killed server are still ending, or another
 * process cleared the pipe away.
 */
const LOST_THE_RACE =
  /lock file "[^"]*" already exists|pre-existing shared memory block|received fast shutdown request/

const LOG_FILE_BYTES = 10 * 1024 * 1024

const SETTINGS = {
  listen_addresses: '',
  port: String(PORT),
  unix_socket_permissions: '0700',
  max_connections: '200',
  shared_buffers: '128MB',
  fsync: 'on',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_checkpoints: 'off',
  lc_messages: 'C',
}

/**
 * Starts the server of this data folder, or joins the one that runs. Throws DatabaseStartError with a sentence for the
 * operator.
 *
 * What is found, and what follows:
 *
 *   no data directory       initialised beside its place, then renamed into it: a crash leaves no half of one
 *   no server, or a dead    started, with a shell that shuts it down when the last holder is gone, even by kill -9
 *     one's lock file
 *   server, starting        awaited
 *   server, ready, watched  joined
 *   server, not watched     ended with a fast shutdown, then started
 *   server, stopping        awaited, then started
 *   lost a race with        looked at again
 *     another start
 */
export async function startEmbeddedPostgres(options: {
  dataDir: string
  log: Log
}): Promise<EmbeddedPostgres> {
  const { log } = options
  await mkdir(options.dataDir, { recursive: true }).catch((cause) => {
    throw dataFolderError(options.dataDir, cause)
  })
  const dataDir = await realpath(options.dataDir)
  const folders = await makeServerFolders(dataDir)
  const account = await chooseServerAccount(folders.cluster)
  const setting: Setting = { binaries: await findBinaries(account), account, folders, log }
  if (!(await checkCluster(folders, setting.binaries.major))) await initialise(setting)
  if (account !== null && (await stat(folders.cluster)).uid !== account.uid) {
    await giveTree(folders.cluster, account)
  }

  const deadline = Date.now() + START_SECONDS * 1000
  while (Date.now() < deadline) {
    const found = await findPostmaster(folders.cluster)
    const server = found === null ? await startServer(setting, deadline) : await joinServer(setting, found)
    if (server !== null) return server
    await sleep(50)
  }
  throw new DatabaseStartError(
    `PostgreSQL did not get ready in ${START_SECONDS} seconds: its own account of it is in ${folders.logFile}.`,
  )
}

async function initialise({ binaries, account, folders, log }: Setting): Promise<void> {
  const started = Date.now()
  for (const name of await readdir(folders.root)) {
    // The process that was at it is gone.
    if (name.startsWith('data.new-') && !isAlive(Number(name.slice(9)))) {
      await rm(join(folders.root, name), { recursive: true })
    }
  }
  const fresh = join(folders.root, `data.new-${process.pid}`)
  await rm(fresh, { recursive: true, force: true })
  await mkdir(fresh, { mode: 0o700 })
  if (account !== null) {
    await chown(fresh, account.uid, account.gid).catch((cause) => {
      throw dataFolderError(folders.root, cause)
    })
  }
  const made = await runAs(
    account,
    join(binaries.folder, 'bin', 'initdb'),
    [
      ['-D', clusterPathFor(account, fresh), '-U', SUPERUSER, '-E', 'UTF8'],
      // The socket's folder is closed to everybody else, so there is no password to keep.
      ['--auth=trust', '--no-instructions'],
      // Sorting must not depend on the host.
      ['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'],
    ].flat(),
    fresh,
  )
  if (made.code !== 0) {
    await rm(fresh, { recursive: true, force: true })
    throw new DatabaseStartError(
      `PostgreSQL could not set up its data directory in ${folders.root}: ${lastLine(made.output)}`,
    )
  }
  // Refused when another process was faster: its directory is as good as this one.
  await rename(fresh, folders.cluster).catch(() => rm(fresh, { recursive: true, force: true }))
  log.info({ folder: folders.cluster, milliseconds: Date.now() - started }, 'postgres.initialised')
}

/** Null when another process was faster, or this server went away again and it is worth another look. */
async function startServer(setting: Setting, deadline: number): Promise<EmbeddedPostgres | null> {
  const { binaries, account, folders, log } = setting
  const socketDir = await makeSocketDir(folders, account)
  await disarmLockFiles(folders.cluster, socketDir)
  const hold = await holdNewServer(folders.holders, socketDir, account)
  const written = await stat(folders.logFile).catch(() => null)
  const keepsLog = written !== null && written.size < LOG_FILE_BYTES
  const logHandle = await open(folders.logFile, keepsLog ? 'a' : 'w', 0o600)
  const flags = Object.entries({ ...SETTINGS, unix_socket_directories: socketDir }).flatMap(
    ([name, value]) => ['-c', `${name}=${value}`],
  )
  const command = [
    join(binaries.folder, 'bin', 'postgres'),
    '-D',
    clusterPathFor(account, folders.cluster),
    ...flags,
  ]
  // Its own session: Ctrl-C in a terminal must reach us first, so that we can close our connections.
  const child = spawnAs(
    account,
    '/bin/sh',
    ['-c', WATCHER_SCRIPT, 'octavo-postgres', join(socketDir, PIPE_NAME), ...command],
    { cwd: folders.cluster, detached: true, stdio: ['ignore', logHandle.fd, logHandle.fd, 'pipe'] },
  )
  child.unref()
  await logHandle.close()

  const ready = await whenReady(child, setting, deadline)
  if (ready !== null) {
    log.info({ pid: ready.pid, socketDir }, 'postgres.started')
    return createHandle(setting, ready, hold, child)
  }
  await hold.release()
  const told = (await readFile(folders.logFile, 'utf8')).slice(keepsLog ? written.size : 0)
  if (LOST_THE_RACE.test(told)) return null
  throw new DatabaseStartError(`PostgreSQL did not start: ${lastLine(told)} (see ${folders.logFile}).`)
}

/** Null when the server ended first. With two starts at once, the one that is ready may be the other one's. */
async function whenReady(
  child: ChildProcess,
  setting: Setting,
  deadline: number,
): Promise<Postmaster | null> {
  let isOver = false
  let pid = 0
  for (const event of ['exit', 'error']) {
    child.once(event, () => {
      isOver = true
    })
  }
  child.stdio[3]?.on('data', (chunk: Buffer) => {
    pid = Number(chunk)
  })
  while (!isOver && Date.now() < deadline) {
    const found = await findPostmaster(setting.folders.cluster)
    if (found?.pid === pid && found.state === 'ready') return found
    await sleep(10)
  }
  return null
}

/** Null when there is nothing to join yet, or no longer. */
async function joinServer(setting: Setting, found: Postmaster): Promise<EmbeddedPostgres | null> {
  const { folders, log } = setting
  if (found.state === 'stopping') {
    await whenGone(found.pid, folders)
    return null
  }
  const hold = await holdRunningServer(folders.holders, found.socketDir)
  if (hold === null) {
    // Starting: the pipe gets its reader a moment after the process exists.
    if (found.state === 'ready') {
      log.warn({ pid: found.pid }, 'postgres.unwatched')
      await shutDown(found.pid, folders)
    }
    return null
  }
  if (found.state === 'ready' && (await hold.isWatched()) && (await isAnswering(connectionTo(found)))) {
    // The watcher may have seen the end of the last holder just before we became one.
    if (await hold.isWatched()) {
      log.info({ pid: found.pid, socketDir: found.socketDir }, 'postgres.joined')
      return createHandle(setting, found, hold, null)
    }
  }
  await hold.release()
  return null
}

async function createHandle(
  setting: Setting,
  postmaster: Postmaster,
  hold: Hold,
  child: ChildProcess | null,
): Promise<EmbeddedPostgres> {
  const { folders, log } = setting
  const connection = connectionTo(postmaster)
  let stopping: Promise<void> | null = null
  child?.once('exit', (code) => {
    if (stopping === null) log.error({ pid: postmaster.pid, code }, 'postgres.ended')
  })
  const stop = async () => {
    const { wasLast, wasWatched } = await hold.release()
    if (!wasLast) return
    if (wasWatched) await whenLetGo(postmaster.pid, folders)
    else await shutDown(postmaster.pid, folders)
    if (await hasHolders(folders.holders)) return
    if (!postmaster.socketDir.startsWith(folders.root)) {
      await rm(join(postmaster.socketDir, PIPE_NAME), { force: true })
      await rmdir(postmaster.socketDir).catch(() => undefined)
    }
    log.info({ pid: postmaster.pid }, 'postgres.stopped')
  }
  const handle: EmbeddedPostgres = {
    connection,
    pid: postmaster.pid,
    wasRunning: child === null,
    stop: () => {
      stopping ??= stop()
      return stopping
    },
    [Symbol.asyncDispose]: () => handle.stop(),
  }
  await createDatabase(connection).catch(async (error) => {
    await handle.stop()
    throw error
  })
  return handle
}

function connectionTo(postmaster: Postmaster): PostgresConnection {
  return { host: postmaster.socketDir, port: postmaster.port, user: SUPERUSER, database: DATABASE }
}

async function createDatabase(connection: PostgresConnection): Promise<void> {
  const client = new Client({ ...connection, database: 'postgres' })
  await client.connect()
  try {
    const found = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [connection.database])
    if (found.rowCount === 0) await client.query(`CREATE DATABASE ${connection.database}`)
  } catch (error) {
    // 42P04 and 23505: another process made it at the same moment.
    if (!['42P04', '23505'].includes((error as { code?: string }).code ?? '')) throw error
  } finally {
    await client.end()
  }
}

async function isAnswering(connection: PostgresConnection): Promise<boolean> {
  const client = new Client({ ...connection, database: 'postgres', connectionTimeoutMillis: 5000 })
  client.on('error', () => undefined)
  return client.connect().then(
    () => client.end().then(() => true),
    () => false,
  )
}

/** SIGINT is the fast shutdown: sessions are ended, everything is written. Never SIGKILL: it would cost a recovery. */
async function shutDown(pid: number, folders: ServerFolders): Promise<void> {
  const found = await findPostmaster(folders.cluster)
  if (found?.pid !== pid) return
  try {
    process.kill(pid, 'SIGINT')
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ESRCH') return
    throw new DatabaseStartError(
      `PostgreSQL already runs as process ${pid}, started by another user: start Octavo as that user.`,
      { cause },
    )
  }
  await whenGone(pid, folders)
}

/** The watcher shuts the server down now, unless another process has become a holder in the meantime. */
async function whenLetGo(pid: number, folders: ServerFolders): Promise<void> {
  for (;;) {
    const found = await findPostmaster(folders.cluster)
    if (found?.pid !== pid || (found.state === 'ready' && (await hasHolders(folders.holders)))) return
    if (found.state === 'stopping') return whenGone(pid, folders)
    await sleep(10)
  }
}

async function whenGone(pid: number, folders: ServerFolders): Promise<void> {
  const deadline = Date.now() + STOP_SECONDS * 1000
  while (Date.now() < deadline) {
    if ((await findPostmaster(folders.cluster))?.pid !== pid) return
    await sleep(20)
  }
  throw new DatabaseStartError(
    `PostgreSQL (process ${pid}) is still shutting down after ${STOP_SECONDS} seconds: wait, then start Octavo again.`,
  )
}

/** The last thing that PostgreSQL complained about, without time and process number. */
function lastLine(output: string): string {
  const lines = output.trim().split('\n')
  const complaint = lines.findLast((line) => /FATAL|ERROR|PANIC|error:/.test(line)) ?? lines.at(-1) ?? ''
  return complaint.replace(/^.*?(?:FATAL|ERROR|PANIC|error):\s*/, '').trim()
}
