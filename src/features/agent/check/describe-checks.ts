/** Describes for reviewers exactly what a check covered. */
import type { ChangeChecks } from '../operations/agent-review.ts'
import { escapeMarkdownLine } from './escape-markdown.ts'

const SITE =
  'Checked before it was published, as a publish does: the site loads, the changed pages render, links, links to headings and images of the site lead somewhere, the navigation is valid; pages that went have redirects, new ones a title and a place; no word stands twice, no note for writers is left, blocks of JSON can be parsed, schemas have types that exist. The change brings no new problem of these kinds.'
const MAX_NAMED = 10

/** `checks` is null for jobs from before checks were stored. */
export function describeChecks(checks: ChangeChecks | null): string {
  const { prose = null, links = null } = checks ?? {}
  return [
    SITE,
    ...proseSentences(prose),
    ...linkSentences(links),
    'Not checked: spelling and grammar, samples in other languages than JSON, and whether the words are true.',
  ].join(' ')
}

function proseSentences(prose: ChangeChecks['prose']): string[] {
  if (prose === null) return []
  const { rules, undone, names, isWhole } = prose
  if (!isWhole) return ['Rules of prose were applied to a part of it only: it was too much to read.']
  return [
    ...(rules > 0 ? [`${count(rules, 'rule')} of prose of the docs folder ${isOrAre(rules)} kept.`] : []),
    ...(names > 0 ? [`${count(names, 'name')} ${isOrAre(names)} spelled as the site spells them.`] : []),
    ...(undone.length > 0 ? [`Not applied: ${joinList(undone)}.`] : []),
  ]
}

function linkSentences(links: ChangeChecks['links']): string[] {
  if (links === null) return ['Addresses of other sites were not checked.']
  const { good, dead, unsure, left } = links
  const total = good + dead.length + unsure.length
  if (total + left === 0) return ['It brings no addresses of other sites.']
  return [
    `Of ${count(total + left, 'new address', 'new addresses')} of other sites, ${good} answered.`,
    ...(dead.length > 0
      ? [`Nothing is there: ${joinList(dead.map(({ url, status }) => `${url} (${status})`))}.`]
      : []),
    ...(unsure.length > 0
      ? [
          `Could not be checked: ${joinList(unsure.map(({ url, why }) => `${url} (${why.replace(/\.$/, '')})`))}.`,
        ]
      : []),
    ...(left > 0 ? [`${left} were not asked.`] : []),
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

function isOrAre(number: number): string {
  return number === 1 ? 'is' : 'are'
}
