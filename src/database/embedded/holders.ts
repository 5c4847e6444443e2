/**
 * Tracks the processes that need the server. Every process that uses a data directory holds the writing end
 * of a named pipe open, and a small shell that is started with PostgreSQL reads it. The kernel closes a
 * process's ends however the process ends, so the shell reads end-of-file exactly when the last holder is
 * gone, and then shuts PostgreSQL down.
 */
import { constants } from 'node:fs'
import { chown, type FileHandle, mkdir, open, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createId } from '../../base/ids.ts'
import { readProcessStart } from '../../base/process-state.ts'
import type { ServerFolders } from './folders.ts'
import { runAs, type ServerAccount } from './server-account.ts'

export interface HolderRegistration {
  /** False when the shell has stopped reading, because the server is shutting down or the shell has ended. */
  isWatched(): Promise<boolean>
  /** Releases the server. Returns whether this was the last holder and whether the shell was still reading. */
  release(): Promise<{ wasLast: boolean; wasWatched: boolean }>
}

/**
 * Arguments: the pipe, then the command that runs PostgreSQL in the foreground. The process id is written to
 * descriptor 3.
 */
export const WATCHER_SCRIPT = `
pipe=$1
shift
"$@" 3>&- &
server=$!
echo "$server" >&3
exec 3>&-
( while read -r _; do :; done < "$pipe"; kill -INT "$server" ) 2>/dev/null &
watcher=$!
wait "$server"
status=$?
kill "$watcher" 2>/dev/null
wait "$watcher" 2>/dev/null
exit "$status"
`

/** Registers this process as a holder of a server that is about to start, creating its pipe if needed. */
export async function registerFirstHolder(
  folders: ServerFolders,
  account: ServerAccount | null,
): Promise<HolderRegistration> {
  // Fails if the pipe already exists, which is not a problem.
  await runAs(null, 'mkfifo', ['-m', '600', folders.pipe], folders.root)
  if (account !== null) await chown(folders.pipe, account.uid, account.gid)
  // A writer cannot open a pipe without a reader, so open a reader until the writer is open.
  const reader = await open(folders.pipe, constants.O_RDONLY | constants.O_NONBLOCK)
  const writer = await open(folders.pipe, WRITE_NON_BLOCKING).finally(() => reader.close())
  return register(folders.holders, writer)
}

/** Registers this process as a holder of a running server. Returns null when no watcher reads its pipe. */
export async function registerHolder(folders: ServerFolders): Promise<HolderRegistration | null> {
  const writer = await open(folders.pipe, WRITE_NON_BLOCKING).catch(() => null)
  return writer === null ? null : register(folders.holders, writer)
}

const WRITE_NON_BLOCKING = constants.O_WRONLY | constants.O_NONBLOCK

async function register(folder: string, writer: FileHandle): Promise<HolderRegistration> {
  await mkdir(folder, { recursive: true })
  const name = `${process.pid}-${await readProcessStart(process.pid)}-${createId('evt')}`
  await writeFile(join(folder, name), '')
  const isWatched = () =>
    writer.write('\n').then(
      () => true,
      () => false,
    )
  return {
    isWatched,
    release: async () => {
      await rm(join(folder, name), { force: true })
      const wasLast = !(await hasHolders(folder))
      const wasWatched = await isWatched()
      await writer.close()
      return { wasLast, wasWatched }
    },
  }
}

/** Returns whether a live process holds the server. Also removes the files of killed processes. */
export async function hasHolders(folder: string): Promise<boolean> {
  let isHeld = false
  for (const name of await readdir(folder)) {
    const [pid, start] = name.split('-')
    if ((await readProcessStart(Number(pid))) === start) isHeld = true
    else await rm(join(folder, name), { force: true })
  }
  return isHeld
}
