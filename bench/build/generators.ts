/**
 * The generators that are measured. Octavo and Hugo are taken as they are installed; the others from a folder that the
 * caller names, into which npm puts them the first time. Each gets a site with as little around the text as it allows.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import type { Command } from './measure.ts'
import { type Page, pathOf, sectionsOf, textOf, write } from './sites.ts'

export interface Generator {
  name: string
  build: Command
  /** Where the pages go. */
  out: string
  /** What it keeps for its next build, beside `out`. */
  caches: readonly string[]
  /** The file of one page. */
  page: string
}

const root = join(import.meta.dirname, '..', '..')

export function octavoOf(site: string, out: string, page: string): Generator {
  const args = [join(root, 'bin', 'octavo.mjs'), 'build', site, '--out', out]
  return {
    name: 'octavo',
    build: { name: process.execPath, args, cwd: root },
    out,
    caches: [join(site, '.octavo')],
    page,
  }
}

export function layOctavo(folder: string, pages: readonly Page[]): Generator {
  const site = join(folder, 'octavo')
  const groups = sectionsOf(pages).map((section, number) => ({
    group: `Section ${number}`,
    pages: section.map(pathOf),
  }))
  const config = { theme: 'mint', name: 'Bench', colors: { primary: '#0F766E' }, navigation: { groups } }
  write(site, 'docs.json', JSON.stringify(config, null, 2))
  const page = layPages(site, pages, 'mdx', (path) => `/${path}`)
  return octavoOf(site, join(folder, 'octavo-out'), page)
}

/** Null where it is not installed. With the list of all pages on each page, made once: the fastest that Hugo has for it. */
export function layHugo(folder: string, pages: readonly Page[]): Generator | null {
  const found = spawnSync('hugo', ['version'], { encoding: 'utf8' })
  const version = /v([\d.]+)/.exec(found.stdout ?? '')?.[1]
  if (version === undefined) return null
  const site = join(folder, 'hugo')
  for (const [path, text] of Object.entries(HUGO_FILES)) write(site, path, text)
  for (const [number, _] of sectionsOf(pages).entries()) {
    const about = `---\ntitle: "Section ${number}"\nweight: ${number + 1}\n---\n`
    write(site, `content/section-${number}/_index.md`, about)
  }
  const page = layPages(join(site, 'content'), pages, 'md', (path) => `/${path}/`)
  const out = join(folder, 'hugo-out')
  const build = { name: 'hugo', args: ['--quiet', '--destination', out], cwd: site }
  return { name: `hugo ${version}`, build, out, caches: [join(site, 'resources')], page }
}

const HUGO_FILES = {
  'config.toml':
    'baseURL = "https://example.org/"\ntitle = "Bench"\ndisableKinds = ["taxonomy", "term", "RSS"]\n[markup.highlight]\nnoClasses = false\n',
  'layouts/partials/list.html':
    '<ul>{{ range .Site.Home.Sections.ByWeight }}<li><b>{{ .Title }}</b><ul>{{ range .RegularPages.ByWeight }}<li><a href="{{ .RelPermalink }}">{{ .Title }}</a></li>{{ end }}</ul></li>{{ end }}</ul>',
  'layouts/_default/baseof.html':
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{{ .Title }}</title><meta name="description" content="{{ .Description }}"></head><body><nav>{{ partialCached "list.html" . }}</nav><main>{{ block "main" . }}{{ end }}</main><aside>{{ .TableOfContents }}</aside></body></html>',
  'layouts/_default/single.html':
    '{{ define "main" }}<h1>{{ .Title }}</h1><p>{{ .Description }}</p>{{ .Content }}{{ end }}',
  'layouts/_default/list.html': '{{ define "main" }}<h1>{{ .Title }}</h1>{{ end }}',
}

/** A generator from the registry of npm. Paths are those below its folder. */
interface Package {
  /** The one whose version is told. */
  main: string
  packages: Readonly<Record<string, string>>
  overrides?: Readonly<Record<string, string>>
  /** Beside the pages. */
  files(pages: readonly Page[]): Readonly<Record<string, string>>
  pages: string
  hrefOf(path: string): string
  command: readonly [string, ...string[]]
  out: string
  caches: readonly string[]
}

