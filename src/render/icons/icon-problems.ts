/** Reports icons that no set contains, with the locations that use them. */
import { mapBounded } from '../../base/bounded.ts'
import type { Problem } from '../../base/errors/problem.ts'
import type { FileTree } from '../../base/files/file-tree.ts'
import type { Site } from '../../site/model.ts'

const SETTINGS_FILES = ['docs.json', 'mint.json']
const READ_CONCURRENCY = 16
/** Maximum number of reported locations per icon name. */
const MAX_REPORTED_PLACES = 20

/**
 * Returns one hint for each location that uses one of the icons; the site's texts are read only if there are any. A
 * name composed by code is reported at `docs.json` without a line.
 */
export async function iconProblems(
  { site, tree }: { site: Site; tree: FileTree },
  names: readonly string[],
): Promise<Problem[]> {
  if (names.length === 0) return []
  const lists = await mapBounded(listFiles(site, tree), READ_CONCURRENCY, async (file) => {
    const text = new TextDecoder().decode(await tree.read(file))
    return names.flatMap((name) => findLines(text, name).map((line) => ({ name, file, line })))
  })
  const places = Map.groupBy(lists.flat(), ({ name }) => name)
  return names.flatMap((name) => {
    const found = places.get(name)?.slice(0, MAX_REPORTED_PLACES) ?? [{ file: 'docs.json', line: null }]
    return found.map(({ file, line }) => iconProblem(name, file, line))
  })
}

/** Returns pages, their imports, and the settings, sorted by name. */
function listFiles(site: Site, tree: FileTree): string[] {
  const pages = [...site.pages.values()].map(({ file }) => file)
  const modules = [...site.imports.values()].flat().map(({ path }) => path)
  const all = [...SETTINGS_FILES, ...pages, ...modules].filter(
    (file) => file !== null && tree.files.has(file),
  )
  return [...new Set(all as string[])].sort()
}

/** Finds lines with `icon="name"`, `icon: name` or `"icon": "name"`, or with just the quoted name. */
function findLines(text: string, name: string): number[] {
  if (!text.includes(name)) return []
  const lines = text.split('\n').map((line, index) => ({ line, number: index + 1 }))
  const word = RegExp.escape(name)
  const named = new RegExp(`icon["']?\\s*[:=]\\s*\\{?\\s*["'\`]?${word}(?![\\w-])`, 'i')
  const quoted = new RegExp(`["'\`]${word}["'\`]`)
  const exact = lines.filter(({ line }) => named.test(line))
  const found = exact.length > 0 ? exact : lines.filter(({ line }) => /icon/i.test(line) && quoted.test(line))
  return found.map(({ number }) => number)
}

function iconProblem(name: string, file: string, line: number | null): Problem {
  return {
    file,
    line,
    code: 'icon.unknown',
    level: 'hint',
    message: `No free icon is called ${JSON.stringify(name)}; a similar one, or a dot, stands in its place.`,
    remedy: 'Use a name of Font Awesome Free, Lucide or Tabler, or the path of an SVG file.',
  }
}
