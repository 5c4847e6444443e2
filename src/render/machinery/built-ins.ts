/**
 * Files included in every site, below `_octavo/`: style sheet, fonts, reader scripts, KaTeX and Mermaid. Created once
 * per process. Names contain a hash or a version, so that they can be cached forever.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageFolder } from '../../base/files/program-files.ts'
import { sha256 } from '../../base/hash.ts'
import type { SiteConfig } from '../../site/settings/config.ts'
import { FONT_FILES } from './fonts.ts'
import { type BundledPackage, type BundleName, ownBundle, THEMES } from './own-bundles.ts'

export interface BuiltInFile<Content extends string | Uint8Array = string | Uint8Array> {
  /** Path in the site. */
  path: string
  content: Content
  /** Package that contains the file. */
  source?: BundledPackage
}

export interface BuiltIns {
  style: BuiltInFile
  /** Minified style sheets of the themes, by name; a site uses one of them. */
  themes: Readonly<Record<SiteConfig['theme'], string>>
  fonts: readonly BuiltInFile[]
  /** Source of the inline script that runs before first paint. */
  earlyScript: string
  mainScript: BuiltInFile
  /** Source of the script that accompanies the complete list of a large navigation. */
  navigationScript: string
  searchScript: BuiltInFile
  feedbackScript: BuiltInFile
  /** Reports page views and reading. */
  analyticsScript: BuiltInFile
  /** Island runtime; loaded before the scripts of islands. */
  islandsScript: BuiltInFile<string>
  /** Form of an operation, loaded when it is opened. */
  playgroundScript: BuiltInFile
  playgroundStyle: BuiltInFile
  /** Assistant, loaded when it is opened. */
  assistantScript: BuiltInFile
  assistantStyle: BuiltInFile
  /** Source of the script that loads third-party services. */
  servicesScript: string
  /** The first one is the style sheet. */
  math: readonly BuiltInFile[]
  mermaid: BuiltInFile
}

export const BUILT_IN_FOLDER = '_octavo'

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
    mainScript,
    searchScript,
    feedbackScript,
    analyticsScript,
    islandsScript,
    playgroundScript,
    playgroundStyle,
    assistantScript,
    assistantStyle,
  ] = await Promise.all([
    hashedBundle('site.css'),
    hashedBundle('main.js'),
    hashedBundle('search.js'),
    hashedBundle('feedback.js'),
    hashedBundle('analytics.js'),
    hashedBundle('islands.js'),
    hashedBundle('playground.js'),
    hashedBundle('playground.css'),
    hashedBundle('assistant.js'),
    hashedBundle('assistant.css'),
  ])
  const themes = THEMES.map(async (name) => [name, await ownBundle(`theme-${name}.css`)] as const)
  return {
    style,
    themes: Object.fromEntries(await Promise.all(themes)) as BuiltIns['themes'],
    earlyScript: await ownBundle('early.js'),
    mainScript,
    navigationScript: await ownBundle('navigation.js'),
    searchScript,
    feedbackScript,
    analyticsScript,
    islandsScript,
    playgroundScript,
    playgroundStyle,
    assistantScript,
    assistantStyle,
    servicesScript: await ownBundle('services.js'),
    fonts: FONT_FILES.map(({ source, output }) => fontFile(source, output)),
    math: mathFiles(),
    mermaid: mermaidFile(),
  }
}

async function hashedBundle(bundle: BundleName): Promise<BuiltInFile<string>> {
  const [name = '', extension = ''] = bundle.split('.')
  return hashed(name, extension, await ownBundle(bundle))
}

function mathFiles(): BuiltInFile[] {
  const folder = packageFolder('katex')
  const source = readPackage(folder)
  const home = `katex-${source.version}`
  const css = readFileSync(join(folder, 'dist/katex.min.css'), 'utf8')
  // All current browsers support woff2; the other two formats would only enlarge the bundle.
  const lean = css.replace(/,url\([^)]*\.(?:woff|ttf)\) format\("[^"]*"\)/g, '')
  const fonts = readdirSync(join(folder, 'dist/fonts')).filter((name) => name.endsWith('.woff2'))
  return [
    { ...builtIn(`${home}/katex.css`, lean), source },
    ...fonts.sort().map((name) => ({
      ...builtIn(`${home}/fonts/${name}`, readFileSync(join(folder, 'dist/fonts', name))),
      source,
    })),
  ]
}

function mermaidFile(): BuiltInFile {
  const folder = packageFolder('mermaid')
  const source = readPackage(folder)
  return {
    ...builtIn(`mermaid-${source.version}.js`, readFileSync(join(folder, 'dist/mermaid.min.js'))),
    source,
  }
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

/** `specifier` has the form `@scope/name/files/x.woff2`. */
function fontFile(specifier: string, output: string): BuiltInFile {
  const parts = specifier.split('/')
  const folder = packageFolder(parts.splice(0, specifier.startsWith('@') ? 2 : 1).join('/'))
  const file = join(folder, ...parts)
  if (!existsSync(file)) throw new Error(`${specifier} is not installed`)
  return { ...builtIn(output, readFileSync(file)), source: readPackage(folder) }
}

function readPackage(folder: string): BundledPackage {
  const packageJson = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Record<string, string>
  const { name = '', version = '', license = null } = packageJson
  return { name, version, licence: license }
}