const PACKAGES: Readonly<Record<string, Package>> = {
  starlight: {
    main: '@astrojs/starlight',
    packages: { astro: '7.3.5', '@astrojs/starlight': '0.42.4', sharp: 'latest' },
    files: (pages) => ({
      'astro.config.mjs': `import { defineConfig } from 'astro/config'\nimport starlight from '@astrojs/starlight'\nexport default defineConfig({ site: 'https://example.org', integrations: [starlight({ title: 'Bench', pagefind: true, sidebar: ${JSON.stringify(sectionsOf(pages).map((_, number) => ({ label: `Section ${number}`, collapsed: true, items: [{ autogenerate: { directory: `section-${number}` } }] })))} })] })\n`,
      'src/content.config.ts':
        "import { defineCollection } from 'astro:content'\nimport { docsLoader } from '@astrojs/starlight/loaders'\nimport { docsSchema } from '@astrojs/starlight/schema'\nexport const collections = { docs: defineCollection({ loader: docsLoader(), schema: docsSchema() }) }\n",
    }),
    pages: 'src/content/docs',
    hrefOf: (path) => `/${path}/`,
    command: ['astro', 'build'],
    out: 'dist',
    caches: ['.astro', 'node_modules/.astro'],
  },
  docusaurus: {
    main: '@docusaurus/core',
    packages: {
      '@docusaurus/core': '3.10.2',
      '@docusaurus/preset-classic': '3.10.2',
      '@docusaurus/faster': '3.10.2',
      react: '^19',
      'react-dom': '^19',
      '@mdx-js/react': '^3',
      'prism-react-renderer': '^2.3.0',
    },
    overrides: { '@docsearch/core': '4.6.3', '@docsearch/react': '4.6.3' },
    files: (pages) => ({
      'docusaurus.config.js':
        "module.exports = { title: 'Bench', url: 'https://example.org', baseUrl: '/', onBrokenLinks: 'ignore', markdown: { format: 'detect' }, future: { v4: true, faster: true }, presets: [['classic', { docs: { routeBasePath: '/', sidebarPath: './sidebars.js' }, blog: false }]], themeConfig: { prism: { additionalLanguages: ['bash', 'json'] } } }\n",
      'sidebars.js': `module.exports = { docs: ${JSON.stringify(sectionsOf(pages).map((section, number) => ({ type: 'category', label: `Section ${number}`, items: section.map(pathOf) })))} }\n`,
    }),
    pages: 'docs',
    hrefOf: (path) => `/${path}`,
    command: ['docusaurus', 'build'],
    out: 'build',
    caches: ['.docusaurus', 'node_modules/.cache'],
  },
  vitepress: {
    main: 'vitepress',
    packages: { vitepress: '1.6.4' },
    files: (pages) => ({
      'docs/.vitepress/config.mjs': `export default { title: 'Bench', ignoreDeadLinks: true, themeConfig: { search: { provider: 'local' }, sidebar: ${JSON.stringify(sectionsOf(pages).map((section, number) => ({ text: `Section ${number}`, collapsed: true, items: section.map((page) => ({ text: page.title, link: `/${pathOf(page)}` })) })))} } }\n`,
    }),
    pages: 'docs',
    hrefOf: (path) => `/${path}`,
    command: ['vitepress', 'build', 'docs'],
    out: 'docs/.vitepress/dist',
    caches: ['docs/.vitepress/cache'],
  },
}

export const PACKAGE_NAMES = Object.keys(PACKAGES)

/** Its folder below `folder` is its own: pages of an earlier run are removed. */
export function layPackage(name: string, folder: string, pages: readonly Page[]): Generator {
  const about = PACKAGES[name] as Package
  const place = join(folder, name)
  const bin = join(place, 'node_modules', '.bin', about.command[0])
  if (!existsSync(bin)) install(place, about)
  rmSync(join(place, about.pages), { recursive: true, force: true })
  for (const [path, text] of Object.entries(about.files(pages))) write(place, path, text)
  const page = layPages(join(place, about.pages), pages, 'md', about.hrefOf)
  const { version } = JSON.parse(
    readFileSync(join(place, 'node_modules', about.main, 'package.json'), 'utf8'),
  ) as { version: string }
  // The packages' own programs ask for the first `node` there is.
  const path = `${dirname(process.execPath)}${delimiter}${process.env.PATH}`
  const env = { PATH: path, CI: '1', NO_COLOR: '1', DO_NOT_TRACK: '1', ASTRO_TELEMETRY_DISABLED: '1' }
  return {
    name: `${name} ${version}`,
    build: { name: bin, args: about.command.slice(1), cwd: place, env },
    out: join(place, about.out),
    caches: about.caches.map((path) => join(place, path)),
    page,
  }
}

function install(place: string, { packages, overrides = {} }: Package): void {
  const manifest = { private: true, dependencies: packages, overrides }
  write(place, 'package.json', JSON.stringify(manifest, null, 2))
  const args = ['install', '--no-audit', '--no-fund', '--legacy-peer-deps']
  execFileSync('npm', args, { cwd: place, stdio: 'inherit' })
}

/** Answers the file of a page in the middle. */
function layPages(
  folder: string,
  pages: readonly Page[],
  ending: string,
  hrefOf: (path: string) => string,
): string {
  for (const page of pages) write(folder, `${pathOf(page)}.${ending}`, textOf(page, hrefOf))
  return join(folder, `${pathOf(pages[Math.floor(pages.length / 2)] as Page)}.${ending}`)
}
