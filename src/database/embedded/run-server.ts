/**
 * Starts a server, or joins the running one. States found, and the action taken:
 *
 *   no server, or only a    start, with a shell that shuts it down when the last holder is gone, even by kill -9
 *     stale lock file
 *   server, starting        wait
 *   server, ready, watched  join
 *   server, not watched     fast shutdown, then start
 *   server, stopping        wait, then start
 *   lost a race with        look again
 *     another start
 */
import type { ChildProcess } from 'node:child_process'
import { open, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { DatabaseStartError } from '../start-error.ts'
import { createSocketDir, PIPE_FROM_CLUSTER, type ServerFolders } from './folders.ts'
import {
  type HolderRegistration,
  hasHolders,
  registerFirstHolder,
  registerHolder,
  WATCHER_SCRIPT,
} from './holders.ts'
import { lastLogLine, type ServerSetup } from './initialise.ts'
import { findPostmaster, neutralizeLockFiles, type Postmaster } from './postmaster.ts'
import { releaseReserve } from './reserve.ts'
import { clusterPathFor, spawnAs } from './server-account.ts'
import { connectionTo, isAnswering } from './server-client.ts'

export interface ServerHandle {
  postmaster: Postmaster
  registration: HolderRegistration
  /** The watching shell, which ends together with the server. Null when the server was already running. */
  child: ChildProcess | null
}

const PORT = 5432 // Only part of the socket's name.

/** Long enough for recovery after a power cut, which replays at most 1 GB of log. */
const START_TIMEOUT_SECONDS = 300
const STOP_TIMEOUT_SECONDS = 60
/** Temporary errors: another process was faster, or children of a killed server are still ending. */
const LOST_RACE_MESSAGES =
  /lock file "[^"]*" (?:already exists|is empty)|pre-existing shared memory block|received fast shutdown request/

const MAX_LOG_FILE_BYTES = 10 * 1024 * 1024

const SETTINGS = {
  listen_addresses: '',
  port: String(PORT),
  unix_socket_permissions: '0700',
  max_connections: '200',
  shared_buffers: '128MB',
  // With the default, counts of a month read the whole table of feedback instead of an index.
  random_page_cost: '1.1',
  fsync: 'on',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_checkpoints: 'off',
  lc_messages: 'C',
}

export async function startOrJoinServer(setup: ServerSetup): Promise<ServerHandle> {
  const deadline = Date.now() + START_TIMEOUT_SECONDS * 1000
  while (Date.now() < deadline) {
    const found = await findPostmaster(setup.folders.cluster)
    const server = found === null ? await startServer(setup, deadline) : await joinServer(setup, found)
    if (server !== null) return server
    await sleep(50)
  }
  throw new DatabaseStartError(
    `PostgreSQL was not ready within ${START_TIMEOUT_SECONDS} seconds. See its log, ${setup.folders.logFile}.`,
  )
}

/**
 * Returns null when another attempt is worthwhile: another process was faster, or the disk was full and now has
 * space.
 */
async function startServer(setup: ServerSetup, deadline: number): Promise<ServerHandle | null> {
  const { binaries, account, folders, log } = setup
  const socketDir = await createSocketDir(folders, account)
  await neutralizeLockFiles(folders.cluster, socketDir)
  const registration = await registerFirstHolder(folders, account)
  const written = await stat(folders.logFile).catch(() => null)
  const keepsLog = written !== null && written.size < MAX_LOG_FILE_BYTES
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
  // Start a new session: Ctrl-C in a terminal must reach us first, so that we can close our connections.
  const child = spawnAs(
    account,
    '/bin/sh',
    ['-c', WATCHER_SCRIPT, 'octavo-postgres', PIPE_FROM_CLUSTER, ...command],
    { cwd: folders.cluster, detached: true, stdio: ['ignore', logHandle.fd, logHandle.fd, 'pipe'] },
  )
  child.unref()
  // Listen before awaiting anything else: a server that refuses to start ends within milliseconds.
  const [ready] = await Promise.all([waitUntilReady(child, setup, deadline), logHandle.close()])
  if (ready !== null) {
    log.info({ pid: ready.pid, socketDir }, 'postgres.started')
    return { postmaster: ready, registration, child }
  }
  await registration.release()
  if (await releaseReserve(folders)) {
    log.error({ logFile: folders.logFile }, 'postgres.reserve_released')
    return null
  }
  const newLog = (await readFile(folders.logFile, 'utf8')).slice(keepsLog ? written.size : 0)
  if (LOST_RACE_MESSAGES.test(newLog)) return null
  throw new DatabaseStartError(`PostgreSQL did not start: ${lastLogLine(newLog)} (see ${folders.logFile}).`)
}

/**
 * Returns null when the server ended first. If two starts race, the server that is ready may be the other process's.
 */
async function waitUntilReady(
  child: ChildProcess,
  setup: ServerSetup,
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
    const found = await findPostmaster(setup.folders.cluster)
    if (found?.pid === pid && found.state === 'ready') return found
    await sleep(10)
  }
  return null
}

/** Returns null when the server cannot be joined yet, or no longer. */
async function joinServer(setup: ServerSetup, found: Postmaster): Promise<ServerHandle | null> {
  const { folders, log } = setup
  if (found.state === 'stopping') {
    await waitUntilGone(found.pid, folders)
    return null
  }
  const registration = await registerHolder(folders)
  if (registration === null) {
    // While the server is starting, the pipe gets its reader a moment after the process exists.
    if (found.state === 'ready') {
      log.warn({ pid: found.pid }, 'postgres.unwatched')
      await shutDown(found.pid, folders)
    }
    return null
  }
  if (
    found.state === 'ready' &&
    (await registration.isWatched()) &&
    (await isAnswering(connectionTo(found)))
  ) {
    // The watcher may have seen the last holder end just before this process registered.
    if (await registration.isWatched()) {
      log.info({ pid: found.pid, socketDir: found.socketDir }, 'postgres.joined')
      return { postmaster: found, registration, child: null }
    }
  }
  await registration.release()
  return null
}

/**
 * Sends SIGINT, the fast shutdown: sessions are ended and everything is written. Never SIGKILL, which would require
 * recovery.
 */
export async function shutDown(pid: number, folders: ServerFolders): Promise<void> {
  const found = await findPostmaster(folders.cluster)
  if (found?.pid !== pid) return
  try {
    process.kill(pid, 'SIGINT')
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ESRCH') return
    throw new DatabaseStartError(
      `PostgreSQL is already running as process ${pid}, started by another user. Start Octavo as that user.`,
      { cause },
    )
  }
  await waitUntilGone(pid, folders)
}

/** Waits while the watcher shuts the server down, unless another process has become a holder in the meantime. */
export async function waitForRelease(pid: number, folders: ServerFolders): Promise<void> {
  for (;;) {
    const found = await findPostmaster(folders.cluster)
    if (found?.pid !== pid || (found.state === 'ready' && (await hasHolders(folders.holders)))) return
    if (found.state === 'stopping') return waitUntilGone(pid, folders)
    await sleep(10)
  }
}

async function waitUntilGone(pid: number, folders: ServerFolders): Promise<void> {
  const deadline = Date.now() + STOP_TIMEOUT_SECONDS * 1000
  while (Date.now() < deadline) {
    if ((await findPostmaster(folders.cluster))?.pid !== pid) return
    await sleep(20)
  }
  throw new DatabaseStartError(
    `PostgreSQL (process ${pid}) is still shutting down after ${STOP_TIMEOUT_SECONDS} seconds. Wait, then start Octavo again.`,
  )
}
