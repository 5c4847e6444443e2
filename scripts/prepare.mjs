/** Prepares a clone for its scripts: packages, a suitable Node, and an up-to-date `dist/`. */
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { findNode } from '../bin/find-node.mjs'
import { requirePackages, root } from './packages.mjs'
import { runChild } from './run-child.mjs'

export { root }

const SOURCES = ['locales', 'src', 'web', 'scripts/build', 'package-lock.json']

/** Returns the path of the Node to run with. On failure, prints a message and ends this process. */
export async function prepare({ onlyRunning = false, builds = true } = {}) {
  try {
    const isTried = !(await requirePackages({ onlyRunning }))
    const { path, fault } = findNode({ isTried })
    if (fault !== undefined) throw new Error(fault)
    if (builds && !isBuilt()) await build(path)
    return path
  } catch (error) {
    process.stderr.write(`${error.message}\n`)
    process.exit(1)
  }
}

function isBuilt() {
  const built = statSync(join(root, 'dist/build.json'), { throwIfNoEntry: false })?.mtimeMs ?? 0
  return built > 0 && SOURCES.every((path) => !isNewer(join(root, path), built))
}

function isNewer(path, time) {
  const found = statSync(path, { throwIfNoEntry: false })
  if (found === undefined) return false
  if (found.mtimeMs > time) return true
  return (
    found.isDirectory() &&
    readdirSync(path).some((name) => !/\.test\.tsx?$/.test(name) && isNewer(join(path, name), time))
  )
}

async function build(node) {
  process.stderr.write('Building …\n')
  const code = await runChild(node, [join(root, 'scripts/build/build.ts')], ['ignore', 2, 2])
  if (code !== 0) throw new Error('The program could not be built.')
}
