/** Restricts pages to groups of readers (`groups` in the frontmatter), and selects the pages of an audience. */
import type { Problem } from '../../base/errors/problem.ts'
import type { Frontmatter } from './frontmatter.ts'

/** Audience of a render: `all` for all pages; a list of groups for their pages and the public pages. */
export type Audience = 'all' | readonly string[]

/**
 * Groups to which a page is restricted; empty if it is public, null if they are invalid and nobody may read
 * it.
 */
export type PageReaders = readonly string[] | null

const MAX_GROUPS = 50
const GROUP_NAME = /^[\p{L}\p{N}][\p{L}\p{N} _.-]{0,63}$/u

const EVERYBODY: PageReaders = []
const GROUPS_FIELD = /^[ \t]*["']?groups["']?[ \t]*:/m
/** Characters searched for `groups` if the frontmatter is invalid. */
const MAX_HEAD_CHARACTERS = 10_000

/** Fails closed: invalid groups make a page unavailable instead of public. */
export function readPageReaders(
  problems: Problem[],
  file: string,
  { fields, lineOf }: Frontmatter,
  text: string,
): PageReaders {
  const { groups } = fields
  if (groups === undefined || groups === null || groups === '') {
    const isBroken = problems.some(({ code }) => code.startsWith('frontmatter.'))
    return groups === undefined && !(isBroken && GROUPS_FIELD.test(text.slice(0, MAX_HEAD_CHARACTERS)))
      ? EVERYBODY
      : refused(problems, file, 1)
  }
  const names = (Array.isArray(groups) ? groups : [groups]) as unknown[]
  const isRight = (name: unknown) => typeof name === 'string' && GROUP_NAME.test(name)
  if (names.length === 0 || names.length > MAX_GROUPS || !names.every(isRight))
    return refused(problems, file, lineOf('groups'))
  return [...new Set(names as string[])].sort()
}

function refused(problems: Problem[], file: string, line: number): null {
  problems.push({
    file,
    line,
    code: 'page.groups',
    level: 'error',
    message: 'The groups of this page are invalid, so it is hidden from all readers.',
    remedy:
      'Write `groups: ["partners"]`, with names of letters, digits, spaces, dots and dashes, or remove the key.',
  })
  return null
}

export function isVisibleTo(readers: PageReaders, audience: Audience): boolean {
  if (readers !== null && readers.length === 0) return true
  return audience === 'all' || (readers?.some((group) => audience.includes(group)) ?? false)
}

/**
 * Returns sorted groups. A page with invalid groups adds an empty group, so that the site counts as
 * restricted and the page does not become public.
 */
export function listGroups(pages: readonly { readers: PageReaders }[]): string[] {
  return [...new Set(pages.flatMap(({ readers }) => readers ?? ['']))].sort()
}
