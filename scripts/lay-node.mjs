/** The Node that runs Octavo, laid among the packages: of its package only the program, without headers and manual. */
import { mkdirSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { lackOf } from '../bin/find-node.mjs'
import { hasOtherNode, OTHER_NODE, unpackNode } from '../bin/other-node.mjs'
import { InstallError } from './npm.mjs'

/** `fetchOther(version)` gives the path of a tarball. Throws InstallError when neither runs here. */
export async function layNode(packages, name, tarball, { say, fetchOther }) {
  const lack = lackOf(await putNode(packages, name, tarball))
  if (lack === null) return
  const missing = `The Node that Octavo brings does not run here: ${lack}`
  if (!hasOtherNode(name, lack)) throw new InstallError(missing)
  say(`This system has no libatomic, which Node 26 needs: Node ${OTHER_NODE.version} takes its place.`)
  const file = await fetchOther(OTHER_NODE.version)
  const stillLack = lackOf(await putNode(packages, name, { file, integrity: OTHER_NODE.integrity[name] }))
  if (stillLack !== null)
    throw new InstallError(`${missing} Node ${OTHER_NODE.version} neither: ${stillLack}`)
}

/** The path of the program. */
async function putNode(packages, name, { file, integrity }) {
  const folder = join(packages, name)
  rmSync(folder, { recursive: true, force: true })
  await unpackNode(file, integrity, folder)
  const link = join(packages, '.bin', 'node')
  mkdirSync(join(packages, '.bin'), { recursive: true })
  rmSync(link, { force: true })
  symlinkSync(join('..', name, 'bin', 'node'), link)
  return join(folder, 'bin', 'node')
}
