/** Reports unknown icons and the locations that use them. */
import { mapBounded } from '../../base/bounded.ts'
import type { Problem } from '../../base/errors/problem.ts'
import type { FileTree } from '../../base/files/file-tree.ts'
import type { Site } from '../../site/model.ts'

const SETTINGS_FILES = ['docs.json', 'mint.json']
const READ_CONCURRENCY = 16
const MAX_REPORTED_LOCATIONS = 20

/**
 * Returns a hint for each location that uses an unknown icon. Reads the source files of the site only if there are unknown
 * icons. A name computed by code is reported for `docs.json` without a line.
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
  const uses = Map.groupBy(lists.flat(), ({ name }) => name)
  return names.flatMap((name) => {
    const found = uses.get(name)?.slice(0, MAX_REPORTED_LOCATIONS) ?? [{ file: 'docs.json', line: null }]
    return found.map(({ file, line }) => iconProblem(name, file, line))
  })
}

/** Returns pages, their imports, and settings, sorted by name. */
function listFiles(site: Site, tree: FileTree): string[] {
  const pages = [...site.pages.values()].map(({ file }) => file)
  const modules = [...site.imports.values()].flat().map(({ path }) => path)
  const all = [...SETTINGS_FILES, ...pages, ...modules].filter(
    (file) => file !== null && tree.files.has(file),
  )
  return [...new Set(all as string[])].sort()
}

/** Returns lines with `icon="name"`, `icon: name`, `"icon": "name"` or just the quoted name. */
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
    message: `There is no free icon named ${JSON.stringify(name)}. A similar icon or a dot is shown instead.`,
    remedy: 'Use an icon name from Font Awesome Free, Lucide or Tabler, or the path of an SVG file.',
  }
}
