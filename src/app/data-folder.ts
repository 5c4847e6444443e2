/** The folder of everything a node keeps: made on first use, checked for writing, with the node's own secret in it. */
import { randomBytes } from 'node:crypto'
import { access, constants, link, mkdir, open, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'

/** The operator can mend it; the message is one sentence. */
export class DataFolderError extends Error {
  override name = 'DataFolderError'
}

export interface DataFolder {
  path: string
  /** Folder of the disk store. */
  objects: string
  /** Folder of the bare mirrors. */
  mirrors: string
}

/** Throws DataFolderError. */
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
  return knownDataFolder(path)
}

/** Of a folder that another process keeps; nothing is made or checked. */
export function knownDataFolder(path: string): DataFolder {
  return { path, objects: join(path, 'objects'), mirrors: join(path, 'mirrors') }
}

/** Throws DataFolderError when nothing was ever kept there. */
export async function requireDataFolder({ path }: DataFolder): Promise<void> {
  await access(path, constants.W_OK | constants.X_OK).catch((cause) => {
    throw new DataFolderError(
      `There is no data folder ${path} that this user may write: name that of the server with OCTAVO_DATA.`,
      { cause },
    )
  })
}

/** The secret of this data folder; null where none was made. */
export function readSecret({ path }: DataFolder): Promise<string | null> {
  return readFile(join(path, 'secret'), 'utf8').then(
    (text) => text.trim(),
    () => null,
  )
}

/** The secret of this data folder, made once: two processes that start at the same moment agree on one. */
export async function readOrMakeSecret(folder: DataFolder): Promise<string> {
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
  // A link never replaces: whoever comes second keeps what the first one made.
  await link(draft, file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  await rm(draft, { force: true })
  return (await readFile(file, 'utf8')).trim()
}
