/**
 * The dashboard's files: built by Vite from `web/dashboard`, compressed once, and kept in a folder named by the hash of
 * all that goes into them. Same sources, same files.
 */
import { createHash, randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { glob, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join, relative } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { InlineConfig, Plugin } from 'vite'
import { compactFile } from '../render/compact-file.ts'
import { findDrawing } from '../render/icon-drawings.ts'

const PACKAGE = dirname(dirname(import.meta.dirname))
const SOURCES = join(PACKAGE, 'web', 'dashboard')
/** A package that is shipped has the files here. */
const SHIPPED = join(SOURCES, 'dist')

/** Where the files are served; `index.html` is the shell of every page. */
const BASE = '/_dashboard/'

/** What else the build reads, besides the sources of the dashboard. */
const SHARED = ['src/contract/*.ts', 'src/client/*.ts', 'src/base/*.ts']
const TOOLS = ['vite', 'tailwindcss', 'preact', 'uplot', '@fontsource-variable/inter']
  .concat('@tanstack/react-router', '@tanstack/react-query', '@tanstack/react-virtual')
  .concat('@fontsource-variable/jetbrains-mono')

/** How long builds of other sources are kept. */
const OLD_MS = 86_400_000

const COMPRESSED = /\.(html|js|css|svg)$/

/**
 * The folder with the built files: the shipped one, else one below `cacheFolder`, which is built when there is none for
 * these sources. Each file that is worth it lies there with `.br` and `.gz` beside it. Two at once come to the same.
 */
export async function ensureDashboard({
  cacheFolder,
  build,
}: {
  cacheFolder: string
  /** Calls `buildDashboard` for that folder, wherever there is memory for it. */
  build(outDir: string): Promise<void>
}): Promise<string> {
  if (!existsSync(join(SOURCES, 'src'))) return SHIPPED
  const folder = join(cacheFolder, await hashOfSources())
  if (existsSync(folder)) return folder
  await mkdir(cacheFolder, { recursive: true })
  const partial = join(cacheFolder, `partial-${randomBytes(6).toString('hex')}`)
  try {
    await build(partial)
    await rename(partial, folder).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error // Another process was quicker.
    })
  } finally {
    await rm(partial, { recursive: true, force: true })
  }
  await removeOthers(cacheFolder, basename(folder))
  return folder
}

/** Builds into that folder, which is emptied before. */
export async function buildDashboard({ outDir }: { outDir: string }): Promise<void> {
  const { build } = await import('vite')
  await build(await viteConfig({ build: { outDir, emptyOutDir: true } }))
  await compressFiles(outDir)
}

/** The configuration of Vite; `more` is laid over it. */
export async function viteConfig(more: InlineConfig = {}): Promise<InlineConfig> {
  const { default: tailwind } = await import('@tailwindcss/vite')
  return {
    configFile: false,
    envDir: false,
    root: SOURCES,
    base: BASE,
    logLevel: 'warn',
    plugins: [tailwind(), icons(), earlyScript()],
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    resolve: {
      alias: [
        { find: /^react(-dom)?$/, replacement: 'preact/compat' },
        { find: /^react\/jsx-runtime$/, replacement: 'preact/jsx-runtime' },
      ],
      dedupe: ['preact'],
    },
    ...more,
    build: {
      assetsDir: '',
      assetsInlineLimit: 0, // Data addresses of fonts are against the content security policy.
      modulePreload: { polyfill: false },
      target: 'es2022',
      cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
      reportCompressedSize: false,
      // Libraries mark their modules for a kind of server that is not here.
      rolldownOptions: { checks: { moduleLevelDirective: false, pluginTimings: false } },
      ...more.build,
    },
  }
}

/** Old builds; younger ones may be served by a process that has not read them yet. */
async function removeOthers(cacheFolder: string, kept: string): Promise<void> {
  for (const name of await readdir(cacheFolder)) {
    if (name === kept || !/^[0-9a-f]{24}$/.test(name)) continue
    const folder = join(cacheFolder, name)
    const made = await stat(folder).catch(() => null)
    if (made !== null && Date.now() - made.mtimeMs > OLD_MS)
      await rm(folder, { recursive: true, force: true })
  }
}

