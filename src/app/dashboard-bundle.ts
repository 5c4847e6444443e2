/**
 * The dashboard's sources as the files that a browser takes: scripts split by page, one style sheet, fonts, all but the
 * shell named by the hash of what they hold.
 */
import { createHash } from 'node:crypto'
import { glob, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { type BuildOptions, build, type Metafile, type OutputFile, type Plugin } from 'esbuild'
import { meaningName, remedyName } from '../base/code-names.ts'
import { messageName, refusalName } from '../base/message-name.ts'
import { ERROR_CODES, errorSentence } from '../contract/errors.ts'
import { FINDING_WORDS } from '../contract/finding-words.ts'
import { drawnIcons, iconsNamedIn, listedIcons } from './dashboard-icons.ts'
import { type JoinedParts, joinParts } from './dashboard-parts.ts'
import { afterFirst, noStyles, utilityClasses } from './dashboard-plugins.ts'

export interface BundledFile {
  name: string
  bytes: Uint8Array
}

const MAIN = 'src/main.tsx'
const EARLY = 'src/early.ts'
const MARK = 'src/styles/mark.svg'

const COMMON = {
  bundle: true,
  minify: true,
  write: false,
  legalComments: 'none',
  logLevel: 'silent',
  outdir: '.',
  entryNames: '[name]-[hash]',
  target: ['es2022', 'chrome123', 'firefox120', 'safari17.5'],
} as const satisfies BuildOptions

/** `base` is the address of the folder that serves them, with the slash at its end. */
export async function bundleDashboard(sources: string, base: string): Promise<BundledFile[]> {
  const [app, early, languages] = await Promise.all([
    bundleApp(sources),
    bundleEarly(sources),
    languageFiles(sources),
  ])
  const places = new Map(
    Object.entries(app.metafile.outputs).map(([path, output]) => [basename(path), output]),
  )
  const style = nameLike(places.keys(), /^main-.*\.css$/)
  const main = firstScript(app.metafile)
  const scripts = [...places.keys()].filter((name) => name.endsWith('.js'))
  const shell = shellOf(await readFile(join(sources, 'index.html'), 'utf8'), base, {
    early: basename(early.path),
    mark: madeFrom(app.metafile, MARK),
    font: nameLike(places.keys(), /^inter-latin-wght-normal-/),
    style,
    main,
    parts: partsOf(app.metafile, main),
    languages: languages.map(({ name }) => name),
  })
  return [
    { name: 'index.html', bytes: new TextEncoder().encode(shell) },
    { name: basename(early.path), bytes: early.contents },
    ...languages,
    ...app.outputFiles.flatMap(({ path, contents, text }) => {
      const name = basename(path)
      // Each page gets a sheet of its own, which is the first one again since it comes after that.
      if (name.endsWith('.css') && name !== style) return []
      const isScript = scripts.includes(name)
      return [
        { name, bytes: isScript ? new TextEncoder().encode(withParts(text, name, app.metafile)) : contents },
      ]
    }),
  ]
}

/** Twice: the first time to see which modules pages share, and which come with the first view. */
async function bundleApp(sources: string) {
  const names = await listedIcons(sources)
  const look = appOptions(sources, new Map(), [drawnIcons(names, new Set(names)), noStyles()])
  const { metafile } = await build(look)
  const first = await iconsNamedIn(firstModules(metafile, sources), names)
  const parts = joinParts(metafile, MAIN)
  return await build(appOptions(sources, parts, [drawnIcons(names, first), utilityClasses()]))
}

/** Our own ones in the files of the first view. */
function firstModules(metafile: Metafile, sources: string): string[] {
  const main = firstScript(metafile)
  const files = new Set([main, ...partsOf(metafile, main)])
  return Object.entries(metafile.outputs)
    .filter(([path]) => files.has(basename(path)))
    .flatMap(([, { inputs }]) => Object.keys(inputs))
    .filter((path) => /^src\/.*\.tsx?$/.test(path))
    .map((path) => join(sources, path))
}

function appOptions(sources: string, parts: JoinedParts, plugins: Plugin[]) {
  return {
    ...COMMON,
    absWorkingDir: sources,
    entryPoints: [MAIN, MARK],
    format: 'esm',
    splitting: true,
    metafile: true,
    chunkNames: '[name]-[hash]',
    assetNames: '[name]-[hash]',
    loader: { '.svg': 'copy', '.woff2': 'file' },
    jsx: 'automatic',
    jsxImportSource: 'preact',
    alias: {
      react: 'preact/compat',
      'react-dom': 'preact/compat',
      'react/jsx-runtime': 'preact/jsx-runtime',
    },
    conditions: ['module', 'browser', 'production'],
    define: { 'process.env.NODE_ENV': '"production"' },
    plugins: [afterFirst(sources, MAIN, parts), ...plugins],
  } as const satisfies BuildOptions
}

/**
 * The script that sets the scheme before anything is painted: small, blocking, and a file of its own, since the content
 * security policy lets no script stand in the page.
 */
async function bundleEarly(sources: string): Promise<OutputFile> {
  const { outputFiles } = await build({
    ...COMMON,
    absWorkingDir: sources,
    entryPoints: [EARLY],
    format: 'iife',
  })
  const [file] = outputFiles
  if (file === undefined) throw new Error(`${EARLY} came out empty`)
  return file
}

interface ShellFiles {
  early: string
  mark: string
  /** Of the first view: asked for at once. */
  font: string
  style: string
  main: string
  /** What `main` imports, and what that imports. */
  parts: readonly string[]
  /** Of each language: its tag, a hyphen and a hash. */
  languages: readonly string[]
}

function shellOf(page: string, base: string, files: ShellFiles): string {
  const { early, mark, font, style, main, parts, languages } = files
  const words = languages.map((name) => ` data-${name.slice(0, name.indexOf('-'))}="${base}${name}"`)
  const first = [
    `<script src="${base}${early}"${words.join('')}></script>`,
    `<link rel="preload" href="${base}${font}" as="font" type="font/woff2" crossorigin>`,
  ]
  const app = [
    `<script type="module" crossorigin src="${base}${main}"></script>`,
    ...parts.map((part) => `<link rel="modulepreload" crossorigin href="${base}${part}">`),
    `<link rel="stylesheet" crossorigin href="${base}${style}">`,
  ]
  return replaced(
    replaced(
      replaced(page, '<head>', ['<head>', ...first].join('\n    ')),
      `<script type="module" src="/${MAIN}"></script>`,
      app.join('\n    '),
    ),
    `/${MARK}`,
    base + mark,
  )
}

function replaced(page: string, mark: string, by: string): string {
  if (!page.includes(mark)) throw new Error(`index.html of the dashboard has no ${mark}`)
  return page.replace(mark, () => by)
}

/** What the app begins with: its own file only asks for the one that it shares with every page. */
function firstScript(metafile: Metafile): string {
  const name = madeFrom(metafile, MAIN)
  const [, output] = Object.entries(metafile.outputs).find(([path]) => basename(path) === name) ?? []
  const [only, ...others] = (output?.imports ?? []).filter(({ kind }) => kind === 'import-statement')
  const isEmpty = Object.values(output?.inputs ?? {}).every(({ bytesInOutput }) => bytesInOutput === 0)
  return only !== undefined && others.length === 0 && isEmpty ? basename(only.path) : name
}

/**
 * The words of each language, in a file named by its tag and the hash of what it holds. Messages go by short names there,
 * since the English texts would double it. A sentence of the error catalogue goes by its code too, for answers that say
 * more exactly what was refused; words of findings go by their codes.
 */
async function languageFiles(sources: string): Promise<BundledFile[]> {
  const files: BundledFile[] = []
  for await (const path of glob('src/words/*.json', { cwd: sources })) {
    const words: Record<string, unknown> = JSON.parse(await readFile(join(sources, path), 'utf8'))
    const text = JSON.stringify(Object.fromEntries(Object.entries(words).flatMap(namesOf)))
    const hash = createHash('sha256').update(text).digest('hex').slice(0, 8).toUpperCase()
    files.push({ name: `${basename(path, '.json')}-${hash}.json`, bytes: new TextEncoder().encode(text) })
  }
  return files.sort((one, other) => (one.name < other.name ? -1 : 1))
}

function namesOf([message, text]: [string, unknown]): [string, unknown][] {
  const refusals = ERROR_CODES.filter((code) => errorSentence(code) === message).map(refusalName)
  const findings = FINDING_WORDS.flatMap(([code, { meaning, remedy }]) => [
    ...(meaning === message ? [meaningName(code)] : []),
    ...(remedy === message ? [remedyName(code)] : []),
  ])
  return [messageName(message), ...refusals, ...findings].map((name) => [name, text])
}

/** Of the file that an entry became. */
function madeFrom({ outputs }: Metafile, entry: string): string {
  const [path] = Object.entries(outputs).find(([, { entryPoint }]) => entryPoint === entry) ?? []
  if (path === undefined) throw new Error(`the dashboard has no file of ${entry}`)
  return basename(path)
}

function nameLike(names: Iterable<string>, pattern: RegExp): string {
  for (const name of names) if (pattern.test(name)) return name
  throw new Error(`the dashboard has no file like ${pattern}`)
}

/** All scripts that come with this one: what it imports, what that imports and so on, without itself. */
function partsOf({ outputs }: Metafile, name: string): string[] {
  const found = new Set([name])
  for (const one of found) {
    const [, output] = Object.entries(outputs).find(([path]) => basename(path) === one) ?? []
    for (const { path, kind } of output?.imports ?? [])
      if (kind === 'import-statement') found.add(basename(path))
  }
  found.delete(name)
  return [...found]
}

/**
 * A page that is gone to asks for its parts together with its script, which would name them only once it is there. The
 * names are in the hash of the script already, so its own name stays.
 */
function withParts(script: string, name: string, metafile: Metafile): string {
  const here = new Set([name, ...partsOf(metafile, name)])
  return script.replace(/\bimport\("\.\/([\w.-]+\.js)"\)/g, (call, page: string) => {
    const parts = partsOf(metafile, page).filter((part) => !here.has(part))
    if (parts.length === 0) return call
    const calls = [call, ...parts.map((part) => call.replace(page, part))]
    return `Promise.all([${calls.join(',')}]).then(([e])=>e)`
  })
}
