/**
 * Builds the scripts of islands: one classic script per author component that runs in browsers, with its
 * imports and the built-in components that it uses. Author code is transpiled but never executed, and cannot
 * access files: imports are resolved from the texts of the site.
 */

import { join } from 'node:path'
import type { Loader, Plugin } from 'esbuild'
import { mapBounded } from '../../base/bounded.ts'
import type { Problem } from '../../base/errors/problem.ts'
import { sourceFile } from '../../base/files/program-files.ts'
import { sha256 } from '../../base/hash.ts'
import type { Log } from '../../base/log.ts'
import type { IconLibrary } from '../../site/icon.ts'
import type { SitePage } from '../../site/model.ts'
import { findModule, resolveImport } from '../compile/compile-links.ts'
import { scriptLoader } from '../compile/compile-script.ts'
import { createIconSets } from '../icons/icon-sets.ts'
import { type BuiltInFile, hashed } from '../machinery/built-ins.ts'
import { AUTHOR, runEsbuild, ScriptFault } from '../machinery/esbuild.ts'
import type { BodyIslands, BodyRequest } from '../page/body.ts'
import { BUILT_IN_NAMES } from '../tree/built-in-names.ts'
import { FREE_REACT_NAMES, REACT_NAMES } from '../tree/island-names.ts'
import { withInheritedImports } from './inherited-imports.ts'
import { ELEMENTS } from './island-body.ts'
import { collectClassWords, findIcons } from './island-literals.ts'

export interface SiteIslands {
  /** Scripts including the island runtime; empty if the site has no islands. */
  files: BuiltInFile<string>[]
  /** Paths of scripts by route, in loading order. */
  scripts: ReadonlyMap<string, readonly string[]>
  /** Words that may be utility classes. */
  classes: string[]
  problems: Problem[]
}

interface IslandPage {
  page: SitePage
  modules: BodyRequest['modules']
  facts: { islands: BodyIslands | null }
}

interface ComponentUse {
  module: string
  name: string
  given: readonly string[]
}

/**
 * Builds the scripts of all islands. A component that cannot be bundled is reported once and remains static.
 * Rejects with InternalError, never because of a component.
 */
export async function siteIslands(
  pages: readonly IslandPage[],
  site: { runtime: BuiltInFile<string>; iconLibrary: IconLibrary; log: Log },
): Promise<SiteIslands> {
  const problems: Problem[] = []
  const classes = new Set<string>()
  const sets = createIconSets()
  const files = new Map<string, BuiltInFile<string>>()
  const scripts = new Map<string, readonly string[]>()
  /** Bundles of components, shared by all pages that import the same file. */
  const bundles = new Map<string, Promise<BuiltInFile<string> | null>>()

  const bundle = async (use: ComponentUse, texts: ReadonlyMap<string, string>) => {
    try {
      const code = await bundleIsland(use, texts, site)
      for (const word of collectClassWords(code)) classes.add(word)
      const drawings = code.includes('octavoIslands.icon(') ? findIcons(sets, site.iconLibrary, code) : {}
      const icons =
        Object.keys(drawings).length === 0 ? '' : `octavoIslands.icons(${JSON.stringify(drawings)});\n`
      return hashed(`island-${fileName(use.name)}`, 'js', icons + code)
    } catch (error) {
      if (!(error instanceof ScriptFault)) throw error
      problems.push(bundleProblem(use, error))
      return null
    }
  }

  const scriptOf = (use: ComponentUse, texts: ReadonlyMap<string, string>) => {
    const text = sha256(texts.get(use.module) ?? '') // The text depends on the names that the page provides.
    const key = [islandId(use), text, ...use.given.toSorted()].join('\n')
    const found = bundles.get(key) ?? bundle(use, texts)
    bundles.set(key, found)
    return found
  }

  await mapBounded(pages, BUNDLE_CONCURRENCY, async ({ page, modules, facts }) => {
    if (facts.islands === null) return
    const texts = collectModuleSources(facts.islands, modules)
    const bundledScripts = await Promise.all(facts.islands.uses.map((use) => scriptOf(use, texts)))
    const own = bundledScripts.filter((file) => file !== null)
    if (own.length === 0) return
    for (const file of [site.runtime, ...own]) files.set(file.path, file)
    scripts.set(page.route, [...new Set([site.runtime, ...own].map((file) => `/${file.path}`))])
  })
  return { files: [...files.values()], scripts, classes: [...classes], problems }
}

/** Returns the modules that islands of the page may import. */
function collectModuleSources(islands: BodyIslands, modules: BodyRequest['modules']): Map<string, string> {
  const texts = new Map(Object.entries(islands.texts))
  for (const { path, source: text } of modules)
    if (scriptLoader(path)) texts.set(path, withInheritedImports(path, text, islands.inheritedImports))
  return texts
}

