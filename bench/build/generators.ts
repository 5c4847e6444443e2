/**
 * The generators that are compared. Octavo and Hugo are used as installed; npm installs the others into a folder given
 * by the caller on first use. Each gets a site with as little around the text as the generator allows.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import type { Command } from './measure.ts'
import { type Page, pathOf, sectionsOf, textOf, write } from './sites.ts'

export interface Generator {
  name: string
  build: Command
  /** Output folder. */
  out: string
  /** Caches for the next build, in addition to `out`. */
  caches: readonly string[]
  /** Source file of one page. */
  page: string
}

const root = join(import.meta.dirname, '..', '..')

export function octavoOf(site: string, out: string, page: string): Generator {
  const args = [join(root, 'bin', 'octavo.mjs'), 'build', site, '--out', out]
  const cache = `${out}-cache`
  return {
    name: 'octavo',
    build: { name: process.execPath, args, cwd: root, env: { XDG_CACHE_HOME: cache } },
    out,
    caches: [cache],
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

/**
 * Links on each page: to the pages of its section and to the other sections, as Octavo does for sites of more than a
 * few hundred pages, or to all pages.
 */
export type Navigation = 'section' | 'all'

/** Returns null if Hugo is not installed. Each list is rendered once for all its pages, which is fastest in Hugo. */
export function layHugo(folder: string, pages: readonly Page[], navigation: Navigation): Generator | null {
  const found = spawnSync('hugo', ['version'], { encoding: 'utf8' })
  const version = /v([\d.]+)/.exec(found.stdout ?? '')?.[1]
  if (version === undefined) return null
  const site = join(folder, `hugo-${navigation}`)
  for (const [path, text] of Object.entries(HUGO_FILES)) write(site, path, text)
  write(site, 'layouts/partials/list.html', HUGO_LISTS[navigation])
  for (const [number, _] of sectionsOf(pages).entries()) {
    const about = `---\ntitle: "Section ${number}"\nweight: ${number + 1}\n---\n`
    write(site, `content/section-${number}/_index.md`, about)
  }
  const page = layPages(join(site, 'content'), pages, 'md', (path) => `/${path}/`)
  const out = `${site}-out`
  const build = { name: 'hugo', args: ['--quiet', '--destination', out], cwd: site }
  return { name: `hugo ${version}, ${navigation}`, build, out, caches: [join(site, 'resources')], page }
}

const HUGO_PAGES =
  '<ul>{{ range .RegularPages.ByWeight }}<li><a href="{{ .RelPermalink }}">{{ .Title }}</a></li>{{ end }}</ul>'
const HUGO_LISTS = {
  all: `<ul>{{ range .Site.Home.Sections.ByWeight }}<li><b>{{ .Title }}</b>${HUGO_PAGES}</li>{{ end }}</ul>`,
  section: `{{ $own := .CurrentSection }}<ul>{{ range .Site.Home.Sections.ByWeight }}<li>{{ if eq . $own }}<b>{{ .Title }}</b>${HUGO_PAGES}{{ else }}<a href="{{ .RelPermalink }}">{{ .Title }}</a>{{ end }}</li>{{ end }}</ul>`,
} satisfies Record<Navigation, string>

const HUGO_FILES = {
  'config.toml':
    'baseURL = "https://example.org/"\ntitle = "Bench"\ndisableKinds = ["taxonomy", "term", "RSS"]\n[markup.highlight]\nnoClasses = false\n',
  'layouts/_default/baseof.html':
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{{ .Title }}</title><meta name="description" content="{{ .Description }}"></head><body><nav>{{ partialCached "list.html" . .CurrentSection.RelPermalink }}</nav><main>{{ block "main" . }}{{ end }}</main><aside>{{ .TableOfContents }}</aside></body></html>',
  'layouts/_default/single.html':
    '{{ define "main" }}<h1>{{ .Title }}</h1><p>{{ .Description }}</p>{{ .Content }}{{ end }}',
  'layouts/_default/list.html': '{{ define "main" }}<h1>{{ .Title }}</h1>{{ end }}',
}

/** A generator from npm. Paths are relative to its folder. */
interface Package {
  /** Package whose version is reported. */
  main: string
  packages: Readonly<Record<string, string>>
  overrides?: Readonly<Record<string, string>>
  /** Files in addition to the pages. */
  files(pages: readonly Page[]): Readonly<Record<string, string>>
  pages: string
  hrefOf(path: string): string
  command: readonly [string, ...string[]]
  out: string
  caches: readonly string[]
}

const PACKAGES: Readonly<Record<string, Package>> = {
  eleventy: {
    main: '@11ty/eleventy',
    packages: { '@11ty/eleventy': '3.1.8', '@11ty/eleventy-plugin-syntaxhighlight': '5.0.2' },
    overrides: { '@11ty/recursive-copy': '4.0.4' },
    files: (pages) => ({
      'sections.json': JSON.stringify(
        sectionsOf(pages).map((section) =>
          section.map((page) => ({ url: `/${pathOf(page)}/`, title: page.title })),
        ),
      ),
      '_includes/doc.11ty.mjs': ELEVENTY_LAYOUT,
      'eleventy.config.mjs': ELEVENTY_CONFIG,
    }),
    pages: 'src',
    hrefOf: (path) => `/${path}/`,
    command: ['eleventy', '--quiet'],
    out: '_site',
    caches: [],
  },
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

const ELEVENTY_LAYOUT = [
  "const e = (text) => String(text ?? '').replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/\"/g, '&quot;')",
  'export default class { render(d) { return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${e(d.title)}</title><meta name="description" content="${e(d.description)}"></head><body><nav>${this.list(d.page.url)}</nav><main><h1>${e(d.title)}</h1><p>${e(d.description)}</p>${d.content}</main></body></html>` } }',
].join('\n')
/** Lists the pages of the current section and the names of the other sections. Each list is built once. */
const ELEVENTY_CONFIG = [
  "import { readFileSync } from 'node:fs'",
  "import highlight from '@11ty/eleventy-plugin-syntaxhighlight'",
  "const sections = JSON.parse(readFileSync(new URL('./sections.json', import.meta.url), 'utf8'))",
  'const link = ({ url, title }) => `<li><a href="${url}">${title}</a></li>`',
  "const open = sections.map((pages, number) => `<li><b>Section ${number}</b><ul>${pages.map(link).join('')}</ul></li>`)",
  'const closed = sections.map(([first], number) => link({ url: first.url, title: `Section ${number}` }))',
  "const lists = sections.map((_, own) => `<ul>${sections.map((_, number) => (number === own ? open : closed)[number]).join('')}</ul>`)",
  'export default function (config) {',
  '  config.addPlugin(highlight)',
  "  config.addGlobalData('layout', 'doc.11ty.mjs')",
  "  config.addJavaScriptFunction('list', (url) => lists[Number(/section-(\\d+)/.exec(url)?.[1])])",
  "  return { dir: { input: 'src', output: '_site', includes: '../_includes' }, markdownTemplateEngine: false, htmlTemplateEngine: false }",
  '}',
].join('\n')

export const PACKAGE_NAMES = Object.keys(PACKAGES)

/** Uses a subfolder of `folder`, from which pages of an earlier run are removed. */
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
  // The packages' executables run with the first `node` in PATH.
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

/** Writes the pages and returns the file of the middle one. */
function layPages(
  folder: string,
  pages: readonly Page[],
  ending: string,
  hrefOf: (path: string) => string,
): string {
  for (const page of pages) write(folder, `${pathOf(page)}.${ending}`, textOf(page, hrefOf))
  return join(folder, `${pathOf(pages[Math.floor(pages.length / 2)] as Page)}.${ending}`)
}
