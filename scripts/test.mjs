/**
 * `npm test`: installs what is missing, then runs every test. `npm test -- src/git tests/git/mirror.test.ts` runs those
 * folders and files; what begins with a hyphen goes to Node's test runner.
 */
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { installOrExit, node, root } from './install.mjs'

await installOrExit()

const words = process.argv.slice(2)
const flags = words.filter((word) => word.startsWith('-'))
const chosen = words.filter((word) => !word.startsWith('-'))
const places = (chosen.length > 0 ? chosen : ['src', 'web', 'tests']).map((place) => {
  const isFolder = existsSync(join(root, place)) && statSync(join(root, place)).isDirectory()
  return isFolder ? `${place}/**/*.test.ts` : place
})
const lanes = Math.max(2, Math.min(4, availableParallelism()))

const folder = mkdtempSync(join(tmpdir(), 'octavo-run-'))
const notRun = join(folder, 'not-run')
// A run that was ended leaves a server that is just shutting down in there.
process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 }))

const args = [
  '--test',
  '--test-global-setup=tests/kit/global-setup.ts',
  '--import=./tests/kit/file-deadline.ts',
  `--test-concurrency=${lanes}`,
  '--test-timeout=900000',
  ...flags,
  ...places,
]
const child = spawn(node, args, {
  cwd: root,
  stdio: 'inherit',
  env: {
    // Hundreds of processes read the same sources: they are stripped and compiled once.
    NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'octavo'),
    ...process.env,
    OCTAVO_TEST_FOLDER: folder,
    OCTAVO_TEST_NOT_RUN: notRun,
  },
})
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, () => {
    if (signal === 'SIGTERM' || !process.stdin.isTTY) child.kill(signal)
  })
}
child.once('exit', (code, signal) => {
  const left = existsSync(notRun) ? readFileSync(notRun, 'utf8').trim().split('\n') : []
  if (left.length > 0) {
    process.stderr.write(
      `\nTHERE IS NO BROWSER ON THIS MACHINE, SO ${left.length} TESTS DID NOT RUN:\n${left.map((name) => `  ${name.toUpperCase()}\n`).join('')}INSTALL CHROMIUM, OR SET CHROME_PATH TO ONE.\n`,
    )
  }
  const isIncomplete = left.length > 0 && process.env.CI === 'true'
  process.exit(signal ? 1 : code || (isIncomplete ? 1 : 0))
})
