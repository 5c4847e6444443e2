/**
 * `npm run lock`: writes package-lock.json after a change of dependencies.
 *
 * npm leaves an optional package out of the lock when the registry at hand does not have it (a binary for another
 * system, say), and `npm ci` then refuses the lock everywhere. The missing entries are added here: their versions are
 * exact in the package that asks for them, their system is in their name. They carry no integrity, since nobody has
 * fetched them; npm checks the rest.
 */
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './install.mjs'
import { npmCommand } from './npm.mjs'

const SYSTEMS = {
  aix: 'aix',
  android: 'android',
  darwin: 'darwin',
  freebsd: 'freebsd',
  linux: 'linux',
  netbsd: 'netbsd',
  openbsd: 'openbsd',
  openharmony: 'openharmony',
  sunos: 'sunos',
  win32: 'win32',
  windows: 'win32',
}
const PROCESSORS = [
  'arm64',
  'arm',
  'ia32',
  'loong64',
  'mips64el',
  'ppc64',
  'riscv64',
  's390x',
  'wasm32',
  'x64',
]

const npm = npmCommand()
const run = spawnSync(npm.command, [...npm.args, 'install', '--package-lock-only', '--loglevel=error'], {
  cwd: root,
  env: npm.env,
  stdio: 'inherit',
})
if (run.status !== 0) process.exit(run.status ?? 1)

const file = join(root, 'package-lock.json')
const lock = JSON.parse(readFileSync(file, 'utf8'))
const added = []
for (const [parent, entry] of Object.entries(lock.packages)) {
  for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
    const hoisted = `node_modules/${name}`
    if (lock.packages[hoisted] || lock.packages[`${parent}/${hoisted}`]) continue
    const words = name.split(/[/-]/)
    const os = words.map((word) => SYSTEMS[word]).find(Boolean)
    const cpu = PROCESSORS.find((processor) => words.includes(processor))
    if (!(os || cpu === 'wasm32') || !cpu || !/^\d/.test(version)) {
      console.error(
        `The registry has no ${name}@${version}, and its name does not say which system it is for.`,
      )
      process.exit(1)
    }
    const libc = words.some((word) => word.startsWith('musl')) ? { libc: ['musl'] } : {}
    lock.packages[hoisted] = {
      version,
      cpu: [cpu],
      ...(entry.dev ? { dev: true } : {}),
      ...libc,
      optional: true,
      ...(os ? { os: [os] } : {}),
    }
    added.push(name)
  }
}
lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1)))
writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`)
console.error(
  `package-lock.json is written${added.length > 0 ? `, with ${added.length} packages of other systems added` : ''}.`,
)
