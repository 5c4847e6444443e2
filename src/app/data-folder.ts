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
  objects: string
  mirrors: string
}

export async function openDataFolder(path: string): Promise<DataFolder> {
  try {
    await mkdir(path, { recursive: true, mode: 0o700 })
    await access(path, constants.W_OK | constants.X_OK)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new DataFolderError(
      `The data folder ${path} cannot be ${code === 'EACCES' || code === 'EROFS' ? 'written' : 'created'} (${code}). Give this user write access, or set another folder with OCTAVO_DATA.`,
      { cause: error },
    )
  }
  return dataFolderPaths(path)
}

/** Returns the paths of a data folder that another process owns, without creating or checking anything. */
export function dataFolderPaths(path: string): DataFolder {
  return { path, objects: join(path, 'objects'), mirrors: join(path, 'mirrors') }
}

export async function requireDataFolder({ path }: DataFolder): Promise<void> {
  await access(path, constants.W_OK | constants.X_OK).catch((cause) => {
    throw new DataFolderError(
      `This user has no writable data folder at ${path}. Set OCTAVO_DATA to the data folder of the server.`,
      { cause },
    )
  })
}

/**
 * `secret`: secret of the node, for links and stored secrets. `operator-key`: signs the requests of the command line.
 */
export type SecretFile = 'secret' | 'operator-key'

/** Returns null if the file does not exist or this user cannot read it. */
export function readSecret({ path }: Pick<DataFolder, 'path'>, name: SecretFile): Promise<string | null> {
  return readFile(join(path, name), 'utf8').then(
    (text) => text.trim(),
    () => null,
  )
}

/** Reads a secret of this data folder, or creates it. Processes that start at the same time get the same secret. */
export async function readOrCreateSecret(folder: DataFolder, name: SecretFile): Promise<string> {
  const known = await readSecret(folder, name)
  if (known !== null) return known
  await requireDataFolder(folder)
  await writeSecret(folder, name, randomBytes(32).toString('base64url'))
  return (await readFile(join(folder.path, name), 'utf8')).trim()
}

export async function writeSecret({ path }: DataFolder, name: SecretFile, secret: string): Promise<void> {
  const file = join(path, name)
  const draft = `${file}.${process.pid}`
  const handle = await open(draft, 'w', 0o600)
  try {
    await handle.writeFile(`${secret}\n`)
    await handle.sync()
  } finally {
    await handle.close()
  }
  // link() fails if the file exists, so the secret of the first process wins.
  await link(draft, file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  await rm(draft, { force: true })
}
