/** The Node that runs Octavo, laid among the packages: of its package only the program, without headers and manual. */
import { mkdirSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { lackOf } from '../bin/find-node.mjs'
import { hasOtherNode, OTHER_NODE, unpackNode } from '../bin/other-node.mjs'
import { InstallError } from './npm.mjs'

/**
 * In `folder`, where it is tried. `fetchOther(version)` gives the path of a tarball. Throws InstallError when neither runs
 * here.
 */
export async function makeNode(folder, name, tarball, { say, fetchOther }) {
  const lack = lackOf(await unpack(folder, tarball))
  if (lack === null) return
  const missing = `The Node that Octavo brings does not run here: ${lack}`
  if (!hasOtherNode(name, lack)) throw new InstallError(missing)
  say(`This system has no libatomic, which Node 26 needs: Node ${OTHER_NODE.version} takes its place.`)
  const file = await fetchOther(OTHER_NODE.version)
  const stillLack = lackOf(await unpack(folder, { file, integrity: OTHER_NODE.integrity[name] }))
  if (stillLack !== null)
    throw new InstallError(`${missing} Node ${OTHER_NODE.version} neither: ${stillLack}`)
}

/** Among the packages, and on the path of their scripts. */
export function placeNode(packages, name, folder) {
  rmSync(join(packages, name), { recursive: true, force: true })
  renameSync(folder, join(packages, name))
  const link = join(packages, '.bin', 'node')
  mkdirSync(join(packages, '.bin'), { recursive: true })
  rmSync(link, { force: true })
  symlinkSync(join('..', name, 'bin', 'node'), link)
}

/** The path of the program. */
async function unpack(folder, { file, integrity }) {
  rmSync(folder, { recursive: true, force: true })
  await unpackNode(file, integrity, folder)
  return join(folder, 'bin', 'node')
}
