/**
 * The files that come with every site, below `_octavo/`: style sheet, fonts, reader scripts, KaTeX and Mermaid. Made
 * once for each process. Names hold a hash or a version, so that they can be cached
 * for ever.
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
  /** The package that it is a file of. */
  source?: BundledPackage
}

export interface BuiltIns {
  style: BuiltInFile
  /** Style sheets of the themes by name, minified; a site has one of them. */
  themes: Readonly<Record<SiteConfig['theme'], string>>
  fonts: readonly BuiltInFile[]
  /** Text of the script that stands in every page and runs before first paint. */
  earlyScript: string
  mainScript: BuiltInFile
  /** Text of the script that goes with the whole list of a large navigation. */
  navigationScript: string
  searchScript: BuiltInFile
  feedbackScript: BuiltInFile
  /** Tells how pages are read. */
  analyticsScript: BuiltInFile
  /** What islands run on; stands before their own scripts. */
  islandsScript: BuiltInFile<string>
  /** The form of an operation, loaded when it is opened. */
  playgroundScript: BuiltInFile
  playgroundStyle: BuiltInFile
  /** The assistant, loaded when it is opened. */
  assistantScript: BuiltInFile
  assistantStyle: BuiltInFile
  /** Text of the script that loads the services of a site. */
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
  const source = packageIn(folder)
  const home = `katex-${source.version}`
  const css = readFileSync(join(folder, 'dist/katex.min.css'), 'utf8')
  // Every browser in use reads woff2; the other two formats would only make the bundle larger.
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
  const source = packageIn(folder)
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

/** `specifier` is `@scope/name/files/x.woff2`. */
function fontFile(specifier: string, output: string): BuiltInFile {
  const parts = specifier.split('/')
  const folder = packageFolder(parts.splice(0, specifier.startsWith('@') ? 2 : 1).join('/'))
  const file = join(folder, ...parts)
  if (!existsSync(file)) throw new Error(`${specifier} is not installed`)
  return { ...builtIn(output, readFileSync(file)), source: packageIn(folder) }
}

function packageIn(folder: string): BundledPackage {
  const about = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Record<string, string>
  const { name = '', version = '', license = null } = about
  return { name, version, licence: license }
}