function islandId({ module, name }: ComponentUse): string {
  return `${module.replace(/^page:/, '')}#${name}`
}

function fileName(name: string): string {
  return name.replace(/[^A-Za-z0-9]+/g, '-').slice(0, 40)
}

/** Number of pages bundled concurrently. esbuild takes only a few milliseconds per bundle, in a separate process. */
const BUNDLE_CONCURRENCY = 8
const NAME_PATH = /^[\p{ID_Start}$_][\p{ID_Continue}$]*(?:\.[\p{ID_Start}$_][\p{ID_Continue}$]*)?$/u
const COMPONENTS = sourceFile('render/components')
const ISLAND_SCOPE_FILE = join(COMPONENTS, 'island-scope.ts')
const PAGE_SCOPE_FILE = sourceFile('render/isolate/page-scope.ts')
const ISLAND_PARTS_FILE = './island-parts.tsx'
const ELEMENTS_FILE = join(COMPONENTS, 'island-elements.ts')
const SHIM_NAMESPACE = 'shim'
const PACKAGES =
  /^(?:react|react-dom|preact|preact\/(?:hooks|compat)|(?:react|preact)\/jsx-(?:dev-)?runtime)$/
const FREE_NAMES_MODULE = 'octavo:free-names'

async function bundleIsland(
  use: ComponentUse,
  texts: ReadonlyMap<string, string>,
  { iconLibrary, log }: { iconLibrary: IconLibrary; log: Log },
): Promise<string> {
  if (!NAME_PATH.test(use.name)) throw new ScriptFault(`${use.name} is not the name of an export`, null)
  const [first = '', second] = use.name.split('.')
  const modules = [
    use.module,
    ...use.given.flatMap((id) => (id.includes('#') ? [id.slice(0, id.indexOf('#'))] : [])),
  ]
  const own = modules.map((module) => reachable(module, texts)).join('\n')
  const given = use.given.filter((id) => NAME_PATH.test(id.slice(id.indexOf('#') + 1)))
  const parts = BUILT_IN_NAMES.filter((name) => given.includes(name) || new RegExp(`\\b${name}\\b`).test(own))
  const entry = [
    `import { ${first} as found } from ${JSON.stringify(`${AUTHOR}:${use.module}`)}`,
    ...given.map((id, index) => componentImport(id, index)),
    `globalThis.octavoIslands.define(${JSON.stringify(islandId(use))}, found${second ? `.${second}` : ''}, {`,
    ...given.map((id, index) => `  ${JSON.stringify(id)}: given${index}${getMemberPath(id)},`),
    '})',
  ]
  const result = await runEsbuild(log, ({ build }) =>
    build({
      stdin: { contents: entry.join('\n'), loader: 'js' },
      bundle: true,
      write: false,
      format: 'iife',
      platform: 'browser',
      target: 'es2022',
      jsx: 'automatic',
      jsxImportSource: 'preact',
      minify: true,
      legalComments: 'none',
      logLevel: 'silent',
      tsconfigRaw: {},
      inject: [FREE_NAMES_MODULE],
      define: { 'process.env.NODE_ENV': '"production"', octavoIconLibrary: JSON.stringify(iconLibrary) },
      plugins: [createAuthorModulesPlugin(texts, parts)],
    }),
  )
  return result.outputFiles[0]?.text ?? ''
}

/** Returns an import of the component `id`. For a member expression such as `a.b`, imports only `a`. */
function componentImport(id: string, index: number): string {
  const hash = id.indexOf('#')
  const [first = ''] = id.slice(hash + 1).split('.')
  const from = hash === -1 ? FREE_NAMES_MODULE : `${AUTHOR}:${id.slice(0, hash)}`
  return `import { ${first} as given${index} } from ${JSON.stringify(from)}`
}

function getMemberPath(id: string): string {
  const [, second] = id.slice(id.indexOf('#') + 1).split('.')
  return second ? `.${second}` : ''
}

