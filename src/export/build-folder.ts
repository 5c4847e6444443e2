/** A folder with a site in, a folder with its pages out: what an export makes, without a server and an archive. */
import { resolve } from 'node:path'
import type { FeatureChoices } from '../contract/features.ts'
import type { RenderProgress } from '../render/render-scope.ts'
import type { BuiltFolder } from './build-stamp.ts'
import { type FolderFiles, openFolderFiles } from './folder-files.ts'
import type { FolderInput } from './folder-site.ts'
import { type OutputFolder, openOutputFolder } from './output-folder.ts'

export interface BuildFolderInput extends FolderInput {
  /** Made when missing; replaced when an earlier build made it; refused when it holds anything else. */
  out: string
  features?: FeatureChoices
  /** Render child processes. */
  children?: number
  report(progress: RenderProgress): void
}

export interface FolderBuild extends BuiltFolder {
  seconds: number
  /** The last build to this place had the same files, and all that it wrote is there: nothing was made. */
  isUnchanged: boolean
}

/** Rejects with SiteUnloadableError when there is no site, with OutputFolderError when `out` cannot be used. */
export async function buildFolder(input: BuildFolderInput): Promise<FolderBuild> {
  const started = performance.now()
  const out = resolve(input.out)
  const { deployment, origin, features = {} } = input
  await using output = await openOutputFolder(out, resolve(input.folder))
  await using files = await openFolderFiles(input, { out, request: { deployment, origin, features } }, [
    out,
    output.folder,
  ])
  const last = (await files.stamp?.find(files.tree)) ?? null
  const built = last ?? (await makeFolder(input, files, output))
  return { ...built, isUnchanged: last !== null, seconds: (performance.now() - started) / 1000 }
}

async function makeFolder(
  input: BuildFolderInput,
  { tree, cache, stamp }: FolderFiles,
  output: OutputFolder,
): Promise<BuiltFolder> {
  // What renders is loaded when there is something to render.
  const [{ openFolderSite }, { renderSite }, { createFolderFiles }] = await Promise.all([
    import('./folder-site.ts'),
    import('../render/render-site.ts'),
    import('../render/site-files.ts'),
  ])
  await using source = await openFolderSite(input, { tree, cache })
  const { manifest, problems } = await renderSite(
    {
      ...source.deps,
      files: createFolderFiles(output.folder),
      ...(input.children ? { children: input.children } : {}),
    },
    await source.read(input.features),
    input.report,
    input.signal,
  )
  const files = Object.values(manifest.files)
  const built: BuiltFolder = {
    pages: manifest.pageCount,
    files: files.length,
    bytes: files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
    problems,
  }
  if (!source.hasAsked()) await stamp?.keep(tree, output.folder, built)
  await output.replace()
  return built
}
