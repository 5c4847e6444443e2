/** Dates of last changes: from the frontmatter, else from the last commit to the page's file. */

import type { Problem } from '../../base/errors/problem.ts'
import type { FileTree } from '../../base/files/file-tree.ts'
import type { Site, SitePage } from '../model.ts'
import { sortProblems } from '../problems.ts'

/** True if the site or one of its pages shows dates; only then is the history read. */
export function showsDates(site: Pick<Site, 'config' | 'pages'>): boolean {
  if (site.config.metadata.timestamp) return true
  return [...site.pages.values()].some(({ frontmatter }) => frontmatter.timestamp === true)
}

/** Returns the site unchanged if it shows no dates or none are known. */
export async function withDates(site: Site, tree: Pick<FileTree, 'dates'>): Promise<Site> {
  const found = showsDates(site) ? ((await tree.dates?.()) ?? null) : null
  if (found === null) return site
  const dated = [...site.pages].map(([route, page]): [string, SitePage] => {
    const file = page.file ?? page.operation?.spec
    const lastUpdated = page.lastUpdated ?? (file && found.dates.get(file)) ?? null
    return [route, lastUpdated === page.lastUpdated ? page : { ...page, lastUpdated }]
  })
  const undated = dated.filter(([, { lastUpdated, url }]) => lastUpdated === null && url === null).length
  const problems = found.isWhole || undated === 0 ? [] : [lacksHistory(undated)]
  return { ...site, pages: new Map(dated), problems: sortProblems([...site.problems, ...problems]) }
}

function lacksHistory(pages: number): Problem {
  return {
    file: 'docs.json',
    line: null,
    code: 'page.history_missing',
    level: 'hint',
    message: `The history of the repository is not whole here, as in a shallow clone: ${pages} ${pages === 1 ? 'page has' : 'pages have'} no date.`,
    remedy:
      'Clone it with its history (fetch-depth: 0 in actions/checkout), or name lastUpdatedDate in the frontmatter.',
  }
}

/** Returns the date in ISO 8601; null if the value is not a date. */
export function parseDate(value: unknown): string | null {
  if (typeof value !== 'string' && !(value instanceof Date)) return null
  const date = new Date(value)
  return Number.isNaN(date.getTime()) ? null : date.toISOString()
}
