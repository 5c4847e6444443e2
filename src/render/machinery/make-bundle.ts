/** Builds the bundles of Octavo's own sources. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { BuildOptions } from 'esbuild'
import { PROGRAM_ROOT, programFile, sourceFile } from '../../base/files/program-files.ts'
import { silentLog } from '../../base/log.ts'
import { STEMMER_MODULES } from '../../search/stemmers.ts'
import { runEsbuild } from './esbuild.ts'
import { fontFaces } from './fonts.ts'
import { type BundleContent, type BundledPackage, type BundleName, THEMES } from './own-bundles.ts'

const WEB = programFile('web')
const STYLES = sourceFile('render/theme/styles')

const BUNDLE_BUILDERS: Readonly<Record<string, () => Promise<BundleContent>>> = {
  ...Object.fromEntries(
    ['early', 'main', 'navigation', 'search', 'feedback', 'analytics', 'islands', 'services'].map((name) => [
      `${name}.js`,
      () => classicScript(`reader/${name}.ts`, { 'process.env.NODE_ENV': '"production"' }),
    ]),
  ),
  ...Object.fromEntries(
    Object.entries(STEMMER_MODULES).map(([language, name]) => [
      `stemmer-${language}.js`,
      () => stemmerScript(language, name),
    ]),
  ),
  'playground.js': () =>
    classicScript('reader/playground/main.tsx', { 'process.env.NODE_ENV': '"production"' }),
  'playground.css': () => classicScript('reader/playground/playground.css'),
  'assistant.js': () => classicScript('reader/assistant/main.ts'),
  'assistant.css': () => classicScript('reader/assistant/assistant.css'),
  'site.css': siteStyle,
  ...Object.fromEntries(
    THEMES.map((name) => [
      `theme-${name}.css`,
      () => minifiedCss(readFileSync(join(STYLES, 'themes', `${name}.css`), 'utf8')),
    ]),
  ),
  'preview.js': async () =>
    classicScript('preview/preview.ts', {
      NOTES_STYLE: JSON.stringify((await classicScript('preview/notes.css')).text),
    }),
  'prelude.js': prelude,
  'serve.mjs': serverScript,
}

export const BUNDLE_NAMES = Object.keys(BUNDLE_BUILDERS) as BundleName[]

export async function makeBundle(name: BundleName): Promise<BundleContent> {
  const make = BUNDLE_BUILDERS[name]
  if (!make) throw new Error(`there is no bundle ${name}`)
  return make()
}

/** Builds a classic script, because modules cannot be loaded from `file://`. */
function classicScript(file: string, define: Record<string, string> = {}): Promise<BundleContent> {
  return bundled({
    entryPoints: [join(WEB, file)],
    format: 'iife',
    platform: 'browser',
    target: 'es2022',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    define,
  })
}

function stemmerScript(language: string, module: string): Promise<BundleContent> {
  const contents = `import { stemmer } from '@orama/stemmers/${module}'\nglobalThis.__octavoStemmer('${language}', stemmer)`
  return bundled({ stdin: { contents, resolveDir: STYLES }, format: 'iife', target: 'es2022' })
}

/** Bundles the style sheets of the theme, sorted by name, with fonts first. */
function siteStyle(): Promise<BundleContent> {
  const sheets = globSync('*.css', { cwd: STYLES }).sort()
  return minifiedCss(
    [fontFaces(), ...sheets.map((sheet) => readFileSync(join(STYLES, sheet), 'utf8'))].join('\n'),
  )
}

function minifiedCss(contents: string): Promise<BundleContent> {
  return bundled({ stdin: { contents, loader: 'css', resolveDir: STYLES }, external: ['./fonts/*'] })
}

/** Builds the script that every isolate loads first, with Preact and the components. */
function prelude(): Promise<BundleContent> {
  return bundled({
    entryPoints: [sourceFile('render/components/entry.tsx')],
    format: 'iife',
    platform: 'neutral',
    mainFields: ['module', 'main'],
    target: 'es2024',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    // Components identify snippets by function name.
    keepNames: true,
    define: { 'process.env.NODE_ENV': '"production"' },
  })
}

/** Builds the server of a bundle. Not minified, because users may read it. */
function serverScript(): Promise<BundleContent> {
  return bundled({
    entryPoints: [sourceFile('render/hosting/serve.ts')],
    format: 'esm',
    platform: 'node',
    target: 'node20',
    minify: false,
  })
}

async function bundled(options: BuildOptions): Promise<BundleContent> {
  const { outputFiles, metafile } = await runEsbuild(silentLog, ({ build }) =>
    build({
      minify: true,
      ...options,
      bundle: true,
      // Makes the paths in unminified output independent of the working directory.
      absWorkingDir: PROGRAM_ROOT,
      write: false,
      metafile: true,
      legalComments: 'none',
      logLevel: 'silent',
    }),
  )
  const text = outputFiles?.[0]?.text.trim() ?? ''
  if (text === '') throw new Error('a bundle of our own sources came out empty')
  return { text, packages: listPackages(Object.keys(metafile?.inputs ?? {})) }
}

/** Returns the packages that contain the input files. */
function listPackages(inputs: readonly string[]): BundledPackage[] {
  const folders = new Set(inputs.flatMap((input) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input) ?? []))
  return [...folders].sort().map((folder) => {
    const packageJson = JSON.parse(readFileSync(programFile(join(folder, 'package.json')), 'utf8'))
    const { name, version, license } = packageJson as Record<string, unknown>
    return {
      name: String(name),
      version: String(version),
      licence: typeof license === 'string' ? license : null,
    }
  })
}
