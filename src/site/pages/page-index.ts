/** Index of the pages that exist as files, by route, with a lookup for navigation entries. */

import type { Problem } from '../../base/errors/problem.ts'
import { decodePath } from '../../base/text/decode-path.ts'
import { type ClosestFinder, createClosestFinder } from '../navigation/closest.ts'
import { fileToRoute, isPageFile, normalizePagePath, pathToRoute } from '../navigation/routes.ts'
import { compareText } from '../problems.ts'

export interface PageIndex {
  files: ReadonlyMap<string, string>
  /**
   * Returns the route of the page that a navigation entry refers to, or null. `isExact` is false if upper and lower
   * case differ.
   */
  find(text: string): { route: string; isExact: boolean } | null
  closest: ClosestFinder
}

/**
 * If two files have the same route, `.mdx` wins over `.md`, then `a.mdx` over `a/index.mdx`; the other is
 * reported.
 */
export function createPageIndex(problems: Problem[], pageFiles: Iterable<string>): PageIndex {
  const files = new Map<string, string>()
  for (const file of [...pageFiles].filter(isPageFile).sort(compareClaims)) {
    const route = fileToRoute(file)
    const winner = files.get(route)
    if (winner === undefined) files.set(route, file)
    else reportRouteConflict(problems, route, winner, file)
  }
  const byLowerCase = Map.groupBy(files.keys(), (route) => route.toLowerCase())
  for (const routes of byLowerCase.values())
    if (routes.length > 1) reportCaseConflicts(problems, files, routes)
  return {
    files,
    find(text) {
      const route = pathToRoute(normalizePagePath(text))
      for (const candidate of [route, decodePath(route)]) {
        if (files.has(candidate)) return { route: candidate, isExact: true }
      }
      const alike = byLowerCase.get(decodePath(route).toLowerCase())
      return alike ? { route: alike[0] as string, isExact: false } : null
    },
    closest: createClosestFinder(files.keys()),
  }
}

function compareClaims(a: string, b: string): number {
  return rank(a) - rank(b) || compareText(a, b)
}

function rank(file: string): number {
  return (file.endsWith('.mdx') ? 0 : 2) + (/(?:^|\/)index\.mdx?$/.test(file) ? 1 : 0)
}

function reportRouteConflict(problems: Problem[], route: string, winner: string, loser: string): void {
  problems.push({
    file: loser,
    line: null,
    code: 'page.route_taken',
    level: 'warning',
    message: `The path ${route} is already used by ${winner}, so this file does not become a page.`,
    remedy: `Rename or remove ${loser} or ${winner}.`,
  })
}

function reportCaseConflicts(
  problems: Problem[],
  files: ReadonlyMap<string, string>,
  routes: readonly string[],
): void {
  const [first = '', ...others] = routes.map((route) => files.get(route) ?? route)
  for (const file of others) {
    problems.push({
      file,
      line: null,
      code: 'page.case_differs',
      level: 'warning',
      message: `The paths of this page and of ${first} differ only in case.`,
      remedy: 'Rename one of them. Many file systems cannot store both.',
    })
  }
}
