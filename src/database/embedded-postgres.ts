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
import { checkCluster, dataFolderError, makeServerFolders } from './embedded/folders.ts'
import { hasHolders } from './embedded/holders.ts'
import { initialise, type Setting } from './embedded/initialise.ts'
import { findPostmaster } from './embedded/postmaster.ts'
import { keepReserve } from './embedded/reserve.ts'
import { enterServer, type HeldServer, shutDown, whenLetGo } from './embedded/run-server.ts'
import { chooseServerAccount, giveTree } from './embedded/server-account.ts'
import type { PostgresConnection } from './embedded/server-client.ts'
import { connectionTo, createDatabase } from './embedded/server-client.ts'

export interface EmbeddedPostgres {
  connection: PostgresConnection
  /** Process id of the server. Changes when the server is restarted. */
  readonly pid: number
  /** True when another process had already started it. */
  wasRunning: boolean
  /**
   * Releases the server. If no other process holds it, waits until it has shut down. Open connections are ended. Safe
   * to call twice.
   */
  stop(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/** Delay before another attempt to restart the server. */
const REVIVAL_MILLISECONDS = 1000
/** How often a process that joined a running server checks that it is still there. */
const LOOK_MILLISECONDS = 500
/** How often a process checks whether the disk reserve must be recreated. */
const RESERVE_MILLISECONDS = 60_000

/**
 * Starts the server of this data folder, or joins the running one (see embedded/run-server.ts). When the server ends
 * by itself, every process that holds it restarts it, or joins if another process was faster: the process that first
 * started it may be gone. Throws DatabaseStartError with a sentence for the operator.
 */
export async function startEmbeddedPostgres(options: {
  dataDir: string
  log: Log
}): Promise<EmbeddedPostgres> {
  const setting = await prepare(options.dataDir, options.log)
  let held = await enterServer(setting)
  const connection = connectionTo(held.postmaster)
  let stopping: Promise<void> | null = null
  let revival: Promise<void> = Promise.resolve()
  const endReserving = startReserving(setting)

  const watch = () => {
    const { child, postmaster } = held
    const ended = (code: number | null) => {
      if (stopping !== null) return
      setting.log.error({ pid: postmaster.pid, code }, 'postgres.ended')
      revival = revive()
    }
    // The new server may already have ended while the previous one was being released.
    if (child !== null && (child.exitCode !== null || child.signalCode !== null)) ended(child.exitCode)
    else if (child !== null) child.once('exit', ended)
    else watchJoined(setting, postmaster.pid, () => stopping !== null).then((isOver) => isOver && ended(null))
  }
  const revive = async () => {
    const before = held
    while (stopping === null && held === before) {
      try {
        held = await enterServer(setting)
      } catch (error) {
        setting.log.error({ cause: (error as Error).message }, 'postgres.not_revived')
        await sleep(REVIVAL_MILLISECONDS)
      }
    }
    // Release only now, so that the pipe always has a holder.
    if (held !== before) await before.hold.release()
    watch()
  }
  const handle: EmbeddedPostgres = {
    connection,
    get pid() {
      return held.postmaster.pid
    },
    wasRunning: held.child === null,
    stop: () => {
      stopping ??= Promise.all([revival, endReserving()]).then(() => leaveServer(setting, held))
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

/** Recreates the reserve periodically. The returned function stops this and waits for the attempt in progress. */
function startReserving({ folders, log }: Setting): () => Promise<void> {
  let reserving: Promise<void> = Promise.resolve()
  const reserve = setInterval(() => {
    reserving = keepReserve(folders).catch((error: Error) => {
      log.warn({ cause: error.message }, 'postgres.no_reserve')
    })
  }, RESERVE_MILLISECONDS).unref()
  return () => {
    clearInterval(reserve)
    return reserving
  }
}

/**
 * Watches a server that is another process's child. Returns true when it is gone, false when this process is
 * stopping.
 */
async function watchJoined({ folders }: Setting, pid: number, isStopping: () => boolean): Promise<boolean> {
  while (!isStopping()) {
    await sleep(LOOK_MILLISECONDS, undefined, { ref: false })
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

/** Prepares everything that does not change while the server runs. */
async function prepare(given: string, log: Log): Promise<Setting> {
  await mkdir(given, { recursive: true }).catch((cause) => {
    throw dataFolderError(given, cause)
  })
  const folders = await makeServerFolders(await realpath(given))
  const isRunning = (await findPostmaster(folders.cluster)) !== null
  const account = await chooseServerAccount(folders.cluster, isRunning)
  // The watcher opens its pipe in this folder under the other account.
  if (account !== null) await chmod(folders.root, 0o711)
  const setting: Setting = { binaries: await findBinaries(account, folders.root), account, folders, log }
  if (!(await checkCluster(folders, setting.binaries.major))) {
    await initialise(setting)
    await keepReserve(folders)
  }
  if (account !== null && (await stat(folders.cluster)).uid !== account.uid) {
    await giveTree(folders.cluster, account)
  }
  return setting
}

async function leaveServer({ folders, log }: Setting, { hold, postmaster }: HeldServer): Promise<void> {
  const { wasLast, wasWatched } = await hold.release()
  if (!wasLast) return
  if (wasWatched) await whenLetGo(postmaster.pid, folders)
  else await shutDown(postmaster.pid, folders)
  if (await hasHolders(folders.holders)) return
  await whenReaped(postmaster.pid)
  const isTemporary = !postmaster.socketDir.startsWith(folders.root)
  if (isTemporary) await rmdir(postmaster.socketDir).catch(() => undefined)
  log.info({ pid: postmaster.pid }, 'postgres.stopped')
}

/**
 * Waits until the process has been reaped. The watcher does so at once. If it was killed, process 1 should, but in
 * some containers never does.
 */
async function whenReaped(pid: number): Promise<void> {
  const deadline = Date.now() + 1000
  while (isAlive(pid) && Date.now() < deadline) await sleep(5)
}
