/** A PostgreSQL of our own: the programs come with npm, the data lives in the data folder, and nothing listens on a port. */
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
  /** Process number of the server; another one after it was restarted. */
  readonly pid: number
  /** True when another process had already started it. */
  wasRunning: boolean
  /**
   * Lets go of the server, and when no other process holds it, waits until it has shut down. Connections that are still
   * open are ended. Safe to call twice.
   */
  stop(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/** How long to wait before a server that cannot be restarted is tried again. */
const REVIVAL_MILLISECONDS = 1000
/** How often a process that only joined looks whether the server is still there. */
const LOOK_MILLISECONDS = 500
/** How often a process looks whether the reserve has to be made again. */
const RESERVE_MILLISECONDS = 60_000

/**
 * Starts the server of this data folder, or joins the one that runs (see embedded/run-server.ts). When it ends by itself,
 * every process that holds it starts it again or joins whoever was quicker: the one that started it first may be gone.
 * Throws DatabaseStartError with a sentence for the operator.
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
    // It may have ended already, while the one before it was let go.
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
    // Only now: the pipe must not be without a holder in between.
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

/** Ends with the last try. */
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

/** The server is another process's child: true when it is gone, false when nobody wants to know any more. */
async function watchJoined({ folders }: Setting, pid: number, isStopping: () => boolean): Promise<boolean> {
  while (!isStopping()) {
    await sleep(LOOK_MILLISECONDS, undefined, { ref: false })
    if ((await findPostmaster(folders.cluster))?.pid !== pid) return !isStopping()
  }
  return false
}

/** Of the programs that came with npm, which are tried; no data folder is touched. Throws DatabaseStartError. */
export async function embeddedPostgresVersion(): Promise<string> {
  const scratch = await mkdtemp(join(tmpdir(), 'octavo-programs-'))
  try {
    return (await findBinaries(await chooseServerAccount(''), scratch)).version
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
}

/** Everything that does not change while the server runs. */
async function prepare(given: string, log: Log): Promise<Setting> {
  await mkdir(given, { recursive: true }).catch((cause) => {
    throw dataFolderError(given, cause)
  })
  const folders = await makeServerFolders(await realpath(given))
  const isRunning = (await findPostmaster(folders.cluster)) !== null
  const account = await chooseServerAccount(folders.cluster, isRunning)
  // The watcher opens its pipe there, as the other account.
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

/** The watcher does that at once. When it was killed, process 1 should, and in some containers never does. */
async function whenReaped(pid: number): Promise<void> {
  const deadline = Date.now() + 1000
  while (isAlive(pid) && Date.now() < deadline) await sleep(5)
}
