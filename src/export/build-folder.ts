/** A folder with a site in, a folder with its pages out: what an export makes, without a server and an archive. */
import { readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { stampsBelow } from '../base/file-stamps.ts'
import type { FileTree } from '../base/file-tree.ts'
import type { FeatureChoices } from '../contract/features.ts'
import type { RenderProgress } from '../render/plan/render-scope.ts'
import type { StartedRenderer } from '../render/start-ahead.ts'
import { showsDates } from '../site/page-dates.ts'
import type { BuiltFolder } from './build-stamp.ts'
import { MANIFEST, SIGNATURE } from './bundle-look.ts'
import type { EarlierPages } from './earlier-pages.ts'
import { type FolderFiles, openFolderFiles } from './folder-files.ts'
import type { FolderInput } from './folder-site.ts'
import { type OutputFolder, openOutputFolder } from './output-folder.ts'
import type { BundleSigner } from './signature.ts'

export interface BuildFolderInput extends FolderInput {
  /** Made when missing; replaced when an earlier build made it; refused when it holds anything else. */
  out: string
  features?: FeatureChoices
  /** Signs the manifest. */
  signer?: BundleSigner
  /** Render child processes. */
  children?: number
  report(progress: RenderProgress): void
}

export interface FolderBuild extends BuiltFolder {
  seconds: number
  /** The last build to this place had the same files, and all that it wrote is there: nothing was made. */
  isUnchanged: boolean
}

interface StartedBuild extends BuildFolderInput {
  /** One that has begun to start; null where none has. */
  renderer: StartedRenderer | null
}

/** Processes that render, unless it is said otherwise. */
const CHILDREN = 2

/** Rejects with SiteUnloadableError when there is no site, with OutputFolderError when `out` cannot be used. */
export async function buildFolder(input: BuildFolderInput): Promise<FolderBuild> {
  const started = performance.now()
  const out = resolve(input.out)
  const { deployment, origin, audience, features = {} } = input
  const request = { deployment, origin, audience, features, signer: input.signer?.keyId }
  await using output = await openOutputFolder(out, resolve(input.folder))
  await using starting = new AsyncDisposableStack()
  let renderer: StartedRenderer | null = null
  await using files = await openFolderFiles(input, {
    out,
    request,
    without: [out, output.folder],
    onNews: async (...news) => {
      renderer = starting.use(await startRenderer(input, ...news))
    },
  })
  const last = (await files.stamp?.find(files.tree)) ?? null
  const built = last ?? (await makeFolder({ ...input, renderer }, files, output))
  return { ...built, isUnchanged: last !== null, seconds: (performance.now() - started) / 1000 }
}

/** Once more, without what the last build has left, when that is not there any longer. */
async function makeFolder(
  input: StartedBuild,
  files: FolderFiles,
  output: OutputFolder,
): Promise<BuiltFolder> {
  const built = await makeAndReplace(input, files, output, files.stamp?.earlier ?? null)
  if (built !== null) return built
  output.clear()
  return (await makeAndReplace({ ...input, renderer: null }, files, output, null)) as BuiltFolder
}

/** Null when what `left` tells of was changed meanwhile. */
async function makeAndReplace(
  input: StartedBuild,
  { tree, cache, stamp }: FolderFiles,
  output: OutputFolder,
  left: EarlierPages | null,
): Promise<BuiltFolder | null> {
  // What renders is loaded when there is something to render.
  const [{ openFolderSite }, { renderSite }, { createFolderFiles }] = await Promise.all([
    import('./folder-site.ts'),
    import('../render/render-site.ts'),
    import('../render/versions/site-files.ts'),
  ])
  await using source = await openFolderSite(
    input,
    { tree, cache, stamp },
    { children: input.children ?? CHILDREN, started: input.renderer },
  )
  const site = await source.read(input.features)
  // What other servers have said is no part of a key, and pages of a closed bundle name copies of their files.
  const earlier = source.hasAsked() || input.deployment === 'air-gapped' ? null : left
  const { manifest, problems } = await renderSite(
    {
      ...source.deps,
      files: createFolderFiles(output.folder, earlier),
      ...(input.children ? { children: input.children } : {}),
    },
    { ...site, ...(input.signer && { signer: input.signer.keyId }) },
    input.report,
    input.signal,
  )
  if (earlier?.isAsLeft() === false) return null
  const sizes = Object.values(manifest.files).map(({ sizeBytes }) => sizeBytes)
  if (input.signer) sizes.push(await signFolder(output.folder, input.signer))
  const built: BuiltFolder = {
    pages: manifest.pageCount,
    files: sizes.length,
    bytes: sizes.reduce((sum, size) => sum + size, 0),
    problems,
  }
  const keeps = stamp !== null && !source.hasAsked()
  const made = keeps ? stampsBelow(output.folder) : new Map()
  const taken = earlier?.taken() ?? new Set<string>()
  const now = await output.replace({ stamps: earlier?.stamps ?? new Map(), taken })
  if (now === null) return null
  if (keeps)
    await stamp.keep(
      tree,
      { made, taken, now },
      { built, showsDates: showsDates(site.site), ...(earlier?.kept() ?? { pages: [], texts: {} }) },
      source.image(),
    )
  return built
}

/** Before all else that renders is loaded, and the site: that takes as long as a process to be ready. */
async function startRenderer(
  input: BuildFolderInput,
  tree: FileTree,
  isNew: (digest: string) => boolean,
): Promise<StartedRenderer | null> {
  const [{ startAhead }, { createLog }] = await Promise.all([
    import('../render/start-ahead.ts'),
    import('../base/log.ts'),
  ])
  const { children = CHILDREN, log = createLog('warn') } = input
  return startAhead(tree, (_, digest) => !isNew(digest), { children, log })
}

/** Bytes that it adds. */
async function signFolder(folder: string, signer: BundleSigner): Promise<number> {
  const signature = signer.sign(await readFile(join(folder, MANIFEST)))
  await writeFile(join(folder, SIGNATURE), signature)
  return signature.byteLength
}
