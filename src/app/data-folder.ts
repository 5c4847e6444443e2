/** Data folder of a node: created on first use, checked to be writable, and containing the node's secret. */
import { randomBytes } from 'node:crypto'
import { access, constants, link, mkdir, open, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'

/** Error that the operator can fix; its message is one sentence. */
export class DataFolderError extends Error {
  override name = 'DataFolderError'
}

export interface DataFolder {
  path: string
  /** Folder of the disk object store. */
  objects: string
  /** Folder of bare git mirrors. */
  mirrors: string
}

/** Opens the data folder, creating it if necessary. Throws DataFolderError. */
export async function openDataFolder(path: string): Promise<DataFolder> {
  try {
    await mkdir(path, { recursive: true, mode: 0o700 })
    await access(path, constants.W_OK | constants.X_OK)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new DataFolderError(
      `The data folder ${path} cannot be ${code === 'EACCES' || code === 'EROFS' ? 'written' : 'made'} (${code}): choose another one with OCTAVO_DATA or give this user the right to write there.`,
      { cause: error },
    )
  }
  return dataFolderPaths(path)
}

/** Paths of a data folder that another process owns; nothing is created or checked. */
export function dataFolderPaths(path: string): DataFolder {
  return { path, objects: join(path, 'objects'), mirrors: join(path, 'mirrors') }
}

/** Checks that the data folder exists and is writable. Throws DataFolderError. */
export async function requireDataFolder({ path }: DataFolder): Promise<void> {
  await access(path, constants.W_OK | constants.X_OK).catch((cause) => {
    throw new DataFolderError(
      `There is no data folder ${path} that this user may write: name that of the server with OCTAVO_DATA.`,
      { cause },
    )
  })
}

/** Reads the secret of this data folder, or null if there is none. */
export function readSecret({ path }: DataFolder): Promise<string | null> {
  return readFile(join(path, 'secret'), 'utf8').then(
    (text) => text.trim(),
    () => null,
  )
}

/** Reads the secret of this data folder, creating it once. Processes that start at the same time agree on one. */
export async function readOrCreateSecret(folder: DataFolder): Promise<string> {
  const file = join(folder.path, 'secret')
  const known = await readSecret(folder)
  if (known !== null) return known
  await requireDataFolder(folder)
  const draft = `${file}.${process.pid}`
  const handle = await open(draft, 'w', 0o600)
  try {
    await handle.writeFile(`${randomBytes(32).toString('base64url')}\n`)
    await handle.sync()
  } finally {
    await handle.close()
  }
  // link() fails if the file exists, so the secret of the first process wins.
  await link(draft, file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  await rm(draft, { force: true })
  return (await readFile(file, 'utf8')).trim()
}
