/**
 * Builds `dist/`. With `--package` also emits the type declarations of the client, which needs the TypeScript
 * compiler.
 *
 *   dist/*.js          the program: a file for each process and thread, and shared chunks
 *   dist/client.js     the API client, self-contained
 *   dist/bundles/      scripts and styles of published pages
 *   dist/dashboard/    the dashboard, compressed
 *   dist/packages/     package files that are read at run time: fonts, icons, KaTeX's styles, Mermaid
 *   dist/patterns.json translated grammar patterns
 *   dist/build.json    facts about the build; without it the build counts as missing
 */
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cp, mkdir, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { builtFile, PROGRAM_ROOT, programFile } from '../../src/base/files/program-files.ts'
import { PATTERNS_FILE, patternTableText } from '../../src/render/highlight/pattern-table.ts'
import { type BuildFacts, FACTS_FILE } from '../../src/render/machinery/build-facts.ts'
import { BUNDLE_NAMES, makeBundle } from '../../src/render/machinery/make-bundle.ts'
import { BUNDLES_FOLDER, PACKAGES_FILE } from '../../src/render/machinery/own-bundles.ts'
import { rendererDigest } from '../../src/render/machinery/renderer-version.ts'
import { buildDashboard } from './dashboard.ts'
import { bundleClient, bundleProgram } from './program.ts'

/** Age at which chunks of earlier builds are removed: a running process may still load them until then. */
const OLD_MS = 86_400_000

const CLIENT_FILE = 'client.js'

const COPIED: Record<string, readonly string[]> = {
  '@fontsource-variable/inter': ['LICENSE', 'files', 'unicode.json'],
  '@fontsource-variable/jetbrains-mono': ['LICENSE', 'files'],
  '@iconify-json/fa7-brands': ['icons.json'],
  '@iconify-json/fa7-regular': ['icons.json'],
  '@iconify-json/fa7-solid': ['icons.json'],
  '@iconify-json/lucide': ['icons.json'],
  '@iconify-json/tabler': ['icons.json'],
  '@resvg/resvg-wasm': ['index_bg.wasm'],
  '@shikijs/langs': ['dist'],
  '@shikijs/themes': ['dist'],
  katex: ['LICENSE', 'dist/fonts', 'dist/katex.min.css'],
  mermaid: ['LICENSE', 'dist/mermaid.min.js'],
}

const isPackage = process.argv.includes('--package')
const began = new Date()
const facts: BuildFacts = { renderer: rendererDigest() }
await mkdir(builtFile(''), { recursive: true })
await rm(builtFile(FACTS_FILE), { force: true })
const made = await bundleProgram(builtFile(''))
await bundleClient(builtFile(CLIENT_FILE))
await copyPackages(builtFile('packages'))
await makeBundles(builtFile(BUNDLES_FOLDER))
await writeFile(builtFile(PATTERNS_FILE), await patternTableText())
await buildDashboard(builtFile('dashboard'))
if (isPackage) declareClient()
await removeOld(builtFile(''), isPackage ? 0 : OLD_MS)
await writeFile(builtFile(FACTS_FILE), JSON.stringify(facts))
// Set the time of the build to its start, so that sources changed during the build count as newer.
await utimes(builtFile(FACTS_FILE), began, began)

async function copyPackages(folder: string): Promise<void> {
  const from = createRequire(import.meta.url)
  for (const [name, parts] of Object.entries(COPIED)) {
    const [root = ''] = (from.resolve.paths(name) ?? []).filter((path) => existsSync(join(path, name)))
    for (const part of ['package.json', ...parts])
      await cp(join(root, name, part), join(folder, name, part), { recursive: true })
  }
}

async function makeBundles(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  const made = await Promise.all(BUNDLE_NAMES.map(async (name) => ({ name, ...(await makeBundle(name)) })))
  for (const { name, text } of made) await writeFile(join(folder, name), text)
  const packages = Object.fromEntries(made.map(({ name, packages }) => [name, packages]))
  await writeFile(join(folder, PACKAGES_FILE), JSON.stringify(packages))
}

function declareClient(): void {
  const compiler = programFile('node_modules/.bin/tsc')
  execFileSync(compiler, ['-p', 'tsconfig.client.json'], { cwd: PROGRAM_ROOT, stdio: 'inherit' })
}

async function removeOld(folder: string, age: number): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!/\.js(\.map)?$/.test(name) || made.has(name) || name === CLIENT_FILE) continue
    const { mtimeMs } = await stat(join(folder, name))
    if (Date.now() - mtimeMs >= age) await rm(join(folder, name))
  }
}
