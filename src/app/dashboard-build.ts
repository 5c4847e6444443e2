/**
 * The dashboard's files: bundled from `web/dashboard`, compressed once, and kept in a folder named by the hash of all
 * that goes into them. Same sources, same files.
 */
import { createHash, randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { glob, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { compactFile } from '../render/machinery/compact-file.ts'

const PACKAGE = dirname(dirname(import.meta.dirname))
const SOURCES = join(PACKAGE, 'web', 'dashboard')
/** A package that is shipped has the files here. */
const SHIPPED = join(SOURCES, 'dist')

/** Where the files are served; `index.html` is the shell of every page. */
const BASE = '/_dashboard/'

/** What else the build reads, besides the sources of the dashboard; the lock file stands for all packages. */
const SHARED = [
  'src/app/dashboard-*.ts',
  'src/contract/*.ts',
  'src/client/*.ts',
  'src/base/*.ts',
  'package-lock.json',
]

/** How long builds of other sources are kept. */
const OLD_MS = 86_400_000

const COMPRESSED = /\.(html|js|css|svg|json)$/

/**
 * The folder with the built files: the shipped one, else one below `cacheFolder`, which is built when there is none for
 * these sources. Each file that is worth it lies there with `.br` and `.gz` beside it. Two at once come to the same.
 */
export async function ensureDashboard({
  cacheFolder,
  build,
}: {
  cacheFolder: string
  /** Calls `buildDashboard` for that folder, wherever there is memory for it. */
  build(outDir: string): Promise<void>
}): Promise<string> {
  if (!existsSync(join(SOURCES, 'src'))) return SHIPPED
  const folder = join(cacheFolder, await hashOfSources())
  if (existsSync(folder)) return folder
  await mkdir(cacheFolder, { recursive: true })
  const partial = join(cacheFolder, `partial-${randomBytes(6).toString('hex')}`)
  try {
    await build(partial)
    await rename(partial, folder).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error // Another process was quicker.
    })
  } finally {
    await rm(partial, { recursive: true, force: true })
  }
  await removeOthers(cacheFolder, basename(folder))
  return folder
}

/** Builds into that folder, which is emptied before. */
export async function buildDashboard({ outDir }: { outDir: string }): Promise<void> {
  // A package that is shipped comes without the tools, and a server that serves the files needs none of them.
  const { bundleDashboard } = await import('./dashboard-bundle.ts')
  await rm(outDir, { recursive: true, force: true })
  await mkdir(outDir, { recursive: true })
  for (const { name, bytes } of await bundleDashboard(SOURCES, BASE)) {
    await writeFile(join(outDir, name), bytes)
    if (COMPRESSED.test(name)) await compressFile(join(outDir, name), bytes)
  }
}

/** Old builds; younger ones may be served by a process that has not read them yet. */
async function removeOthers(cacheFolder: string, kept: string): Promise<void> {
  for (const name of await readdir(cacheFolder)) {
    if (name === kept || !/^[0-9a-f]{24}$/.test(name)) continue
    const folder = join(cacheFolder, name)
    const made = await stat(folder).catch(() => null)
    if (made !== null && Date.now() - made.mtimeMs > OLD_MS)
      await rm(folder, { recursive: true, force: true })
  }
}

async function hashOfSources(): Promise<string> {
  const hash = createHash('sha256')
  const files: string[] = []
  for await (const file of glob(['web/dashboard/**/*.*', ...SHARED], { cwd: PACKAGE })) files.push(file)
  const read = files.filter((file) => !/\.test\.tsx?$|web.dashboard.dist/.test(file)).sort()
  for (const file of read) hash.update(`${file}\0`).update(await readFile(join(PACKAGE, file)))
  hash.update(await readFile(compactFile('versions.json')))
  return hash.digest('hex').slice(0, 24)
}

async function compressFile(path: string, bytes: Uint8Array): Promise<void> {
  const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }
  await writeFile(`${path}.br`, await promisify(brotliCompress)(bytes, brotli))
  await writeFile(`${path}.gz`, await promisify(gzip)(bytes, { level: 9 }))
}
