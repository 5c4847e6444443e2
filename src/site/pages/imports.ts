/**
 * Resolves imports, finds the files that are snippets, and lists the files that a page imports indirectly.
 */
import { posix } from 'node:path'
import type { Problem } from '../../base/errors/problem.ts'
import { decodePath } from '../../base/text/decode-path.ts'
import type { PageImport, Site } from '../model.ts'
import { createClosestFinder } from '../navigation/closest.ts'
import { compareText, quote } from '../problems.ts'
import type { ScannedImport } from './scan-imports.ts'

const EXTENSIONS = ['', '.mdx', '.md', '.jsx', '.js', '.tsx', '.ts', '/index.mdx', '/index.jsx']
const SNIPPET_FOLDERS = ['snippets/', '_snippets/']

export function isInSnippetFolder(file: string): boolean {
  return SNIPPET_FOLDERS.some((folder) => file.startsWith(folder))
}

export function isModuleFile(file: string): boolean {
  return /\.(?:mdx?|jsx?|tsx?)$/.test(file)
}

export function collectUsedFiles(
  files: ReadonlySet<string>,
  scans: ReadonlyMap<string, readonly ScannedImport[]>,
): Map<string, readonly ScannedImport[]> {
  const used = new Map<string, readonly ScannedImport[]>()
  const pending = [...scans.keys()].filter((file) => /\.mdx?$/.test(file))
  for (let file = pending.pop(); file !== undefined; file = pending.pop()) {
    const found = used.has(file) ? undefined : scans.get(file)
    if (!found) continue
    used.set(file, found)
    for (const one of found) {
      const path = resolveImport(files, file, one)
      if (path !== null) pending.push(path)
    }
  }
  return new Map([...scans].filter(([file]) => used.has(file)))
}

/**
 * Resolves the imports of every file against `files`; a missing file is reported with the closest existing
 * path. `scans` contains the files of the site by path.
 */
export function resolveImports(
  problems: Problem[],
  files: ReadonlySet<string>,
  scans: ReadonlyMap<string, readonly ScannedImport[]>,
): Map<string, readonly PageImport[]> {
  const closest = createClosestFinder([...files].filter(isModuleFile))
  const imports = new Map<string, readonly PageImport[]>()
  for (const [file, scanned] of scans) {
    if (scanned.length === 0) continue
    const resolved = scanned.map((found) => {
      const path = resolveImport(files, file, found)
      if (path === null) reportMissing(problems, file, found, closest.find(found.specifier))
      return { specifier: found.specifier, path, line: found.line }
    })
    imports.set(file, resolved)
  }
  return imports
}

function resolveImport(files: ReadonlySet<string>, file: string, found: ScannedImport): string | null {
  for (const base of importBases(file, found)) {
    if (base.startsWith('..')) continue
    for (const extension of EXTENSIONS) if (files.has(base + extension)) return base + extension
  }
  return null
}

function importBases(file: string, found: ScannedImport): string[] {
  const specifier = decodePath(found.specifier)
  if (found.isLegacy) return SNIPPET_FOLDERS.map((folder) => posix.join(folder, specifier))
  if (specifier.startsWith('/')) return [posix.normalize(specifier.slice(1))]
  if (isRelative(specifier)) return [posix.join(posix.dirname(file), specifier)]
  // Some authors omit the leading slash, so an existing file takes precedence over a package.
  return [posix.normalize(specifier)]
}

function isRelative(specifier: string): boolean {
  return specifier.startsWith('./') || specifier.startsWith('../')
}

function reportMissing(
  problems: Problem[],
  file: string,
  found: ScannedImport,
  closest: string | null,
): void {
  const position = { file, line: found.line }
  const isPackage = !found.isLegacy && !found.specifier.startsWith('/') && !isRelative(found.specifier)
  if (isPackage && !/\.\w+$/.test(found.specifier)) {
    const isReact = /^(?:react|preact)(?:\/|$)/.test(found.specifier)
    problems.push({
      ...position,
      code: 'import.package',
      level: isReact ? 'hint' : 'warning',
      message: `The package ${quote(found.specifier)} cannot be imported.`,
      remedy: isReact
        ? 'Remove the import. Hooks are available without one.'
        : 'Use a built-in component, or a component file in the docs folder.',
    })
    return
  }
  problems.push({
    ...position,
    code: 'import.missing',
    level: 'error',
    message: `The imported file ${quote(found.specifier)} does not exist.`,
    remedy: closest
      ? `Did you mean /${closest}?`
      : 'Create the file, or remove the import and everything that uses it.',
  })
}

/** Removes and reports the import that closes each cycle, so that traversals of imports terminate. */
export function cutImportCycles(
  problems: Problem[],
  imports: Map<string, readonly PageImport[]>,
): Map<string, readonly PageImport[]> {
  const cut = new Map(imports)
  const done = new Set<string>()
  for (const start of [...imports.keys()].sort(compareText)) {
    // Files on the current chain, with the index of their next import; not recursive, because chains may be
    // long.
    const chain: { file: string; next: number }[] = done.has(start) ? [] : [{ file: start, next: 0 }]
    const onChain = new Set(chain.map((entry) => entry.file))
    for (let top = chain.at(-1); top; top = chain.at(-1)) {
      const found: PageImport | undefined = cut.get(top.file)?.[top.next]
      if (!found) {
        done.add(top.file)
        onChain.delete(top.file)
        chain.pop()
        continue
      }
      top.next++
      if (found.path === null || done.has(found.path)) continue
      if (onChain.has(found.path)) {
        const files = chain.map((entry) => entry.file)
        const circle = [...files.slice(files.indexOf(found.path)), found.path].join(' → ')
        problems.push({
          file: top.file,
          line: found.line,
          code: 'import.cycle',
          level: 'error',
          message: `These files import each other in a cycle: ${circle}.`,
          remedy: 'Remove this import, or move the shared part into a third file.',
        })
        const remainingImports = (cut.get(top.file) ?? []).map((one) =>
          one === found ? { ...one, path: null } : one,
        )
        cut.set(top.file, remainingImports)
        continue
      }
      chain.push({ file: found.path, next: 0 })
      onChain.add(found.path)
    }
  }
  return cut
}

export function listReachableModules(site: Pick<Site, 'imports'>, file: string): { path: string }[] {
  const reached = new Set<string>()
  const pending = [file]
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    for (const { path } of site.imports.get(next) ?? []) {
      if (path === null || path === file || reached.has(path)) continue
      reached.add(path)
      pending.push(path)
    }
  }
  return [...reached].sort(compareText).map((path) => ({ path }))
}
