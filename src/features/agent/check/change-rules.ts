/** Checks that a change, besides compiling, has redirects for old URLs, menu entries, titles and descriptions. */

import type { Problem } from '../../../base/errors/problem.ts'
import type { FileTree } from '../../../base/files/file-tree.ts'
import type { Site, SitePage } from '../../../site/model.ts'
import { resolveLink } from '../../../site/navigation/links.ts'
import { findText } from '../edit/change-files.ts'
import type { FileChange } from '../publish/workspace.ts'

interface Sides {
  before: Site
  after: Site
  changes: readonly FileChange[]
}

/** Reports only problems caused by the change, not a menu entry or frontmatter that was already missing. */
export function checkChangeRules(sides: Sides): Problem[] {
  return [...findLostAddresses(sides), ...findUnplacedPages(sides), ...findIncompleteFrontmatter(sides)]
}

function findLostAddresses({ before, after }: Sides): Problem[] {
  return [...before.pages.values()].flatMap((page): Problem[] => {
    const { route, file } = page
    if (file === null || page.url !== null || after.pages.has(route)) return []
    // Leaving out the sidebars makes the URL of a folder count as missing: readers see no page there.
    if (resolveLink({ ...after, sidebars: [] }, null, route).kind !== 'missing') return []
    return [
      {
        file: 'docs.json',
        line: null,
        code: 'change.redirect_missing',
        level: 'warning',
        message: `The page ${route} was removed, but nothing redirects from its path.`,
        remedy: `Add { "source": ${JSON.stringify(route)}, "destination": "…" } to "redirects" in docs.json, with the new page or the most similar one as destination.`,
      },
    ]
  })
}

function findUnplacedPages({ before, after, changes }: Sides): Problem[] {
  if (after.sidebars.length === 0) return []
  const added = new Set(changes.flatMap(({ path, change }) => (change === 'added' ? [path] : [])))
  return [...after.pages.values()].flatMap((page): Problem[] => {
    if (page.file === null || page.url !== null || page.placements.length > 0) return []
    if (page.frontmatter.hidden === true || page.route === after.homeRoute) return []
    const isNew = added.has(page.file)
    const wasListed = (before.pages.get(page.route)?.placements.length ?? 0) > 0
    if (!isNew && !wasListed) return []
    return [
      {
        file: page.file,
        line: null,
        code: 'change.page_unplaced',
        level: 'warning',
        message: isNew
          ? 'The new page is not in the navigation.'
          : `${page.route} was removed from the navigation, but the page still exists.`,
        remedy:
          'Add it with update_navigation, or add "hidden: true" to its frontmatter if it is hidden on purpose.',
      },
    ]
  })
}

const CHECKED_FRONTMATTER_FIELDS = ['title', 'description'] as const

function findIncompleteFrontmatter({ before, after, changes }: Sides): Problem[] {
  const beforeByFile = pagesByFile(before)
  const afterByFile = pagesByFile(after)
  const requiredFields = CHECKED_FRONTMATTER_FIELDS.filter(
    (field) => field === 'title' || hasDescriptions(before),
  )
  return changes.flatMap(({ path, change }) => {
    const page = afterByFile.get(path)
    // The frontmatter of an operation's page comes from its API description.
    if (page === undefined || page.operation !== null || page.url !== null) return []
    const old = beforeByFile.get(path)
    return CHECKED_FRONTMATTER_FIELDS.filter((field) => {
      if (hasField(page, field)) return false
      if (change === 'added') return requiredFields.includes(field) && !isMoved(page, beforeByFile, field)
      return old !== undefined && hasField(old, field)
    }).map((field) => headProblem(path, field, change === 'added'))
  })
}

/** Returns whether the page was renamed and already lacked the field under its old name. */
function isMoved(
  page: SitePage,
  before: ReadonlyMap<string, SitePage>,
  field: (typeof CHECKED_FRONTMATTER_FIELDS)[number],
): boolean {
  const name = page.file?.slice(page.file.lastIndexOf('/') + 1)
  return [...before].some(
    ([file, old]) => file.slice(file.lastIndexOf('/') + 1) === name && !hasField(old, field),
  )
}

function hasField({ frontmatter }: SitePage, field: (typeof CHECKED_FRONTMATTER_FIELDS)[number]): boolean {
  const value = frontmatter[field]
  return typeof value === 'string' && value.trim() !== ''
}

/** A new page needs no description if no other page has one. */
function hasDescriptions(site: Site): boolean {
  return [...site.pages.values()].some((page) => page.file !== null && hasField(page, 'description'))
}

function pagesByFile(site: Site): Map<string, SitePage> {
  return new Map([...site.pages.values()].flatMap((page) => (page.file === null ? [] : [[page.file, page]])))
}

function headProblem(
  file: string,
  field: (typeof CHECKED_FRONTMATTER_FIELDS)[number],
  isNew: boolean,
): Problem {
  return {
    file,
    line: 1,
    code: `change.${field}_missing`,
    level: 'warning',
    message: isNew ? `The new page has no ${field}.` : `The page no longer has a ${field}.`,
    remedy: `Add "${field}:" to its frontmatter${field === 'description' ? ', with one sentence about the content of the page' : ''}.`,
  }
}

const CONFLICT_MARKER = /^(?:<{7}|>{7})(?: |$)/m

export async function findConflicts(tree: FileTree, changes: readonly FileChange[]): Promise<Problem[]> {
  const problems: Problem[] = []
  for (const { path, change } of changes) {
    const text = change === 'deleted' ? '' : ((await findText(tree, path)) ?? '')
    const found = CONFLICT_MARKER.exec(text)
    if (found === null) continue
    problems.push({
      file: path,
      line: text.slice(0, found.index).split('\n').length,
      code: 'change.conflict_left',
      level: 'error',
      message: 'This file contains an unresolved merge conflict.',
      remedy: 'Combine both versions, and remove the lines that begin with <<<<<<<, ======= and >>>>>>>.',
    })
  }
  return problems
}
