/**
 * Who needs the server. Every process that uses a data directory holds the writing end of one named pipe open; a small
 * shell beside PostgreSQL reads it. The kernel closes the ends of a process however it ends, so the shell reads
 * end-of-file exactly when the last holder is gone, and shuts PostgreSQL down.
 */
import { constants } from 'node:fs'
import { type FileHandle, mkdir, open, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createId } from '../../base/ids.ts'
import { isAlive } from './postmaster.ts'
import { runAs, type ServerAccount } from './server-account.ts'

export interface Hold {
  /** False when the shell has stopped reading: the server is going down, or nobody watches it. */
  isWatched(): Promise<boolean>
  /** Lets go, and says what was left then. */
  release(): Promise<{ wasLast: boolean; wasWatched: boolean }>
}

export const PIPE_NAME = 'holders'

/** Arguments: the pipe, then the command that runs PostgreSQL in the foreground. Descriptor 3 takes the process number. */
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

/** Holds a server that is about to be started; its pipe is made when there is none. */
export async function holdNewServer(
  folder: string,
  socketDir: string,
  account: ServerAccount | null,
): Promise<Hold> {
  const pipe = join(socketDir, PIPE_NAME)
  // Fails when there is a pipe already, which is as good.
  await runAs(account, 'mkfifo', ['-m', '600', pipe], socketDir)
  // A writer cannot open a pipe that nobody reads: be the reader for that moment.
  const reader = await open(pipe, constants.O_RDONLY | constants.O_NONBLOCK)
  const writer = await open(pipe, constants.O_WRONLY | constants.O_NONBLOCK).finally(() => reader.close())
  return register(folder, writer)
}

/** Holds a running server. Null when nobody watches it. */
export async function holdRunningServer(folder: string, socketDir: string): Promise<Hold | null> {
  const writer = await open(join(socketDir, PIPE_NAME), constants.O_WRONLY | constants.O_NONBLOCK).catch(
    () => null,
  )
  return writer === null ? null : register(folder, writer)
}

async function register(folder: string, writer: FileHandle): Promise<Hold> {
  await mkdir(folder, { recursive: true })
  const name = `${process.pid}-${createId('evt')}`
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

/** Also clears away what killed processes left. */
export async function hasHolders(folder: string): Promise<boolean> {
  let isHeld = false
  for (const name of await readdir(folder)) {
    if (isAlive(Number.parseInt(name, 10))) isHeld = true
    else await rm(join(folder, name), { force: true })
  }
  return isHeld
}
