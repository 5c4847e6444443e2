/**
 * `npm run check`: format, lint, types, dead code, architecture and the unit tests next to the code. Takes seconds.
 * `--no-tests` skips the tests.
 */
import { spawn } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { prepare, root } from './prepare.mjs'

const node = await prepare()

const program = (name) => join(root, 'node_modules', '.bin', name)
const webProjects = readdirSync(join(root, 'web')).filter((name) =>
  existsSync(join(root, 'web', name, 'tsconfig.json')),
)
// Slowest first, because two checks run concurrently.
const checks = [
  {
    name: 'architecture and unit tests',
    command: node,
    args: [
      'scripts/test.mjs',
      'src',
      'web',
      ...['architecture', 'drift', 'rooms'].map((name) => `tests/${name}.test.ts`),
    ],
    // None of these tests uses a database.
    env: { OCTAVO_TEST_DATABASE_URL: 'none' },
    shorten: (output) => output.slice(Math.max(0, output.indexOf('✖ failing tests:'))),
  },
  { name: 'types', command: program('tsc'), args: ['--noEmit', '-p', '.'] },
  ...webProjects.map((name) => ({
    name: `types of web/${name}`,
    command: program('tsc'),
    args: ['--noEmit', '-p', join('web', name)],
  })),
  { name: 'format and lint', command: program('biome'), args: ['check', '--colors=off'] },
  { name: 'regular expressions', command: node, args: ['scripts/check-patterns.mjs'] },
  { name: 'dead code', command: program('knip'), args: ['--no-progress'] },
]

const running = new Set()
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, () => {
    for (const child of running) child.kill()
    process.exit(1)
  })
}

const started = Date.now()
const failed = []
const queue = process.argv.includes('--no-tests') ? checks.slice(1) : [...checks]
await Promise.all([lane(), lane()])
const seconds = ((Date.now() - started) / 1000).toFixed(1)
if (failed.length > 0) {
  for (const { name, output } of failed) process.stdout.write(`\n── ${name} ──\n${output.trim()}\n`)
  process.stdout.write(`\n${failed.map(({ name }) => name).join(', ')} failed (${seconds} s).\n`)
  process.exit(1)
}
process.stdout.write(`All is well (${seconds} s).\n`)

async function lane() {
  for (let check = queue.shift(); check; check = queue.shift()) {
    const { name, shorten = (output) => output } = check
    const began = Date.now()
    const { code, output } = await run(check)
    const took = ((Date.now() - began) / 1000).toFixed(1)
    process.stdout.write(`${code === 0 ? 'ok    ' : 'FAILED'} ${name} (${took} s)\n`)
    if (code !== 0) failed.push({ name, output: shorten(output) })
  }
}

function run({ command, args, env: more = {} }) {
  return new Promise((settle) => {
    const env = { ...process.env, NO_COLOR: '1', FORCE_COLOR: '0', ...more }
    const child = spawn(command, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] })
    running.add(child)
    const chunks = []
    child.stdout.on('data', (chunk) => chunks.push(chunk))
    child.stderr.on('data', (chunk) => chunks.push(chunk))
    child.once('error', (error) => settle({ code: 1, output: error.message }))
    child.once('exit', () => running.delete(child))
    child.once('close', (code) => settle({ code, output: Buffer.concat(chunks).toString() }))
  })
}
