/**
 * Risk notes for reviewers: harm that a change could do to readers beyond wrong content. Derived from the
 * files and not from the agent's report, so an agent misled by injected instructions cannot hide a risk.
 */

import { plainDiff } from '../../../base/files/diff-file.ts'
import type { FileTree } from '../../../base/files/file-tree.ts'
import { sha256 } from '../../../base/hash.ts'
import { createYielder } from '../../../base/text/yielder.ts'
import type { Site } from '../../../site/model.ts'
import { findText } from '../edit/change-files.ts'
import { RISK_LEVELS, type RiskNote, riskLevel } from '../operations/agent-review.ts'
import type { FileChange } from '../publish/workspace.ts'
import { isImageFile } from './change-content.ts'
import { countWarnings, type Feature, findFeatures, isHostFeature } from './risk-features.ts'
import { findChangedSettings, SETTINGS_FILES } from './risk-settings.ts'

interface ReviewedChange {
  before: { tree: FileTree; site: Site | null }
  after: { tree: FileTree; site: Site | null }
  changes: readonly FileChange[]
  /** Maps the digest of each added image to its source. */
  sources?: ReadonlyMap<string, string> | undefined
}

export interface Risks {
  notes: RiskNote[]
  /** True when every changed file has a note of the highest level; accepting then needs a confirmation. */
  isAll: boolean
}

/** Maximum number of notes listed; any more are only counted. */
const MAX_NOTES = 200
/** Number of removed pages, or share of the site, from which a note is added. */
const MANY_PAGES = 5
const LARGE_PART = 0.2
/** Number of characters removed from a page, or share of the page, from which a note is added. */
const LARGE_CUT_CHARACTERS = 1500
const LARGE_CUT_SHARE = 0.5

export async function findRisks(change: ReviewedChange): Promise<Risks> {
  const notes: RiskNote[] = []
  const breaks = createYielder()
  for (const { path } of change.changes) {
    const before = (await findText(change.before.tree, path)) ?? ''
    const after = (await findText(change.after.tree, path)) ?? ''
    notes.push(...findFileNotes(path, before, after))
    if (breaks.isDue()) await breaks.yieldNow()
  }
  const known = await findKnownHosts(change.before.tree, notes)
  const shownNotes = notes
    .filter((note) => !(note.kind === 'host' && known.has(note.what)))
    .map((note) =>
      note.kind === 'host' ? { ...note, what: `a host that is new to the site: ${note.what}` } : note,
    )
  shownNotes.push(
    ...(await findImageNotes(change)),
    ...findPageNotes(change),
    ...(await findChangedSettings(change.before.tree, change.after.tree)),
  )
  const weighed = new Set(shownNotes.filter(({ kind }) => riskLevel(kind) === 'high').map(({ path }) => path))
  return {
    notes: limitNotes(shownNotes),
    isAll: change.changes.length > 0 && change.changes.every(({ path }) => weighed.has(path)),
  }
}

function findFileNotes(path: string, before: string, after: string): RiskNote[] {
  const notes = findNewFeatures(findFeatures(path, before), findFeatures(path, after)).map(
    ({ kind, line, what }): RiskNote => ({ kind, path, line, what }),
  )
  const note = (kind: RiskNote['kind'], what: string) => notes.push({ kind, path, line: null, what })
  if (/\.mdx?$/.test(path)) notes.push(...findChangedValues(path, before, after))
  if (/\.(?:jsx|tsx|js)$/.test(path)) note('script', "code that runs in readers' browsers changed")
  if (path.endsWith('.css')) note('style', 'styles changed, which can hide or cover content')
  if (path.endsWith('.svg')) note('style', 'an SVG image changed')
  if (/\.(?:json|ya?ml)$/.test(path) && !SETTINGS_FILES.includes(path))
    note('data', 'settings or an API description changed')
  if (/(?:^|\/)llms(?:-full)?\.txt$/.test(path)) note('machines', 'information for AI agents changed')
  const [was, is] = [countWarnings(before), countWarnings(after)]
  if (is.callouts < was.callouts)
    note('warning', `${was.callouts - is.callouts} of ${was.callouts} warnings were removed`)
  else if (is.words < was.words) note('warning', 'words of warning were removed')
  const removedCharacters = before.length - after.length
  if (
    after !== '' &&
    removedCharacters > LARGE_CUT_CHARACTERS &&
    removedCharacters > before.length * LARGE_CUT_SHARE
  )
    note('deletion', `${Math.round((removedCharacters / before.length) * 100)} % of the file was removed`)
  return notes
}

/** Matches lines that readers rely on for planning, such as limits and prices. Changed numbers in them are reported. */
const PLANNING_WORDS =
  /\b(?:limits?|maximum|minimum|max|min|at most|at least|up to|price[sd]?|pricing|costs?|free|version|defaults?|timeout|quota|requests?|expires?)\b|[$€£¥%]|\bper (?:second|minute|hour|day|month|year|user|seat)\b|\b\d[\d.,]{0,12}\s?(?:ms|[KMGT]i?B|bytes?|seconds?|minutes?|hours?|days?|months?|years?)\b|\bv?\d{1,6}\.\d/i
