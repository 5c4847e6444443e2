/** The folders of an embedded server: permissions, and the location of the socket. */
import { chmod, chown, lstat, mkdir, mkdtemp, open, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sha256 } from '../../base/hash.ts'
import { DatabaseStartError } from '../start-error.ts'
import type { ServerAccount } from './server-account.ts'

export interface ServerFolders {
  root: string
  cluster: string
  /** Contains one file for each process that holds the server. */
  holders: string
  /** Named pipe that detects the end of the last holder; see holders.ts. */
  pipe: string
  logFile: string
}

const PIPE_NAME = 'holders.pipe'

/** Relative to the server's working directory, because its account may not be able to enter the folders above. */
export const PIPE_FROM_CLUSTER = `../${PIPE_NAME}`

/** The full path of a socket must stay below 104 bytes (macOS; Linux 108), and ends in `/.s.PGSQL.5432.lock`. */
const MAX_SOCKET_DIR_BYTES = 80

export async function createServerFolders(dataDir: string): Promise<ServerFolders> {
  const root = join(dataDir, 'postgres')
  const folders: ServerFolders = {
    root,
    cluster: join(root, 'data'),
    holders: join(root, 'holders'),
    pipe: join(root, PIPE_NAME),
    logFile: join(root, 'server.log'),
  }
  try {
    await mkdir(folders.holders, { recursive: true, mode: 0o700 })
    const probe = join(root, `.writable-${process.pid}`)
    await (await open(probe, 'w')).close()
    await rm(probe)
  } catch (cause) {
    throw dataFolderError(dataDir, cause)
  }
  return folders
}

/** Turns a file system error of the data folder into one sentence for the operator. */
export function dataFolderError(dataDir: string, cause: unknown): DatabaseStartError {
  const code = (cause as NodeJS.ErrnoException).code ?? 'unknown error'
  const reasons: Record<string, string> = {
    EACCES: 'this user has no write access',
    EPERM: 'the file system does not allow it',
    EROFS: 'the file system is read-only',
    ENOSPC: 'the disk is full',
    ENOTDIR: 'a part of the path is a file',
    EEXIST: 'a file with this name exists',
  }
  return new DatabaseStartError(
    `The data folder ${dataDir} cannot be written, because ${reasons[code] ?? `of ${code}`}. ` +
      'Set OCTAVO_DATA to a folder that this user can write to.',
    { cause },
  )
}

/** Returns whether a cluster exists. Throws if this user, or this version of PostgreSQL, cannot open it. */
export async function checkCluster(folders: ServerFolders, major: number): Promise<boolean> {
  const version = await readFile(join(folders.cluster, 'PG_VERSION'), 'utf8').catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return null
      throw new DatabaseStartError(
        `The database in ${folders.cluster} belongs to another user. Start Octavo as the user that created it, ` +
          'or set OCTAVO_DATA to another folder.',
        { cause: error },
      )
    },
  )
  if (version === null) return false
  if (Number(version) === major) return true
  throw new DatabaseStartError(
    `The database in ${folders.cluster} was created by PostgreSQL ${version.trim()}, but this Octavo includes ` +
      `PostgreSQL ${major}. Use the Octavo version that created it, or set OCTAVO_DATA to another folder.`,
  )
}

/**
 * Creates a folder that only the server's account can enter. The folder is below the data folder if the path is short
 * enough and the account can reach it. Otherwise it is in the temporary folder, under a name derived from the data
 * folder.
 */
export async function createSocketDir(
  folders: ServerFolders,
  account: ServerAccount | null,
): Promise<string> {
  const near = join(folders.root, 'socket')
  if (account === null && Buffer.byteLength(near) <= MAX_SOCKET_DIR_BYTES) {
    await mkdir(near, { recursive: true, mode: 0o700 })
    return near
  }
  const temporary = account === null && Buffer.byteLength(tmpdir()) <= 50 ? tmpdir() : '/tmp'
  const named = join(temporary, `octavo-${sha256(folders.root).slice(0, 16)}`)
  const uid = account?.uid ?? process.getuid?.()
  await mkdir(named, { mode: 0o700 }).then(
    () => changeFolderOwner(named, account),
    () => undefined,
  )
  const found = await lstat(named)
  // Anyone can create a folder with this name below /tmp. Use it only if no other user can put a socket into it.
  if (found.isDirectory() && found.uid === uid && (found.mode & 0o077) === 0) return named
  const unguessable = await mkdtemp(join(temporary, 'octavo-'))
  await changeFolderOwner(unguessable, account)
  return unguessable
}

async function changeFolderOwner(folder: string, account: ServerAccount | null): Promise<void> {
  await chmod(folder, 0o700)
  if (account !== null) await chown(folder, account.uid, account.gid)
}
