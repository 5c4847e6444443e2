/** Files of this repository as text, for the tests of its import and naming rules. */
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

export const root = dirname(dirname(import.meta.dirname))

export const files = globSync(
  ['src/**/*', 'web/**/*', 'tests/**/*', 'scripts/**/*', 'bin/**/*', 'bench/**/*'],
  {
    cwd: root,
    exclude: ['**/node_modules/**', 'tests/fixtures/**', 'web/*/dist/**'],
  },
)
  .filter((file) => /\.(ts|tsx|mts|mjs|js|css|sql)$/.test(file))
  .sort()
export const modules = files.filter((file) => /\.(ts|tsx|mts|mjs|js)$/.test(file))
export const sources = modules.filter((file) => /^(src|web)\//.test(file))
export const text = new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]))

const uncommented = new Map<string, string>()

/** Strips comments, so that mentioning something in a comment does not count as using it. */
export function withoutComments(file: string): string {
  const known = uncommented.get(file)
  if (known !== undefined) return known
  const code = (text.get(file) ?? '').replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '')
  uncommented.set(file, code)
  return code
}

export interface Import {
  file: string
  specifier: string
  /** True for `import(…)`. */
  isDynamic: boolean
}

export const imports: Import[] = modules.flatMap((file) => {
  const pattern =
    /(?:^|[;\n])\s*(?:import|export)\s[^;'"`]*?from\s*['"]([^'"\n]+)['"]|(?:^|[;\n])\s*import\s*['"]([^'"\n]+)['"]|\bimport\(\s*['"]([^'"\n]+)['"]/g
  return [...withoutComments(file).matchAll(pattern)].map((match) => ({
    file,
    specifier: match[1] ?? match[2] ?? match[3] ?? '',
    isDynamic: match[3] !== undefined,
  }))
})

/** Returns `src/render` or `src/features/export` for any file below it; null outside src and web. */
export function domainOf(file: string): string | null {
  const [top, second, third, fourth] = file.split('/')
  if ((top !== 'src' && top !== 'web') || third === undefined) return null
  return second === 'features' && fourth !== undefined ? `${top}/${second}/${third}` : `${top}/${second}`
}

/**
 * Returns the row of a file in the table of allowed imports. A feature has three rows: its operations, which any code
 * may import, its routes, which only the server lists, and the rest.
 */
export function layerOf(file: string): string | null {
  const feature = /^src\/features\/([^/]+)\/(operations\/)?((?:routes\/|[a-z-]*\broutes\.ts$))?/.exec(file)
  if (feature === null) return domainOf(file)?.replace(/^src\//, '') ?? null
  const [, name, operations, routes] = feature
  if (operations !== undefined) return 'operations'
  return routes === undefined ? (name ?? null) : `${name}/routes`
}

/** Tests next to the code may import from any folder, but only its public files. */
export function isTest(file: string): boolean {
  return /\.test\.tsx?$/.test(file)
}

/** Returns the package of a specifier such as `@scope/name/part`. */
export function packageOf(specifier: string): string {
  return specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/')
}

/** Adds the file that each relative import resolves to. */
export function relativeImports(): (Import & { target: string })[] {
  return imports
    .filter(({ specifier }) => specifier.startsWith('.'))
    .map((found) => ({
      ...found,
      target: relative(root, join(root, dirname(found.file), found.specifier.split('?')[0] ?? '')),
    }))
}
