/**
 * The files that come with every site, below `_octavo/`: style sheet, fonts, reader scripts, KaTeX and Mermaid. Made
 * once for each process from the sources beside this one. Names hold a hash or a version, so that they can be cached
 * for ever.
 */
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { sha256 } from '../base/hash.ts'
import type { SiteConfig } from '../site/config.ts'
import { packageFolder } from './package-folder.ts'
import { FONT_FILES, fontFaces } from './theme/fonts.ts'

export interface BuiltInFile<Content extends string | Uint8Array = string | Uint8Array> {
  /** Path in the site. */
  path: string
  content: Content
}

export interface BuiltIns {
  style: BuiltInFile
  /** Style sheets of the themes by name, minified; a site has one of them. */
  themes: Readonly<Record<SiteConfig['theme'], string>>
  fonts: readonly BuiltInFile[]
  /** Text of the script that stands in every page and runs before first paint. */
  earlyScript: string
  mainScript: BuiltInFile
  searchScript: BuiltInFile
  feedbackScript: BuiltInFile
  /** What islands run on; stands before their own scripts. */
  islandsScript: BuiltInFile<string>
  /** Text of the script that loads the services of a site. */
  servicesScript: string
  /** The first one is the style sheet. */
  math: readonly BuiltInFile[]
  mermaid: BuiltInFile
}

export const BUILT_IN_FOLDER = '_octavo'

const THEMES = 'mint maple palm willow linden almond aspen sequoia luma'.split(' ') as SiteConfig['theme'][]

let built: Promise<BuiltIns> | null = null

export function loadBuiltIns(): Promise<BuiltIns> {
  built ??= buildAll().catch((error) => {
    built = null
    throw error
  })
  return built
}

async function buildAll(): Promise<BuiltIns> {
  const [
    style,
    themes,
    earlyScript,
    mainScript,
    searchScript,
    feedbackScript,
    islandsScript,
    servicesScript,
  ] = await Promise.all([
    buildStyle(),
    buildThemes(),
    bundleScript('early'),
    buildScript('main'),
    buildScript('search'),
    buildScript('feedback'),
    buildScript('islands'),
    bundleScript('services'),
  ])
  return {
    style,
    themes,
    earlyScript,
    mainScript,
    searchScript,
    feedbackScript,
    islandsScript,
    servicesScript,
    fonts: FONT_FILES.map(({ source, output }) => builtIn(output, readFileSync(packageFile(source)))),
    math: mathFiles(),
    mermaid: mermaidFile(),
  }
}

/** Every sheet of the theme in the order of their names, fonts first. */
async function buildStyle(): Promise<BuiltInFile> {
  const folder = fileURLToPath(new URL('./theme/styles/', import.meta.url))
  const sheets = globSync('*.css', { cwd: folder }).sort()
  const contents = [fontFaces(), ...sheets.map((sheet) => readFileSync(join(folder, sheet), 'utf8'))].join(
    '\n',
  )
  return hashed('site', 'css', await minifiedCss(contents, folder))
}

async function buildThemes(): Promise<BuiltIns['themes']> {
  const folder = fileURLToPath(new URL('./theme/styles/themes/', import.meta.url))
  const made = THEMES.map(async (name) => {
    return [name, await minifiedCss(readFileSync(join(folder, `${name}.css`), 'utf8'), folder)] as const
  })
  return Object.fromEntries(await Promise.all(made)) as BuiltIns['themes']
}

async function minifiedCss(contents: string, folder: string): Promise<string> {
  const result = await build({
    stdin: { contents, loader: 'css', resolveDir: folder },
    bundle: true,
    external: ['./fonts/*'],
    minify: true,
    write: false,
    legalComments: 'none',
    logLevel: 'silent',
  })
  return (result.outputFiles[0]?.text ?? '').trim()
}

/** A classic script: modules do not load from `file://`. */
async function buildScript(name: string): Promise<BuiltInFile<string>> {
  return hashed(name, 'js', await bundleScript(name))
}

async function bundleScript(name: string): Promise<string> {
  const result = await build({
    entryPoints: [fileURLToPath(new URL(`../../web/reader/${name}.ts`, import.meta.url))],
    bundle: true,
    format: 'iife',
    platform: 'browser',
    target: 'es2022',
    minify: true,
    write: false,
    legalComments: 'none',
    logLevel: 'silent',
    define: { 'process.env.NODE_ENV': '"production"' },
  })
  return (result.outputFiles[0]?.text ?? '').trim()
}

function mathFiles(): BuiltInFile[] {
  const folder = packageFolder('katex')
  const home = `katex-${versionOf(folder)}`
  const css = readFileSync(join(folder, 'dist/katex.min.css'), 'utf8')
  // Every browser in use reads woff2; the other two formats would only make the bundle larger.
  const lean = css.replace(/,url\([^)]*\.(?:woff|ttf)\) format\("[^"]*"\)/g, '')
  const fonts = readdirSync(join(folder, 'dist/fonts')).filter((name) => name.endsWith('.woff2'))
  return [
    builtIn(`${home}/katex.css`, lean),
    ...fonts
      .sort()
      .map((name) => builtIn(`${home}/fonts/${name}`, readFileSync(join(folder, 'dist/fonts', name)))),
  ]
}

function mermaidFile(): BuiltInFile {
  const folder = fileURLToPath(new URL('../../vendor/mermaid', import.meta.url))
  return builtIn(`mermaid-${versionOf(folder)}.js`, readFileSync(join(folder, 'mermaid.min.js')))
}

export function hashed<Content extends string | Uint8Array>(
  name: string,
  extension: string,
  content: Content,
): BuiltInFile<Content> {
  return builtIn(`${name}.${sha256(content).slice(0, 10)}.${extension}`, content)
}

function builtIn<Content extends string | Uint8Array>(name: string, content: Content): BuiltInFile<Content> {
  return { path: `${BUILT_IN_FOLDER}/${name}`, content }
}

/** `@scope/name/files/x.woff2` to its path on disk. */
function packageFile(specifier: string): string {
  const parts = specifier.split('/')
  const name = parts.splice(0, specifier.startsWith('@') ? 2 : 1).join('/')
  const file = join(packageFolder(name), ...parts)
  if (!existsSync(file)) throw new Error(`${specifier} is not installed`)
  return file
}

function versionOf(folder: string): string {
  return (JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string }).version
}
