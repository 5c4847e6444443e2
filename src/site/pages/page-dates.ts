/** When pages were last changed: what their frontmatter says, else the last commit that changed their file. */

import type { Problem } from '../../base/errors/problem.ts'
import type { FileTree } from '../../base/files/file-tree.ts'
import type { Site, SitePage } from '../model.ts'
import { sortProblems } from '../problems.ts'

/** Whether the site or one of its pages shows when pages were changed: the history is read for no other. */
export function showsDates(site: Pick<Site, 'config' | 'pages'>): boolean {
  if (site.config.metadata.timestamp) return true
  return [...site.pages.values()].some(({ frontmatter }) => frontmatter.timestamp === true)
}

/** The same site where it shows no dates, or nothing is known of them. */
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

/** ISO 8601; null for what is no date. */
export function dateOf(value: unknown): string | null {
  if (typeof value !== 'string' && !(value instanceof Date)) return null
  const date = new Date(value)
  return Number.isNaN(date.getTime()) ? null : date.toISOString()
}
