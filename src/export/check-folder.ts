/** Checks a folder as an export would: loads and renders it, keeps nothing of what is rendered. */
import type { Problem } from '../contract/problem.ts'
import { checkSite } from '../render/render-site.ts'
import { SiteUnloadableError } from '../site/problems.ts'
import { openFolderFiles } from './folder-files.ts'
import { type FolderInput, openFolderSite } from './folder-site.ts'

export interface CheckInput extends FolderInput {
  report(progress: { pagesDone: number; pagesTotal: number }): void
}

export interface CheckedFolder {
  pages: number
  problems: Problem[]
}

/** A site that cannot be loaded at all gives its problems and no pages. */
export async function checkFolder(input: CheckInput): Promise<CheckedFolder> {
  await using files = await openFolderFiles(input)
  await using source = await openFolderSite(input, files)
  const { fetchRemote: _, ...deps } = source.deps
  try {
    const site = await source.read()
    // What other servers have said is no part of a key, and pages of a closed bundle name copies of their files.
    const isKept = files.cache !== null && !source.hasAsked() && input.deployment !== 'air-gapped'
    // Other servers are not asked for pictures and fonts: what they answer is no fault of the site.
    const { pageCount, problems } = await checkSite(
      { ...deps, ...(isKept && { memory: 'stamps/check/' }) },
      site,
      input.report,
      input.signal,
    )
    return { pages: pageCount, problems }
  } catch (error) {
    if (error instanceof SiteUnloadableError) return { pages: 0, problems: [...error.problems] }
    throw error
  }
}
