/** Resolves the navigation entry or page that a model refers to. */
import { findClosest } from '../../../site/navigation/closest.ts'
import { fitLines } from '../loop/result-text.ts'
import { ToolRefusal } from '../loop/tool.ts'
import {
  allEntries,
  allPages,
  entryName,
  type NavEntry,
  type NavPage,
  parseRoute,
} from './navigation-outline.ts'
import { quotePath } from './paths.ts'

const LIST_BYTES = 3000

/**
 * Finds the navigation entry with these labels. Outer labels may be left out if the remaining ones are unambiguous; an
 * empty list means the navigation itself. Throws ToolRefusal with the existing entries.
 */
export function findEntry(outline: NavEntry, labels: readonly string[], field: string): NavEntry {
  const entries = allEntries(outline)
  if (labels.length === 0) return outline
  for (const isSame of [isExactly, isLike]) {
    const whole = entries.filter((entry) => entry.labels.length === labels.length)
    const found = whole.filter((entry) =>
      labels.every((label, index) => isSame(label, entry.labels[index] ?? '')),
    )
    if (found.length === 1) return found[0] as NavEntry
    const loose =
      found.length > 1 ? found : entries.filter((entry) => endsWithLabels(entry.labels, labels, isSame))
    if (loose.length === 1) return loose[0] as NavEntry
    if (loose.length > 1) {
      throw new ToolRefusal(
        `${field} matches several entries. Give all labels of one of them:\n${formatEntries(loose)}`,
      )
    }
  }
  throw new ToolRefusal(
    `There is no entry ${labels.map(quotePath).join(' › ')} in the navigation. The entries are:\n${formatEntries(entries.slice(1))}`,
  )
}

/** Finds a page in the lists of the navigation. `from` names its entry if several list it. Throws ToolRefusal. */
export function findPage(outline: NavEntry, text: string, from: readonly string[] | undefined): NavPage {
  const entry = from ? findEntry(outline, from, 'from') : outline
  const found = allPages(entry).filter(({ route }) => route === parseRoute(text))
  const listedOnes = found.filter(({ location: navLocation }) => navLocation !== null)
  const own = from ? listedOnes.filter((page) => page.entry === entry) : []
  const pages = own.length > 0 ? own : listedOnes
  if (pages.length === 1) return pages[0] as NavPage
  if (pages.length > 1) {
    throw new ToolRefusal(
      `${quotePath(text)} is listed several times. Set from to the entry that you mean:\n${formatEntries(pages.map((page) => page.entry))}`,
    )
  }
  if (found[0]) {
    throw new ToolRefusal(
      `${quotePath(text)} is the root page of ${entryName(found[0].entry)} ("root"), not an item of a list. Change it with edit_file in ${found[0].entry.node.source.file}.`,
    )
  }
  const closest = findClosest(
    text,
    allPages(outline).map((page) => page.text),
  )
  throw new ToolRefusal(
    `${quotePath(text)} is not listed in ${entryName(entry)}.${closest ? ` Did you mean ${quotePath(closest)}?` : ''}`,
  )
}

type Compare = (a: string, b: string) => boolean
const isExactly: Compare = (a, b) => a === b
const isLike: Compare = (a, b) => a.trim().toLowerCase() === b.trim().toLowerCase()

/** Returns whether `wantedLabels` is a subsequence of `labels` that ends with the same label. */
function endsWithLabels(
  labels: readonly string[],
  wantedLabels: readonly string[],
  isSame: Compare,
): boolean {
  if (!isSame(wantedLabels.at(-1) ?? '', labels.at(-1) ?? '')) return false
  let at = 0
  for (const label of labels) if (at < wantedLabels.length && isSame(wantedLabels[at] as string, label)) at++
  return at === wantedLabels.length && labels.length > 0
}

function formatEntries(entries: readonly NavEntry[]): string {
  const lines = entries.map(({ labels }) => JSON.stringify(labels))
  const shown = fitLines(lines, LIST_BYTES)
  const rest = lines.length - shown.length
  return [...shown, ...(rest > 0 ? [`(and ${rest} more. List them with operation show)`] : [])].join('\n')
}