/** Returns the concatenated text of a module and all its imports. */
function reachable(module: string, texts: ReadonlyMap<string, string>): string {
  const seen = new Set([module])
  for (const path of seen) {
    for (const [, , specifier = ''] of (texts.get(path) ?? '').matchAll(
      /\b(?:from|import|require)\b[\s(]*(["'])([^"'\n]+)\1/g,
    )) {
      const found = resolveModule(specifier, path, texts)
      if (found !== null) seen.add(found)
    }
  }
  return [...seen].map((path) => texts.get(path) ?? '').join('\n')
}

function resolveModule(
  specifier: string,
  importer: string,
  texts: ReadonlyMap<string, string>,
): string | null {
  const wanted = resolveImport(specifier, importer.replace(/^page:/, ''))
  return wanted === null ? null : findModule(texts, wanted)
}

/** Resolves imports: files of the site from their source, React from the runtime, the theme from its files. */
function createAuthorModulesPlugin(texts: ReadonlyMap<string, string>, parts: readonly string[]): Plugin {
  return {
    name: 'author-modules',
    setup(builder) {
      builder.onResolve({ filter: /.*/ }, ({ path, importer, namespace, resolveDir }) => {
        if (path === FREE_NAMES_MODULE || PACKAGES.test(path))
          return { path, namespace: SHIM_NAMESPACE, sideEffects: false }
        // Reads only imports inside the theme from disk, never imports of authors.
        if (namespace === 'file' || (namespace === SHIM_NAMESPACE && importer === FREE_NAMES_MODULE))
          return { path: toBrowserPath(join(resolveDir, path), importer), sideEffects: false }
        if (importer === '<stdin>' && path.startsWith(`${AUTHOR}:`))
          return { path: path.slice(AUTHOR.length + 1), namespace: AUTHOR, sideEffects: false }
        if (path === ELEMENTS) return { path: ELEMENTS_FILE, sideEffects: false }
        const found = resolveModule(path, importer, texts)
        if (found !== null) return { path: found, namespace: AUTHOR, sideEffects: false }
        const isBuiltIn = importsOnly(texts.get(importer) ?? '', path, parts)
        return { path: isBuiltIn ? FREE_NAMES_MODULE : path, namespace: SHIM_NAMESPACE, sideEffects: false }
      })
      builder.onLoad({ filter: /.*/, namespace: AUTHOR }, ({ path }) => ({
        contents: texts.get(path) ?? '',
        loader: chooseLoader(path),
      }))
      builder.onLoad({ filter: /.*/, namespace: SHIM_NAMESPACE }, ({ path }) => shim(path, parts))
    },
  }
}

/** Returns whether all imports from a package are built-in components, which need no package. */
function importsOnly(text: string, specifier: string, names: readonly string[]): boolean {
  const clauses = [...text.matchAll(/\bimport\s*\{([^{}]*)\}\s*from\s*(["'])([^"'\n]+)\2/g)]
  const wanted = clauses
    .filter(([, , , from]) => from === specifier)
    .flatMap(([, list = '']) => list.split(','))
  const imported = wanted
    .map((part) => part.trim().split(/(?<!\s)\s+as\s+/)[0] ?? '')
    .filter((name) => name !== '')
  return imported.length > 0 && imported.every((name) => names.includes(name))
}

function toBrowserPath(path: string, importer: string): string {
  return path === PAGE_SCOPE_FILE && importer !== ISLAND_SCOPE_FILE ? ISLAND_SCOPE_FILE : path
}

function chooseLoader(path: string): Loader {
  return scriptLoader(path) ?? 'jsx'
}

function isFree(name: string): boolean {
  return /^use[A-Z]/.test(name) || FREE_REACT_NAMES.includes(name)
}

function shim(
  path: string,
  parts: readonly string[],
): { contents: string; loader: Loader; resolveDir?: string } {
  const names = REACT_NAMES.map(
    (name) => `export const ${name} = /* @__PURE__ */ (() => globalThis.octavoIslands.react.${name})()`,
  )
  if (path === FREE_NAMES_MODULE) {
    const built = parts.length === 0 ? [] : [`export { ${parts.join(', ')} } from '${ISLAND_PARTS_FILE}'`]
    const react = `export const React = /* @__PURE__ */ (() => globalThis.octavoIslands.react)()`
    const contents = [...names.filter((_, index) => isFree(REACT_NAMES[index] ?? '')), react, ...built]
    return { contents: contents.join('\n'), loader: 'js', resolveDir: COMPONENTS }
  }
  if (PACKAGES.test(path)) {
    const all = '/* @__PURE__ */ (() => globalThis.octavoIslands.react)()'
    return { contents: [...names, `export default ${all}`].join('\n'), loader: 'js' }
  }
  // CommonJS, so that any name can be imported. Names that the module does not export are undefined.
  return {
    contents: `throw new Error(${JSON.stringify(`there is no ${path}`)}); module.exports = {}`,
    loader: 'js',
  }
}

function bundleProblem({ module, name }: ComponentUse, fault: ScriptFault): Problem {
  return {
    file: module.replace(/^page:/, ''),
    line: module.startsWith('page:') ? null : fault.line,
    code: 'mdx.island',
    level: 'warning',
    message: `The component <${name}> cannot run in the browser: ${fault.message}. Only its initial state is shown.`,
    remedy: 'Use only code from this file, other files of the site, React and its hooks.',
  }
}