async function hashOfSources(): Promise<string> {
  const hash = createHash('sha256')
  const files = [relative(PACKAGE, import.meta.filename)]
  for await (const file of glob(['web/dashboard/**/*.*', ...SHARED], { cwd: PACKAGE })) files.push(file)
  const read = files.filter((file) => !/\.test\.tsx?$|web.dashboard.dist/.test(file)).sort()
  for (const file of read) hash.update(`${file}\0`).update(await readFile(join(PACKAGE, file)))
  hash.update(await readFile(compactFile('versions.json')))
  for (const tool of TOOLS) hash.update(`${tool}\0${await versionOf(tool)}\0`)
  return hash.digest('hex').slice(0, 24)
}

async function versionOf(name: string): Promise<string> {
  const manifest = await readFile(join(await packageFolder(name), 'package.json'), 'utf8')
  return (JSON.parse(manifest) as { version: string }).version
}

/** Also of a package that lets nobody in by `exports`, and when the dependencies lie further up. */
async function packageFolder(name: string): Promise<string> {
  for (let folder = PACKAGE; ; folder = dirname(folder)) {
    const candidate = join(folder, 'node_modules', name)
    if (existsSync(candidate)) return candidate
    if (folder === dirname(folder)) throw new Error(`The package ${name} is not installed.`)
  }
}

async function compressFiles(folder: string): Promise<void> {
  const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }
  for (const name of await readdir(folder)) {
    if (!COMPRESSED.test(name)) continue
    const bytes = await readFile(join(folder, name))
    await writeFile(join(folder, `${name}.br`), await promisify(brotliCompress)(bytes, brotli))
    await writeFile(join(folder, `${name}.gz`), await promisify(gzip)(bytes, { level: 9 }))
  }
}

/**
 * `virtual:icons`: the drawings of the icons that `src/ui/icon-names.ts` lists, as `[tag, attributes]` of each stroke,
 * so that no markup is parsed in the browser.
 */
function icons(): Plugin {
  const id = '\0virtual:icons'
  const list = join(SOURCES, 'src', 'ui', 'icon-names.ts')
  return {
    name: 'octavo-icons',
    resolveId: (source) => (source === 'virtual:icons' ? id : null),
    async load(asked) {
      if (asked !== id) return null
      this.addWatchFile(list)
      const names = [...(await readFile(list, 'utf8')).matchAll(/^ {2}'([a-z0-9-]+)',$/gm)].map(
        ([, name]) => name ?? '',
      )
      const drawn = names.map((name) => {
        const drawing = findDrawing('lucide', name)
        if (drawing === null) throw new Error(`icon-names.ts lists ${name}, which the set does not have`)
        return [name, strokesOf(drawing.content)]
      })
      return `export const ICONS = ${JSON.stringify(Object.fromEntries(drawn))}`
    },
  }
}

function strokesOf(drawing: string): [string, Record<string, string>][] {
  return [...drawing.matchAll(/<([a-z]+)\s([^>]*?)\/?>/g)].map(([, tag = '', attributes = '']) => [
    tag,
    Object.fromEntries(
      [...attributes.matchAll(/([a-z0-9-]+)="([^"]*)"/g)].map(([, name, value]) => [name, value]),
    ),
  ])
}

/**
 * The script that sets the scheme before anything is painted: small, blocking, and a file of its own, since the content
 * security policy lets no script stand in the page. Beside it the fonts of the first view, asked for at once.
 */
function earlyScript(): Plugin {
  let fileName = ''
  return {
    name: 'octavo-early',
    apply: 'build',
    async buildStart() {
      const { transformWithOxc } = await import('vite')
      const source = join(SOURCES, 'src', 'early.ts')
      const { code } = await transformWithOxc(await readFile(source, 'utf8'), source)
      const body = `(()=>{${code.trim()}})()\n`
      fileName = `early-${createHash('sha256').update(body).digest('hex').slice(0, 8)}.js`
      this.emitFile({ type: 'asset', fileName, source: body })
    },
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle }) {
        const fonts = Object.keys(bundle ?? {}).filter((name) => /^inter-latin-wght-normal/.test(name))
        return [
          { tag: 'script', attrs: { src: BASE + fileName }, injectTo: 'head-prepend' },
          ...fonts.map((name) => ({
            tag: 'link',
            attrs: { rel: 'preload', href: BASE + name, as: 'font', type: 'font/woff2', crossorigin: true },
            injectTo: 'head-prepend' as const,
          })),
        ]
      },
    },
  }
}
