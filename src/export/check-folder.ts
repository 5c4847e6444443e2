/** Checks a folder as an export would: loads and renders it, keeps nothing. */

import { openFolderTree } from '../base/folder-tree.ts'
import { createGuardedFetch } from '../base/guarded-fetch.ts'
import type { Log } from '../base/log.ts'
import { type ExportDeployment, resolveFeatures } from '../contract/features.ts'
import type { Problem } from '../contract/problem.ts'
import { openObjectStore } from '../objects/open-store.ts'
import { createSpecFetch } from '../render/remote-specs.ts'
import { checkSite } from '../render/render-site.ts'
import { loadSite } from '../site/load-site.ts'
import { SiteUnloadableError } from '../site/problems.ts'

export interface CheckInput {
  folder: string
  deployment: ExportDeployment
  log: Log
  report(progress: { pagesDone: number; pagesTotal: number }): void
  signal: AbortSignal
}

export interface CheckedFolder {
  pages: number
  problems: Problem[]
}

/** A site that cannot be loaded at all gives its problems and no pages. */
export async function checkFolder(input: CheckInput): Promise<CheckedFolder> {
  await using tree = await openFolderTree(input.folder)
  await using objects = await openObjectStore({ kind: 'memory' })
  await using guardedFetch = createGuardedFetch()
  try {
    const fetchSpec = createSpecFetch({ guardedFetch, objects, log: input.log }, input.signal)
    const site = await loadSite(tree, { fetchSpec })
    const { pageCount, problems } = await checkSite(
      { objects, log: input.log },
      {
        site,
        tree,
        deployment: input.deployment,
        features: resolveFeatures(input.deployment),
        origin: null,
        siteId: null,
        platformUrl: null,
        widgets: {},
        repository: null,
      },
      input.report,
      input.signal,
    )
    return { pages: pageCount, problems }
  } catch (error) {
    if (error instanceof SiteUnloadableError) return { pages: 0, problems: [...error.problems] }
    throw error
  }
}
