/**
 * Brings `node_modules` into the state that package-lock.json describes, and does nothing when it is there already.
 * Plain JavaScript without dependencies: it runs on any Node from 20 on, before anything is installed.
 *
 * Running needs some packages, checks and tests need all; each has a stamp, which is laid with the packages. Order: lock
 * out other installs → lay the packages beside those that are there (lay-packages.mjs) → put them in their place.
 */
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
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findNode } from '../bin/find-node.mjs'
import { layPackages, mendPackages } from './lay-packages.mjs'
import { InstallError } from './npm.mjs'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))
/** The Node that runs Octavo, whatever Node runs this script; known once the packages are installed. */
export let node = findNode().path

/** Of each choice of packages; all of them hold those that running needs. */
const STAMPS = { running: '.octavo-installed', all: '.octavo-installed-all' }

/**
 * Installs when needed: all packages, or only those that running needs. Rejects with an InstallError whose message is
 * one sentence for the person at the terminal.
 */
export async function install({ only, say = (line) => process.stderr.write(`${line}\n`) } = {}) {
  const wanted = only ?? 'all'
  if (isInstalled(wanted)) return
  const lock = await lockOut(say)
  try {
    mendPackages(root)
    if (isInstalled(wanted)) return
    const started = Date.now()
    // Where tests were once run they will be again: a start does not take their packages away.
    const choice = existsSync(stampOf('all')) ? 'all' : wanted
    say(ANNOUNCEMENTS[choice])
    await layPackages(root, choice, {
      say,
      onStart: lock.addOwner,
      finish: (packages) => stamp(packages, choice),
    })
    requireNode()
    say(`Packages are installed (${Math.round((Date.now() - started) / 1000)} s).`)
  } finally {
    lock.release()
  }
}

/** What shapes the packages. */
const MAKERS = ['scripts/compact.mjs', 'scripts/join-modules.mjs', 'scripts/lay-packages.mjs']

const ANNOUNCEMENTS = {
  running: 'Installing packages (the first time this downloads about 130 MB) …',
  all: 'Installing packages, those for tests too (the first time this downloads about 250 MB) …',
}

function stampOf(choice, packages = join(root, 'node_modules')) {
  return join(packages, STAMPS[choice])
}

function isInstalled(choice) {
  try {
    return readFileSync(stampOf(choice), 'utf8') === expectedStamp()
  } catch {
    return false
  }
}

function stamp(packages, choice) {
  for (const one of choice === 'all' ? ['running', 'all'] : ['running'])
    writeFileSync(stampOf(one, packages), expectedStamp())
}

/** What the packages are made of, and for which system: a folder that was copied from another one is laid anew. */
function expectedStamp() {
  const hash = createHash('sha256')
  for (const file of ['package-lock.json', ...MAKERS]) hash.update(readFileSync(join(root, file)))
  return `${process.platform}-${process.arch} ${hash.digest('hex')}\n`
}

function requireNode() {
  const found = findNode()
  if (found.fault !== undefined) throw new InstallError(found.fault)
  node = found.path
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
