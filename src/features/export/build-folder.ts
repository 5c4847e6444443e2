/** Builds a site folder into a folder of pages: like an export, but without a server and without an archive. */
import { readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Problem } from '../../base/errors/problem.ts'
import type { RenderProgress } from '../../render/plan/render-scope.ts'
import { MANIFEST_FILE, SIGNATURE_FILE } from './archive/bundle-inspection.ts'
import type { BundleSigner } from './archive/signature.ts'
import type { FolderBuildOptions, FolderInput } from './folder-source.ts'
import { openOutputFolder } from './output-folder.ts'

export interface BuildFolderInput extends FolderInput, FolderBuildOptions {
  /** Output folder. Created if missing; replaced if it contains an earlier build; otherwise it must be empty. */
  out: string
  signer?: BundleSigner
  children?: number
  report(progress: RenderProgress): void
}

export interface FolderBuild {
  pages: number
  files: number
  bytes: number
  problems: Problem[]
  seconds: number
}

/** Rejects with SiteUnloadableError if there is no site, and with OutputFolderError if `out` cannot be used. */
export async function buildFolder(input: BuildFolderInput): Promise<FolderBuild> {
  const started = performance.now()
  const out = resolve(input.out)
  await using output = await openOutputFolder(out, resolve(input.folder))
  const [{ openFolderSource, createFolderRequest: requestFor }, { buildSite }, { createFolderFiles }] =
    await Promise.all([
      import('./folder-source.ts'),
      import('../../render/build.ts'),
      import('../../render/versions/site-files.ts'),
    ])
  await using source = await openFolderSource(input, [out, output.folder])
  const { children, signer, report, signal } = input
  const { manifest, problems } = await buildSite(
    { ...source.deps, files: createFolderFiles(output.folder), ...(children && { children }) },
    source.tree,
    { ...requestFor(input), ...(signer && { signer: signer.keyId }) },
    report,
    signal,
  )
  const sizes = Object.values(manifest.files).map(({ sizeBytes }) => sizeBytes)
  if (signer) sizes.push(await signFolder(output.folder, signer))
  output.replace()
  return {
    pages: manifest.pageCount,
    files: sizes.length,
    bytes: sizes.reduce((sum, size) => sum + size, 0),
    problems,
    seconds: (performance.now() - started) / 1000,
  }
}

async function signFolder(folder: string, signer: BundleSigner): Promise<number> {
  const signature = signer.sign(await readFile(join(folder, MANIFEST_FILE)))
  await writeFile(join(folder, SIGNATURE_FILE), signature)
  return signature.byteLength
}
