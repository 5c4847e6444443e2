/**
 * The embedded PostgreSQL: its programs come from npm, its data lives in the data folder, and it listens on no port.
 */
import { chmod, mkdir, mkdtemp, realpath, rm, rmdir, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '../base/log.ts'
import { isAlive } from '../base/process-state.ts'
import { findBinaries } from './embedded/binaries.ts'
import { checkCluster, createServerFolders, dataFolderError } from './embedded/folders.ts'
import { hasHolders } from './embedded/holders.ts'
import { initialiseCluster, type ServerSetup } from './embedded/initialise.ts'
import { findPostmaster } from './embedded/postmaster.ts'
import { ensureReserve } from './embedded/reserve.ts'
import { type ServerHandle, shutDown, startOrJoinServer, waitForRelease } from './embedded/run-server.ts'
import { assignTreeOwner, chooseServerAccount } from './embedded/server-account.ts'
import type { PostgresConnection } from './embedded/server-client.ts'
import { connectionTo, createDatabase } from './embedded/server-client.ts'

export interface EmbeddedPostgres {
  connection: PostgresConnection
  /** Process id of the server. Changes when the server is restarted. */
  readonly pid: number
  wasRunning: boolean
  /**
   * Releases the server. If no other process holds it, waits until it has shut down. Open connections are ended. Safe
   * to call twice.
   */
  stop(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

const RESTART_DELAY_MS = 1000
/** Interval at which a process that joined a running server checks that the server still runs. */
const POLL_INTERVAL_MS = 500
const RESERVE_CHECK_INTERVAL_MS = 60_000

/**
 * Starts the server of this data folder, or joins the running one (see embedded/run-server.ts). When the server ends
 * unexpectedly, every process that uses it tries to restart it, because the process that first started it may be gone.
 * The fastest process restarts the server, and the other processes join. Throws DatabaseStartError with a message for
 * the operator.
 */
export async function startEmbeddedPostgres(options: {
  dataDir: string
  log: Log
}): Promise<EmbeddedPostgres> {
  const setting = await prepare(options.dataDir, options.log)
  let currentServer = await startOrJoinServer(setting)
  const connection = connectionTo(currentServer.postmaster)
  let stopping: Promise<void> | null = null
  let restarting: Promise<void> = Promise.resolve()
  const endReserving = startReserving(setting)

  const watch = () => {
    const { child, postmaster } = currentServer
    const ended = (code: number | null) => {
      if (stopping !== null) return
      setting.log.error({ pid: postmaster.pid, code }, 'postgres.ended')
      restarting = restart()
    }
    // The new server may already have ended while the previous one was being released.
    if (child !== null && (child.exitCode !== null || child.signalCode !== null)) ended(child.exitCode)
    else if (child !== null) child.once('exit', ended)
    else
      waitForJoinedServer(setting, postmaster.pid, () => stopping !== null).then(
        (isOver) => isOver && ended(null),
      )
  }
  const restart = async () => {
    const before = currentServer
    while (stopping === null && currentServer === before) {
      try {
        currentServer = await startOrJoinServer(setting)
      } catch (error) {
        setting.log.error({ cause: (error as Error).message }, 'postgres.not_revived')
        await sleep(RESTART_DELAY_MS)
      }
    }
    // Release only now, so that the pipe always has a holder.
    if (currentServer !== before) await before.registration.release()
    watch()
  }
  const handle: EmbeddedPostgres = {
    connection,
    get pid() {
      return currentServer.postmaster.pid
    },
    wasRunning: currentServer.child === null,
    stop: () => {
      stopping ??= Promise.all([restarting, endReserving()]).then(() => releaseServer(setting, currentServer))
      return stopping
    },
    [Symbol.asyncDispose]: () => handle.stop(),
  }
  watch()
  await createDatabase(connection).catch(async (error) => {
    await handle.stop()
    throw error
  })
  return handle
}

/**
 * Periodically recreates the reserve file (see embedded/reserve.ts) if it is missing. The returned function stops this
 * and waits for the attempt in progress.
 */
function startReserving({ folders, log }: ServerSetup): () => Promise<void> {
  let reserving: Promise<void> = Promise.resolve()
  const reserve = setInterval(() => {
    reserving = ensureReserve(folders).catch((error: Error) => {
      log.warn({ cause: error.message }, 'postgres.no_reserve')
    })
  }, RESERVE_CHECK_INTERVAL_MS).unref()
  return () => {
    clearInterval(reserve)
    return reserving
  }
}

/**
 * Watches a server that another process has started. Returns true when the server has ended, and false when
 * this process is stopping.
 */
async function waitForJoinedServer(
  { folders }: ServerSetup,
  pid: number,
  isStopping: () => boolean,
): Promise<boolean> {
  while (!isStopping()) {
    await sleep(POLL_INTERVAL_MS, undefined, { ref: false })
    if ((await findPostmaster(folders.cluster))?.pid !== pid) return !isStopping()
  }
  return false
}

/**
 * Returns the version of the installed programs after running them; touches no data folder. Throws
 * DatabaseStartError.
 */
export async function embeddedPostgresVersion(): Promise<string> {
  const scratch = await mkdtemp(join(tmpdir(), 'octavo-programs-'))
  try {
    return (await findBinaries(await chooseServerAccount(''), scratch)).version
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
}

async function prepare(givenDir: string, log: Log): Promise<ServerSetup> {
  await mkdir(givenDir, { recursive: true }).catch((cause) => {
    throw dataFolderError(givenDir, cause)
  })
  const folders = await createServerFolders(await realpath(givenDir))
  const isRunning = (await findPostmaster(folders.cluster)) !== null
  const account = await chooseServerAccount(folders.cluster, isRunning)
  // The watcher opens its pipe in this folder under the server's account.
  if (account !== null) await chmod(folders.root, 0o711)
  const setting: ServerSetup = { binaries: await findBinaries(account, folders.root), account, folders, log }
  if (!(await checkCluster(folders, setting.binaries.major))) {
    await initialiseCluster(setting)
    await ensureReserve(folders)
  }
  if (account !== null && (await stat(folders.cluster)).uid !== account.uid) {
    await assignTreeOwner(folders.cluster, account)
  }
  return setting
}

async function releaseServer(
  { folders, log }: ServerSetup,
  { registration: hold, postmaster }: ServerHandle,
): Promise<void> {
  const { wasLast, wasWatched } = await hold.release()
  if (!wasLast) return
  if (wasWatched) await waitForRelease(postmaster.pid, folders)
  else await shutDown(postmaster.pid, folders)
  if (await hasHolders(folders.holders)) return
  await waitUntilReaped(postmaster.pid)
  const isTemporary = !postmaster.socketDir.startsWith(folders.root)
  if (isTemporary) await rmdir(postmaster.socketDir).catch(() => undefined)
  log.info({ pid: postmaster.pid }, 'postgres.stopped')
}

/**
 * Waits until the process has been reaped. The watcher reaps it immediately. If the watcher was killed,
 * process 1 should reap it, but in some containers never does.
 */
async function waitUntilReaped(pid: number): Promise<void> {
  const deadline = Date.now() + 1000
  while (isAlive(pid) && Date.now() < deadline) await sleep(5)
}
