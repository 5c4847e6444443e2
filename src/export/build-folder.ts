/** A folder with a site in, a folder with its pages out: what an export makes, without a server and an archive. */
import { resolve } from 'node:path'
import type { FeatureSet } from '../contract/features.ts'
import type { Problem } from '../contract/problem.ts'
import type { RenderProgress } from '../render/render-scope.ts'
import { renderSite } from '../render/render-site.ts'
import { createFolderFiles } from '../render/site-files.ts'
import { type FolderInput, openFolderSite } from './folder-site.ts'
import { openOutputFolder } from './output-folder.ts'

export interface BuildFolderInput extends FolderInput {
  /** Made when missing; replaced when an earlier build made it; refused when it holds anything else. */
  out: string
  features?: Partial<FeatureSet>
  /** Render child processes. */
  children?: number
  report(progress: RenderProgress): void
}

export interface BuiltFolder {
  pages: number
  files: number
  bytes: number
  seconds: number
  problems: Problem[]
}

/** Rejects with SiteUnloadableError when there is no site, with OutputFolderError when `out` cannot be used. */
export async function buildFolder(input: BuildFolderInput): Promise<BuiltFolder> {
  const started = performance.now()
  const out = resolve(input.out)
  await using output = await openOutputFolder(out, resolve(input.folder))
  await using source = await openFolderSite({ ...input, without: [out, output.folder] })
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
  await output.replace()
  const files = Object.values(manifest.files)
  return {
    pages: manifest.pageCount,
    files: files.length,
    bytes: files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
    seconds: (performance.now() - started) / 1000,
    problems,
  }
}
