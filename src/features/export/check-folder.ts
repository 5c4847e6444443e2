/** Checks a folder as an export would: loads and renders it, but writes no output. */
import type { Problem } from '../../base/errors/problem.ts'
import { checkSite } from '../../render/build.ts'
import type { RenderProgress } from '../../render/plan/render-scope.ts'
import { SiteUnloadableError } from '../../site/problems.ts'
import {
  createFolderRequest,
  type FolderBuildOptions,
  type FolderInput,
  openFolderSource,
} from './folder-source.ts'

export interface CheckInput extends FolderInput, FolderBuildOptions {
  report(progress: RenderProgress): void
}

export interface CheckedFolder {
  pages: number
  problems: Problem[]
}

/** Returns only problems, without pages, for a site that cannot be loaded. */
export async function checkFolder(input: CheckInput): Promise<CheckedFolder> {
  await using source = await openFolderSource(input)
  // Fetches no images or fonts from other servers, because a failure there is not a problem of the site.
  const { fetchRemote: _, ...deps } = source.deps
  try {
    const { report, signal } = input
    const { pageCount, problems } = await checkSite(
      deps,
      source.tree,
      createFolderRequest(input),
      report,
      signal,
    )
    return { pages: pageCount, problems }
  } catch (error) {
    if (error instanceof SiteUnloadableError) return { pages: 0, problems: [...error.problems] }
    throw error
  }
}
