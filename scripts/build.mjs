/**
 * `npm run build`, and before `npm pack`: makes `dist/`, which is what a package runs from. It has the layout of the
 * clone, so that every path from one file to another holds in both: compiled sources, the files that they read, and what
 * a clone makes when it is first asked for (bundles, the dashboard) made already.
 */
import { spawnSync } from 'node:child_process'
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { installOrExit, node, root } from './install.mjs'

await installOrExit()
// Sources are imported below: the Node that runs them makes them.
if (node !== process.execPath && !process.features.typescript) {
  const again = spawnSync(node, [import.meta.filename], { stdio: 'inherit' })
  process.exit(again.status ?? 1)
}

/** Beside the compiled sources: all that they read by a path from themselves. */
const COPIED = { docs: 'docs', examples: 'examples', compact: 'node_modules/.octavo' }

const dist = join(root, 'dist')
rmSync(dist, { recursive: true, force: true })
compile()
copyFiles()
writeManifest()
await makeBundles()
await makePatterns()
await makeDashboard()

/** With types where programs use the package; the rest is the program's own. */
function compile() {
  for (const project of ['tsconfig.build.json', 'tsconfig.client.json']) {
    const tsc = join(root, 'node_modules', '.bin', 'tsc')
    const done = spawnSync(tsc, ['-p', project], { cwd: root, stdio: 'inherit' })
    if (done.status !== 0) process.exit(1)
  }
}

function copyFiles() {
  for (const [name, from] of Object.entries(COPIED))
    cpSync(join(root, from), join(dist, name), { recursive: true })
  for (const file of globSync('src/**/*.{sql,css,json}', { cwd: root })) {
    mkdirSync(dirname(join(dist, file)), { recursive: true })
    cpSync(join(root, file), join(dist, file))
  }
}

/** What the program reads of its own manifest. */
function writeManifest() {
  const { name, version, license, type, dependencies } = JSON.parse(
    readFileSync(join(root, 'package.json'), 'utf8'),
  )
  const manifest = { name, version, private: true, license, type, dependencies }
  writeFileSync(join(dist, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
}

async function makeBundles() {
  const { BUNDLE_NAMES, makeBundle } = await import('../src/render/machinery/make-bundle.ts')
  const { PACKAGES_FILE } = await import('../src/render/machinery/own-bundles.ts')
  const folder = join(dist, 'src', 'render', 'bundles')
  mkdirSync(folder, { recursive: true })
  const made = await Promise.all(BUNDLE_NAMES.map(async (name) => ({ name, ...(await makeBundle(name)) })))
  for (const { name, text } of made) writeFileSync(join(folder, name), text)
  const packages = Object.fromEntries(made.map(({ name, packages }) => [name, packages]))
  writeFileSync(join(folder, PACKAGES_FILE), JSON.stringify(packages))
}

async function makePatterns() {
  const { patternTableText } = await import('../src/render/highlight/pattern-table.ts')
  writeFileSync(join(dist, 'compact', 'patterns.json'), await patternTableText())
}

async function makeDashboard() {
  const { buildDashboard } = await import('../src/app/dashboard-build.ts')
  await buildDashboard({ outDir: join(dist, 'web', 'dashboard', 'dist') })
}
