/** Describes the coverage of a check for reviewers. */
import type { ChangeChecks } from '../operations/agent-review.ts'
import { escapeMarkdownLine } from './escape-markdown.ts'

const SITE =
  'Checked before publishing: the site loads, the changed pages render, links and images within the site exist, the navigation is valid, removed pages have redirects, new pages have a title and a navigation entry, there are no repeated words or notes for writers, JSON code blocks can be parsed, and schema types exist. The change causes no new problems of these kinds.'
const MAX_NAMED = 10

/** `checks` is null for jobs from before checks were stored. */
export function describeChecks(checks: ChangeChecks | null): string {
  const { prose = null, links = null } = checks ?? {}
  return [
    SITE,
    ...proseMessages(prose),
    ...linkMessages(links),
    'Not checked: spelling and grammar, code samples in languages other than JSON, and whether the content is correct.',
  ].join(' ')
}

function proseMessages(prose: ChangeChecks['prose']): string[] {
  if (prose === null) return []
  const { rules, undone, names, isWhole } = prose
  if (!isWhole) return ['The prose rules were applied only to part of the change because it is too large.']
  return [
    ...(rules > 0 ? [`${count(rules, 'prose rule')} of the docs folder passed.`] : []),
    ...(names > 0 ? [`${count(names, 'name')} ${pluralVerb(names)} spelled as defined for the site.`] : []),
    ...(undone.length > 0 ? [`Not applied: ${joinList(undone)}.`] : []),
  ]
}

function linkMessages(links: ChangeChecks['links']): string[] {
  if (links === null) return ['Links to other sites were not checked.']
  const { good, dead, unsure, left } = links
  const total = good + dead.length + unsure.length
  if (total + left === 0) return ['There are no new links to other sites.']
  return [
    `${good} of ${count(total + left, 'new link', 'new links')} to other sites responded.`,
    ...(dead.length > 0
      ? [`Not found: ${joinList(dead.map(({ url, status }) => `${url} (${status})`))}.`]
      : []),
    ...(unsure.length > 0
      ? [
          `Could not be checked: ${joinList(unsure.map(({ url, why }) => `${url} (${why.replace(/\.$/, '')})`))}.`,
        ]
      : []),
    ...(left > 0 ? [`${left} were not checked.`] : []),
  ]
}

function joinList(words: readonly string[]): string {
  const more = words.length - MAX_NAMED
  const named = words.slice(0, MAX_NAMED).map((word) => escapeMarkdownLine(word.slice(0, 300)))
  return [...named, ...(more > 0 ? [`${more} more`] : [])].join(', ')
}

function count(number: number, one: string, many = `${one}s`): string {
  return `${number} ${number === 1 ? one : many}`
}

function pluralVerb(number: number): string {
  return number === 1 ? 'is' : 'are'
}