const VALUE = /`[^`]{1,80}`|\d[\d.,]*/g
const MAX_VALUES = 20

/** Compares lines that differ only in numbers and inline code. */
function findChangedValues(path: string, before: string, after: string): RiskNote[] {
  const notes: RiskNote[] = []
  for (const hunk of plainDiff(before, after)) {
    const lines = hunk.map(({ kind, after: line, parts }) => {
      const text = parts
        .map(({ text }) => text)
        .join('')
        .slice(0, 2000)
      return { kind, line, text, shape: text.replace(VALUE, '#').trim() }
    })
    const removed = lines.filter(({ kind }) => kind === 'removed')
    for (const { kind, line, text, shape } of lines) {
      if (kind !== 'added' || !PLANNING_WORDS.test(text) || notes.length >= MAX_VALUES) continue
      const was = removed.find((one) => one.shape === shape)
      const [old, now] = [was?.text.match(VALUE) ?? [], text.match(VALUE) ?? []]
      const at = now.findIndex((value, index) => value !== old[index])
      if (was === undefined || at === -1) continue
      const [from, to] = [old[at], now[at]].map((value = '') => value.replaceAll('`', ''))
      notes.push({ kind: 'value', path, line, what: `a value changed: from “${from}” to “${to}”` })
    }
  }
  return notes
}

/** Returns features that occur more often than before. A host counts as new only if it was absent. */
function findNewFeatures(before: readonly Feature[], after: readonly Feature[]): Feature[] {
  const keyOf = ({ kind, key }: Feature) => `${kind}\n${key}`
  const left = new Map<string, number>()
  for (const feature of before) left.set(keyOf(feature), (left.get(keyOf(feature)) ?? 0) + 1)
  const found = new Map<string, Feature>()
  for (const feature of after) {
    const key = keyOf(feature)
    const count = left.get(key) ?? 0
    if (!isHostFeature(feature)) left.set(key, count - 1)
    if (count <= 0 && !found.has(key)) found.set(key, feature)
  }
  return [...found.values()]
}

async function findKnownHosts(tree: FileTree, notes: readonly RiskNote[]): Promise<Set<string>> {
  const wantedHosts = new Set(notes.filter(({ kind }) => kind === 'host').map(({ what }) => what))
  const known = new Set<string>()
  if (wantedHosts.size === 0) return known
  const breaks = createYielder()
  for (const path of tree.files.keys()) {
    if (!/\.(?:mdx?|json|ya?ml|jsx|tsx)$/.test(path)) continue
    const text = ((await findText(tree, path)) ?? '').toLowerCase()
    for (const host of wantedHosts) if (!known.has(host) && mentionsHost(text, host)) known.add(host)
    if (breaks.isDue()) await breaks.yieldNow()
  }
  return known
}

/** Matches whole host names only: `//example.com` does not match `//example.com.evil.org`. */
function mentionsHost(text: string, host: string): boolean {
  for (let at = text.indexOf(`//${host}`); at !== -1; at = text.indexOf(`//${host}`, at + 2)) {
    const following = text.slice(at + 2 + host.length, at + 4 + host.length)
    if (!/^(?:[.:][\p{L}\p{N}_-]|[\p{L}\p{N}_-])/u.test(following)) return true
  }
  return false
}

/** Images are reported because no check reads their content. */
async function findImageNotes({ after, changes, sources }: ReviewedChange): Promise<RiskNote[]> {
  const notes: RiskNote[] = []
  for (const { path, change } of changes) {
    const isDrawing = path.endsWith('.svg')
    if (change === 'deleted' || !(isDrawing || isImageFile(path)) || !after.tree.files.has(path)) continue
    const source = sources?.size ? sources.get(sha256(await after.tree.read(path))) : undefined
    const what = source === undefined ? `a picture was ${change}` : `a picture was ${change}, from ${source}`
    // A drawing by the agent itself already has a `style` note.
    if (source !== undefined || !isDrawing) notes.push({ kind: 'picture', path, line: null, what })
  }
  return notes
}

function findPageNotes({ before, after, changes }: ReviewedChange): RiskNote[] {
  if (before.site === null || after.site === null) return []
  const now = after.site
  const removedPages = [...before.site.pages.values()].filter(
    ({ route, file }) => file !== null && !now.pages.has(route),
  )
  const notes = removedPages.map(
    ({ route, file }): RiskNote => ({
      kind: 'address',
      path: file ?? 'docs.json',
      line: null,
      what: `the path ${route} no longer shows this page`,
    }),
  )
  const deleted = changes.filter(({ change }) => change === 'deleted')
  const pages = before.site.pages.size
  if (deleted.length >= MANY_PAGES || (deleted.length > 1 && deleted.length >= pages * LARGE_PART))
    for (const { path } of deleted)
      notes.push({
        kind: 'deletion',
        path,
        line: null,
        what: `one of ${deleted.length} deleted files`,
      })
  return notes
}

function limitNotes(notes: readonly RiskNote[]): RiskNote[] {
  const order = ({ kind }: RiskNote) => RISK_LEVELS.indexOf(riskLevel(kind))
  const sorted = [...notes].sort((a, b) => order(a) - order(b))
  if (sorted.length <= MAX_NOTES) return sorted
  const left = sorted.length - MAX_NOTES
  return [
    ...sorted.slice(0, MAX_NOTES),
    { kind: 'settings', path: 'docs.json', line: null, what: `and ${left} more: review every file` },
  ]
}
