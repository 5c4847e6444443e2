/** Finds translations that are older than their original, with the changed sections and the commit. */
import type { Problem } from '../../base/errors/problem.ts'
import type { FileDates, FileTree } from '../../base/files/file-tree.ts'
import type { Site } from '../model.ts'

export interface StaleTranslation {
  /** Route of the original. */
  original: string
  problem: Problem
}

interface Pair {
  route: string
  file: string
  original: { route: string; file: string }
}

/** Maximum number of originals that are compared with their earlier text. */
const MAX_COMPARED = 100
const MAX_NAMED = 8
const MAX_NAME = 80

/**
 * Returns the stale pages by route. An original with the same text as when it was translated does not count as newer.
 */
export async function findStaleTranslations(
  site: Site,
  { dates, commits, readAt }: FileDates,
  tree: Pick<FileTree, 'read'>,
): Promise<Map<string, StaleTranslation>> {
  const pairs = pairTranslations(site).filter(({ file, original }) => {
    const [changed, translated] = [dates.get(original.file), dates.get(file)]
    return changed !== undefined && translated !== undefined && changed > translated
  })
  const compared = pairs.slice(0, MAX_COMPARED)
  const wanted = compared.map(({ file, original }) => ({
    path: original.file,
    commit: commits.get(file) ?? '',
  }))
  const earlier = compared.length === 0 ? [] : ((await readAt?.(wanted)) ?? [])
  const stale = new Map<string, StaleTranslation>()
  for (const [index, { route, file, original }] of pairs.entries()) {
    const before = earlier[index] ?? null
    const sections =
      before === null
        ? null
        : changedSections(before, new TextDecoder().decode(await tree.read(original.file)))
    if (sections?.length === 0) continue
    const at = (path: string) =>
      [dates.get(path)?.slice(0, 10), commits.get(path)?.slice(0, 8)].filter(Boolean).join(', ')
    const message = `${original.file} was changed (${at(original.file)}) after this translation (${at(file)})${describeSections(sections)}.`
    const remedy = `Update the translation to match ${original.file}. Any commit to this file clears the hint.`
    const problem = { file, line: null, code: 'translation.stale', level: 'hint', message, remedy } as const
    stale.set(route, { original: original.route, problem })
  }
  return stale
}

/** `de/guides/x.mdx` translates `guides/x.mdx`, or `en/guides/x.mdx`. */
function pairTranslations({ languages, pages }: Site): Pair[] {
  const standard = languages.find(({ isDefault }) => isDefault)?.code
  const originals = new Map(
    [...pages.values()].flatMap(({ language, file, route }) =>
      language === standard && file !== null ? [[file, route] as const] : [],
    ),
  )
  return [...pages.values()].flatMap(({ file, route, language }) => {
    if (file === null || language === standard || standard === undefined) return []
    const folders = file.split('/')
    const at = folders.indexOf(language)
    if (at < 0) return []
    const original = [[], [standard]]
      .map((names) => folders.toSpliced(at, 1, ...names).join('/'))
      .find((one) => originals.has(one))
    if (original === undefined) return []
    return [{ route, file, original: { file: original, route: originals.get(original) as string } }]
  })
}

function describeSections(sections: readonly string[] | null): string {
  if (sections === null) return ''
  const named = sections.slice(0, MAX_NAMED).map((name) => `“${name}”`)
  const rest = sections.length - named.length
  return `, in ${named.join(', ')}${rest > 0 ? ` and ${rest} more sections` : ''}`
}

/** Returns the headings of changed sections, removed sections last. The text before the first heading comes first. */
function changedSections(before: string, after: string): string[] {
  const [was, is] = [sectionsOf(before), sectionsOf(after)]
  return [
    ...[...is].filter(([name, text]) => was.get(name) !== text).map(([name]) => name),
    ...[...was.keys()].filter((name) => !is.has(name)).map((name) => `${name} (removed)`),
  ]
}

const FENCE = /^\s*(`{3,}|~{3,})/
const HEADING = /^ {0,3}#{1,6}[ \t]+(.*)/

/** Texts of the sections by their headings. Sections with the same heading count as one. */
function sectionsOf(page: string): Map<string, string> {
  const sections = new Map<string, string>()
  let name = 'the beginning'
  let fence: string | null = null
  for (const line of page.split('\n')) {
    const mark = FENCE.exec(line)?.[1]
    if (fence !== null) fence = mark?.startsWith(fence) ? null : fence
    else if (mark !== undefined) fence = mark
    else name = HEADING.exec(line)?.[1]?.trim().slice(0, MAX_NAME) || name
    const text = line.trim()
    if (text !== '') sections.set(name, `${sections.get(name) ?? ''}${text}\n`)
  }
  return sections
}
