/**
 * Which modules of the dashboard come in one file. By itself the bundler makes a file of each set of pages that share a
 * module: fifty of them, of which a page asks for a dozen. Joined, a page brings a little that only others need, and waits
 * for few.
 */
import type { Metafile } from 'esbuild'

/** Files that a page shares with others, besides those of the first module. */
const MOST_SHARED = 5

/** What is loaded on demand, by the path of its module, and the modules of the files that come with it. */
export type JoinedParts = ReadonlyMap<string, readonly string[]>

interface Part {
  modules: readonly string[]
  bytes: number
  /** Modules loaded on demand that need it. */
  pages: ReadonlySet<string>
}

/** `first` is the path of the module that is there before all others. */
export function joinParts(metafile: Metafile, first: string): JoinedParts {
  let parts = partsBy(metafile, first)
  for (let crowded = findCrowded(parts); crowded !== null; crowded = findCrowded(parts)) {
    const [one, other] = cheapestPair(crowded)
    parts = [...parts.filter((part) => part !== one && part !== other), joined(one, other)]
  }
  const pages = [...new Set(parts.flatMap((part) => [...part.pages]))]
  return new Map(
    pages.map((page) => [
      page,
      parts.filter((part) => part.pages.has(page)).flatMap(({ modules }) => modules),
    ]),
  )
}

/** The files that several pages share. */
function partsBy({ outputs }: Metafile, first: string): Part[] {
  const entries = Object.entries(outputs).flatMap(([path, { entryPoint }]) =>
    entryPoint === undefined || !path.endsWith('.js') ? [] : [{ path, entryPoint }],
  )
  const reached = new Map(entries.map(({ path, entryPoint }) => [entryPoint, reachedFrom(outputs, path)]))
  const before = reached.get(first) ?? new Set()
  return Object.entries(outputs).flatMap(([path, { entryPoint, inputs, bytes }]) => {
    // Packages that say that they have no side effects cannot be asked for by name alone: they stay where they are.
    const modules = Object.keys(inputs).filter((module) => !/node_modules|^[\w-]+:/.test(module))
    if (entryPoint !== undefined || before.has(path) || modules.length === 0) return []
    const pages = [...reached].filter(([, files]) => files.has(path)).map(([page]) => page)
    return [{ modules, bytes, pages: new Set(pages) }]
  })
}

/** All files that are loaded with one, itself among them. */
function reachedFrom(outputs: Metafile['outputs'], path: string): Set<string> {
  const found = new Set([path])
  for (const one of found)
    for (const { path: next, kind } of outputs[one]?.imports ?? [])
      if (kind === 'import-statement') found.add(next)
  return found
}

/** The parts of the page that needs the most of them; null when none needs too many. */
function findCrowded(parts: readonly Part[]): Part[] | null {
  const pages = new Set(parts.flatMap((part) => [...part.pages]))
  const ofPages = [...pages].map((page) => parts.filter((part) => part.pages.has(page)))
  const most = ofPages.reduce((one, other) => (other.length > one.length ? other : one), [])
  return most.length > MOST_SHARED ? most : null
}

/** The two that bring the fewest bytes to pages that do not need them. */
function cheapestPair(parts: readonly Part[]): [Part, Part] {
  const pairs = parts.flatMap((one, at) => parts.slice(at + 1).map((other): [Part, Part] => [one, other]))
  return pairs.reduce((best, pair) => (waste(...pair) < waste(...best) ? pair : best))
}

function waste(one: Part, other: Part): number {
  return (
    other.pages.difference(one.pages).size * one.bytes + one.pages.difference(other.pages).size * other.bytes
  )
}

function joined(one: Part, other: Part): Part {
  return {
    modules: [...one.modules, ...other.modules],
    bytes: one.bytes + other.bytes,
    pages: one.pages.union(other.pages),
  }
}
