/** Builds the dashboard from `web/dashboard` with Vite and precompresses it. */
import { createHash } from 'node:crypto'
import { glob, readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import tailwindcss from '@tailwindcss/vite'
import { build as bundle } from 'esbuild'
import { build, type Plugin } from 'vite'
import { programFile } from '../../src/base/files/program-files.ts'
import { drawnIcons } from './dashboard-icons.ts'

const SOURCES = programFile('web/dashboard')
const LOCALES = programFile('locales')
const BASE = '/_dashboard/'
const TARGET = ['es2022', 'chrome123', 'firefox120', 'safari17.5']
/** Minimum number of pages that import a module for the module to move into the shared chunk. */
const MANY_PAGES = 4
const FILE_NAMES = {
  hashCharacters: 'hex',
  entryFileNames: '[name]-[hash].js',
  chunkFileNames: '[name]-[hash].js',
  assetFileNames: '[name]-[hash][extname]',
} as const
const COMPRESSED = /\.(html|js|css|svg|json)$/

export async function buildDashboard(folder: string): Promise<void> {
  await build({
    configFile: false,
    root: SOURCES,
    base: BASE,
    publicDir: false,
    logLevel: 'warn',
    plugins: [tailwindcss({ optimize: false }), drawnIcons(join(SOURCES, 'src')), beforeApp()],
    resolve: {
      alias: {
        react: 'preact/compat',
        'react-dom': 'preact/compat',
        'react/jsx-runtime': 'preact/jsx-runtime',
      },
    },
    worker: { format: 'es', rolldownOptions: { output: { ...FILE_NAMES } } },
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    build: {
      outDir: folder,
      emptyOutDir: true,
      target: TARGET,
      cssMinify: 'esbuild',
      assetsInlineLimit: 0,
      cssCodeSplit: false,
      modulePreload: { polyfill: false },
      rolldownOptions: {
        checks: { pluginTimings: false },
        output: {
          ...FILE_NAMES,
          entryFileNames: 'main-[hash].js',
          codeSplitting: {
            groups: [
              { debugName: 'app', name: firstOrNone, priority: 2 },
              // One shared chunk instead of about thirty small ones.
              { name: 'shared', minShareCount: MANY_PAGES, priority: 1 },
            ],
          },
        },
        onLog(level, log, handler) {
          if (log.code !== 'MODULE_LEVEL_DIRECTIVE') handler(level, log) // needed only for server-side rendering
        },
      },
    },
  })
  const names = (await readdir(folder)).filter((name) => COMPRESSED.test(name))
  await Promise.all(names.map((name) => compressFile(join(folder, name))))
}

type Modules = { getModuleInfo(id: string): { importedIds: readonly string[] } | null }

let first: Set<string> | null = null

/** Assigns everything that the entry module imports, directly or indirectly, to one chunk. */
function firstOrNone(id: string, modules: Modules): string | null {
  first ??= reachedFrom(join(SOURCES, 'src/main.tsx'), modules)
  return first.has(id) ? 'app' : null
}

function reachedFrom(start: string, modules: Modules): Set<string> {
  const found = new Set([start])
  for (const id of found) for (const next of modules.getModuleInfo(id)?.importedIds ?? []) found.add(next)
  return found
}

/**
 * Adds a script and a preload of the first view's font to the dashboard's `index.html`. The script sets the color
 * scheme and language before the first paint, and contains the URL of each language's message file. It is a separate
 * file because the content security policy forbids inline scripts.
 */
function beforeApp(): Plugin {
  const names = { early: '', words: new Map<string, string>() }
  return {
    name: 'before-app',
    async buildStart() {
      const add = (name: string, extension: string, source: string) => {
        const hash = createHash('sha256').update(source).digest('hex').slice(0, 8)
        const fileName = `${name}-${hash}.${extension}`
        this.emitFile({ type: 'asset', fileName, source })
        return BASE + fileName
      }
      names.early = add('early', 'js', await earlyScript())
      for await (const path of glob('*/dashboard.json', { cwd: LOCALES })) {
        const tag = dirname(path)
        names.words.set(tag, add(tag, 'json', await wordsOf(tag)))
      }
    },
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle = {} }) {
        const font = Object.keys(bundle).find((name) => name.startsWith('inter-latin-wght-normal-'))
        const words = [...names.words].sort().map(([tag, address]) => [`data-${tag}`, address])
        return [
          {
            tag: 'script',
            attrs: { src: names.early, ...Object.fromEntries(words) },
            injectTo: 'head-prepend',
          },
          {
            tag: 'link',
            attrs: {
              rel: 'preload',
              href: `${BASE}${font}`,
              as: 'font',
              type: 'font/woff2',
              crossorigin: true,
            },
            injectTo: 'head-prepend',
          },
        ]
      },
    },
  }
}

async function earlyScript(): Promise<string> {
  const { outputFiles } = await bundle({
    entryPoints: [join(SOURCES, 'src/early.ts')],
    bundle: true,
    minify: true,
    write: false,
    format: 'iife',
    target: TARGET,
  })
  return outputFiles[0]?.text ?? ''
}

async function wordsOf(language: string): Promise<string> {
  const read = async (name: string) => JSON.parse(await readFile(join(LOCALES, language, name), 'utf8'))
  return JSON.stringify({ ...(await read('dashboard.json')), ...(await read('errors.json')) })
}

async function compressFile(path: string): Promise<void> {
  const bytes = await readFile(path)
  const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }
  await writeFile(`${path}.br`, await promisify(brotliCompress)(bytes, brotli))
  await writeFile(`${path}.gz`, await promisify(gzip)(bytes, { level: 9 }))
}
