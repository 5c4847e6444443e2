/**
 * Files included in every site below `_octavo/`: style sheet, fonts, reader scripts, KaTeX and Mermaid.
 * Created once per process. Names contain a hash or version, so that caches never expire.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageFolder } from '../../base/files/program-files.ts'
import { sha256 } from '../../base/hash.ts'
import type { SiteConfig } from '../../site/settings/config.ts'
import { FONT_FILES } from './fonts.ts'
import { type BundledPackage, type BundleName, readBundleText, THEMES } from './own-bundles.ts'

export interface BuiltInFile<Content extends string | Uint8Array = string | Uint8Array> {
  path: string
  content: Content
  source?: BundledPackage
}

/** Bundles that are included in sites, with a hash of the content in their name. */
export const HASHED_BUNDLES = {
  style: 'site.css',
  mainScript: 'main.js',
  searchScript: 'search.js',
  feedbackScript: 'feedback.js',
  /** Reports page views and reading time. */
  analyticsScript: 'analytics.js',
  /** Runtime that must be loaded before the scripts of islands. */
  islandsScript: 'islands.js',
  /** Loaded when the playground is opened. */
  playgroundScript: 'playground.js',
  playgroundStyle: 'playground.css',
  /** Loaded when the assistant is opened. */
  assistantScript: 'assistant.js',
  assistantStyle: 'assistant.css',
} as const satisfies Record<string, BundleName>

type HashedBundles = Readonly<Record<keyof typeof HASHED_BUNDLES, BuiltInFile<string>>>

export interface BuiltIns extends HashedBundles {
  /** Minified style sheets by theme. */
  themes: Readonly<Record<SiteConfig['theme'], string>>
  fonts: readonly BuiltInFile[]
  /** Source of the inline script that runs before the first paint. */
  earlyScript: string
  /** Source of the script that adds the complete list to a large navigation. */
  navigationScript: string
  /** Source of the script that loads third-party services. */
  servicesScript: string
  /** The style sheet is the first file. */
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
  const bundles = Object.entries(HASHED_BUNDLES).map(
    async ([name, bundle]) => [name, await hashedBundle(bundle)] as const,
  )
  const themes = THEMES.map(async (name) => [name, await readBundleText(`theme-${name}.css`)] as const)
  return {
    ...(Object.fromEntries(await Promise.all(bundles)) as HashedBundles),
    themes: Object.fromEntries(await Promise.all(themes)) as BuiltIns['themes'],
    earlyScript: await readBundleText('early.js'),
    navigationScript: await readBundleText('navigation.js'),
    servicesScript: await readBundleText('services.js'),
    fonts: FONT_FILES.map(({ source, output }) => fontFile(source, output)),
    math: mathFiles(),
    mermaid: mermaidFile(),
  }
}

async function hashedBundle(bundle: BundleName): Promise<BuiltInFile<string>> {
  const [name = '', extension = ''] = bundle.split('.')
  return hashed(name, extension, await readBundleText(bundle))
}

function mathFiles(): BuiltInFile[] {
  const folder = packageFolder('katex')
  const source = readPackage(folder)
  const home = `katex-${source.version}`
  const css = readFileSync(join(folder, 'dist/katex.min.css'), 'utf8')
  // Other formats would only enlarge the bundle, because all current browsers support woff2.
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
