/** `groups` of the frontmatter: which readers a page is for, and which pages are there for some of them. */
import type { Problem } from '../../base/errors/problem.ts'
import type { Frontmatter } from './frontmatter.ts'

/** Who a site is made for: every reader of all pages, or those who are in these groups. */
export type Audience = 'all' | readonly string[]

/** Groups of readers that a page is for; empty: for everybody; null: what it says cannot be read, so it is for nobody. */
export type PageReaders = readonly string[] | null

const MOST_GROUPS = 50
const GROUP_NAME = /^[\p{L}\p{N}][\p{L}\p{N} _.-]{0,63}$/u

const EVERYBODY: PageReaders = []
const SAYS_GROUPS = /^[ \t]*["']?groups["']?[ \t]*:/m
/** Of a head that cannot be read. */
const HEAD_CHARACTERS = 10_000

/** A mistake shuts a page rather than open it. */
export function readersOf(
  problems: Problem[],
  file: string,
  { fields, lineOf }: Frontmatter,
  text: string,
): PageReaders {
  const { groups } = fields
  if (groups === undefined || groups === null || groups === '') {
    const isBroken = problems.some(({ code }) => code.startsWith('frontmatter.'))
    return groups === undefined && !(isBroken && SAYS_GROUPS.test(text.slice(0, HEAD_CHARACTERS)))
      ? EVERYBODY
      : refused(problems, file, 1)
  }
  const names = (Array.isArray(groups) ? groups : [groups]) as unknown[]
  const isRight = (name: unknown) => typeof name === 'string' && GROUP_NAME.test(name)
  if (names.length === 0 || names.length > MOST_GROUPS || !names.every(isRight))
    return refused(problems, file, lineOf('groups'))
  return [...new Set(names as string[])].sort()
}

function refused(problems: Problem[], file: string, line: number): null {
  problems.push({
    file,
    line,
    code: 'page.groups',
    level: 'error',
    message: 'The groups of this page cannot be read, so no reader gets it.',
    remedy:
      'Write `groups: ["partners"]`: names of letters, digits, spaces, dots, dashes; or take the key out.',
  })
  return null
}

export function isFor(readers: PageReaders, audience: Audience): boolean {
  if (readers !== null && readers.length === 0) return true
  return audience === 'all' || (readers?.some((group) => audience.includes(group)) ?? false)
}

/** Sorted. A page whose groups cannot be read makes the site one with groups, so that not everybody gets it. */
export function groupsOf(pages: readonly { readers: PageReaders }[]): string[] {
  return [...new Set(pages.flatMap(({ readers }) => readers ?? ['']))].sort()
}
