/** Dates of last changes: from the frontmatter, else from the last commit to the page's file. */

import type { Problem } from '../../base/errors/problem.ts'
import type { FileTree } from '../../base/files/file-tree.ts'
import type { Site, SitePage } from '../model.ts'
import { sortProblems } from '../problems.ts'
import { findStaleTranslations } from './stale-translations.ts'

/** Returns true if the site or one of its pages shows dates; only then is the history read. */
export function showsDates(site: Pick<Site, 'config' | 'pages'>): boolean {
  if (site.config.metadata.timestamp) return true
  return [...site.pages.values()].some(({ frontmatter }) => frontmatter.timestamp === true)
}

/** Returns the site unchanged if it shows no dates and has one language, or no dates are known. */
export async function withDates(site: Site, tree: Pick<FileTree, 'dates' | 'read'>): Promise<Site> {
  const isDated = showsDates(site)
  const found = isDated || site.languages.length > 1 ? ((await tree.dates?.()) ?? null) : null
  if (found === null) return site
  const stale = await findStaleTranslations(site, found, tree)
  const pages = [...site.pages].map(([route, page]): [string, SitePage] => {
    const file = page.file ?? page.operation?.spec
    const lastUpdated = page.lastUpdated ?? ((isDated && file && found.dates.get(file)) || null)
    const original = stale.get(route)?.original ?? null
    const isSame = lastUpdated === page.lastUpdated && original === page.original
    return [route, isSame ? page : { ...page, lastUpdated, original }]
  })
  const undated = pages.filter(([, { lastUpdated, url }]) => lastUpdated === null && url === null).length
  const lacking = !isDated || found.isWhole || undated === 0 ? [] : [createMissingHistoryProblem(undated)]
  const problems = [...site.problems, ...lacking, ...[...stale.values()].map(({ problem }) => problem)]
  return { ...site, pages: new Map(pages), problems: sortProblems(problems) }
}

function createMissingHistoryProblem(pages: number): Problem {
  return {
    file: 'docs.json',
    line: null,
    code: 'page.history_missing',
    level: 'hint',
    message: `The repository is a shallow clone, so ${pages} ${pages === 1 ? 'page has' : 'pages have'} no date.`,
    remedy:
      'Clone the full history (fetch-depth: 0 in actions/checkout), or set lastUpdatedDate in the frontmatter.',
  }
}

export function parseDate(value: unknown): string | null {
  if (typeof value !== 'string' && !(value instanceof Date)) return null
  const date = new Date(value)
  return Number.isNaN(date.getTime()) ? null : date.toISOString()
}
