/** A folder with a site in, a folder with its pages out: what an export makes, without a server and an archive. */
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, realpath, rename, rm, rmdir, writeFile } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { mapBounded } from '../base/bounded.ts'
import type { FileTree } from '../base/file-tree.ts'
import { contentRevision, openFolderTree } from '../base/folder-tree.ts'
import { createGuardedFetch } from '../base/guarded-fetch.ts'
import type { Log } from '../base/log.ts'
import { type ExportDeployment, type FeatureSet, resolveFeatures } from '../contract/features.ts'
import type { Problem } from '../contract/problem.ts'
import { openMemoryStore } from '../objects/memory-store.ts'
import type { ObjectStore } from '../objects/object-store.ts'
import { blobKey, type SiteManifest } from '../render/manifest.ts'
import { createRemoteFetch } from '../render/remote-files.ts'
import { createSpecFetch } from '../render/remote-specs.ts'
import { type RenderProgress, renderSite } from '../render/render-site.ts'
import { loadSite } from '../site/load-site.ts'

export interface BuildFolderInput {
  folder: string
  /** Made when missing; replaced when an earlier build made it; refused when it holds anything else. */
  out: string
  deployment: ExportDeployment
  features?: Partial<FeatureSet>
  /** Render child processes. */
  children?: number
  log: Log
  report(progress: RenderProgress): void
  signal: AbortSignal
}

export interface BuiltFolder {
  pages: number
  files: number
  bytes: number
  seconds: number
  problems: Problem[]
}

/** The output folder cannot be written without losing something. The message is for whoever named the folder. */
export class OutputFolderError extends Error {
  override name = 'OutputFolderError'
}

const decompress = promisify(gunzip)
const WRITE_CONCURRENCY = 16

/** Rejects with SiteUnloadableError when there is no site, with OutputFolderError when `out` cannot be used. */
export async function buildFolder(input: BuildFolderInput): Promise<BuiltFolder> {
  const started = performance.now()
  const out = resolve(input.out)
  await checkOutput(out, resolve(input.folder))
  await tryOutput(out)
  await using whole = await openFolderTree(input.folder)
  const tree = withoutFolder(whole, relative(await realpath(input.folder), out))
  await using objects = openMemoryStore()
  await using guardedFetch = createGuardedFetch()
  const fetchSpec = createSpecFetch({ guardedFetch, objects, log: input.log }, input.signal)
  const site = await loadSite(tree, { fetchSpec })
  const { manifest, problems } = await renderSite(
    {
      objects,
      log: input.log,
      press: 'fast',
      fetchRemote: createRemoteFetch({ guardedFetch, objects, log: input.log }, input.signal),
      ...(input.children ? { children: input.children } : {}),
    },
    {
      site,
      tree,
      deployment: input.deployment,
      features: resolveFeatures(input.deployment, input.features),
      origin: null,
      siteId: null,
      platformUrl: null,
      widgets: {},
      repository: null,
    },
    input.report,
    input.signal,
  )
  const bytes = await replaceFolder(objects, manifest, out, input.signal)
  return {
    pages: manifest.pageCount,
    files: Object.keys(manifest.files).length,
    bytes,
    seconds: (performance.now() - started) / 1000,
    problems,
  }
}

/** An output folder that lies in the docs folder is no part of the site. */
function withoutFolder(tree: FileTree, folder: string): FileTree {
  const prefix = `${folder.split(sep).join('/')}/`
  const files = new Map([...tree.files].filter(([path]) => !path.startsWith(prefix)))
  if (files.size === tree.files.size) return tree
  return { ...tree, files, revision: contentRevision(files) }
}

async function checkOutput(out: string, folder: string): Promise<void> {
  const below = relative(out, folder)
  if (below !== '..' && !below.startsWith(`..${sep}`)) {
    throw new OutputFolderError(`${out} holds the site itself; name another folder for the pages.`)
  }
  const entries = await readdir(out).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    if (error.code === 'ENOTDIR')
      throw new OutputFolderError(`${out} is a file; name a folder for the pages.`)
    throw error
  })
  if (entries.length > 0 && !(await isOurs(out))) {
    throw new OutputFolderError(
      `${out} is not empty and was not made by octavo; name an empty folder, or empty this one.`,
    )
  }
}

/** Before the work: what is made beside the folder at the end is made there once, and taken away. */
async function tryOutput(out: string): Promise<void> {
  try {
    await mkdir(dirname(out), { recursive: true })
    await rmdir(await mkdtemp(join(dirname(out), '.octavo-')))
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    throw new OutputFolderError(
      `Nothing can be written in ${dirname(out)} (${code}); name another folder for the pages.`,
      { cause },
    )
  }
}

/** A folder that an earlier build made: its list names Octavo, and our own files are there. */
async function isOurs(out: string): Promise<boolean> {
  try {
    const manifest = JSON.parse(await readFile(join(out, 'manifest.json'), 'utf8')) as { octavo?: unknown }
    return typeof manifest.octavo === 'string' && existsSync(join(out, '_octavo'))
  } catch {
    return false
  }
}

/** Writes beside the folder and swaps at the end, so that a build that fails leaves the old pages in place. */
async function replaceFolder(
  objects: ObjectStore,
  manifest: SiteManifest,
  out: string,
  signal: AbortSignal,
): Promise<number> {
  const beside = join(dirname(out), `.${basename(out)}.${randomBytes(4).toString('hex')}`)
  const made = `${beside}.new`
  const old = `${beside}.old`
  await mkdir(made, { recursive: true })
  try {
    const bytes = await writeFiles(objects, manifest, made, signal)
    if (existsSync(out)) await rename(out, old)
    await rename(made, out)
    return bytes
  } finally {
    await rm(made, { recursive: true, force: true })
    await rm(old, { recursive: true, force: true })
  }
}

async function writeFiles(
  objects: ObjectStore,
  manifest: SiteManifest,
  folder: string,
  signal: AbortSignal,
): Promise<number> {
  const files = Object.entries(manifest.files)
  for (const parent of new Set(files.map(([path]) => dirname(path))))
    await mkdir(join(folder, parent), { recursive: true })
  await mapBounded(files, WRITE_CONCURRENCY, async ([path, file]) => {
    signal.throwIfAborted()
    const target = join(folder, path)
    if (!target.startsWith(folder + sep)) throw new Error(`the path ${path} leaves the output folder`)
    await writeFile(target, await decompress(await objects.read(blobKey(file.sha256))))
  })
  return files.reduce((sum, [, file]) => sum + file.sizeBytes, 0)
}
