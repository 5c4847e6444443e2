/**
 * `npm test`: installs what is missing, then runs the tests. `npm test -- src/git tests/git/mirror.test.ts` runs those
 * folders and files; what begins with a hyphen goes to Node's test runner.
 *
 * `npm run test:long`: the other half, files that end in `.long.test.ts`: faults, attacks and what opens many pages.
 * `npm run test:long -- --part=2/3`: every third of them, from the second on.
 * `npm run test:long -- --whole`: tests that take their sizes from tests/kit/whole-run.ts, in their whole size.
 *
 * Where at most three files of such a run hold a failed test, those files run once more by themselves: one that passes then
 * depends on what runs beside it. It is named at the end, as a fault to be mended, and does not fail the run.
 *
 * A run takes along everything that it started, in whatever way it ends: see reaper.mjs.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { prepare, root } from './prepare.mjs'

/** Rounds of each fault in a whole run. */
const WHOLE_ROUNDS = '6'
/** From the request to end to the end that cannot be refused. */
const GRACE_MS = 10_000
/** More failed files than these are no accident of a busy machine. */
const MOST_AGAIN = 3

const node = prepare()

const words = process.argv.slice(2)
const isLong = words.includes('--long')
const isWhole = words.includes('--whole')
const part = words.find((word) => word.startsWith('--part='))
const flags = words.filter((word) => word.startsWith('-') && !['--long', '--whole', part].includes(word))
const mayRunAgain = !isWhole && !words.some((word) => word !== '--long' && word !== part)
const chosen = words.filter((word) => !word.startsWith('-'))
const places = partOf((chosen.length > 0 ? chosen : ['src', 'web', 'tests']).flatMap(filesOf))
if (places.length === 0) {
  process.stderr.write(`No test files in ${chosen.join(', ')}.\n`)
  process.exit(1)
}
// Much of what tests do is waiting: for leases, for the end of a process, for a limit to pass.
const lanes = Math.min(8, availableParallelism() + 2)

const folder = mkdtempSync(join(tmpdir(), 'octavo-run-'))
const notRun = join(folder, 'not-run')
/** The first as the runner tells it, the second as the files' own processes do. */
const failedLists = [join(folder, 'failed'), join(folder, 'failed-files')]

const args = [
  '--test',
  '--test-global-setup=tests/kit/global-setup.ts',
  '--import=./tests/kit/file-deadline.ts',
  `--test-concurrency=${lanes}`,
  '--test-timeout=900000',
  ...['--test-reporter=spec', '--test-reporter-destination=stdout'],
  ...['--test-reporter=./scripts/failed-files.mjs', `--test-reporter-destination=${failedLists[0]}`],
  ...flags,
  ...places,
]
let isStopped = false
let runner = spawn(node, args, {
  cwd: root,
  stdio: 'inherit',
  env: {
    // Hundreds of processes read the same sources: they are stripped and compiled once.
    NODE_COMPILE_CACHE: join(root, '.cache', 'compiled'),
    ...(isWhole ? { OCTAVO_FAULT_ROUNDS: WHOLE_ROUNDS } : {}),
    ...process.env,
    XDG_CACHE_HOME: join(folder, 'cache'),
    OCTAVO_TEST_FOLDER: folder,
    OCTAVO_TEST_NOT_RUN: notRun,
    OCTAVO_TEST_FAILED: failedLists[1],
  },
})
const reaper = spawn(process.execPath, [join(root, 'scripts', 'reaper.mjs'), String(runner.pid), folder], {
  stdio: ['pipe', 'inherit', 'inherit'],
  detached: true, // a signal to the whole group ends the run, and the reaper after it
})
const reaped = once(reaper, 'exit')

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => {
    if (signal === 'SIGINT' && process.stdin.isTTY) return setTimeout(stop, GRACE_MS, 'SIGKILL').unref()
    stop(signal)
  })
}
watchNpm()

runner.once('exit', async (code, signal) => {
  const left = linesOf(notRun)
  const failed = [...new Set(failedLists.flatMap(linesOf))]
  reaper.stdin.end()
  await reaped
  if (left.length > 0) {
    process.stderr.write(
      `\nTHERE IS NO BROWSER ON THIS MACHINE, SO ${left.length} TESTS DID NOT RUN:\n${left.map((name) => `  ${name.toUpperCase()}\n`).join('')}INSTALL CHROMIUM, OR SET CHROME_PATH TO ONE.\n`,
    )
  }
  const isIncomplete = left.length > 0 && process.env.CI === 'true'
  if (signal || isIncomplete) process.exit(1)
  const isWorthAgain = mayRunAgain && failed.length > 0 && failed.length <= MOST_AGAIN
  process.exit(code !== 0 && isWorthAgain ? await runAgain(failed) : code)
})

/** 0 when all of them pass. */
async function runAgain(files) {
  tell('RUN ONCE MORE, WITH NOTHING BESIDE THEM', files)
  const failed = []
  for (const file of files) {
    runner = spawn(process.execPath, [import.meta.filename, file], { cwd: root, stdio: 'inherit' })
    const [code] = await once(runner, 'exit')
    if (isStopped) return 1
    if (code !== 0) failed.push(file)
  }
  const passed = files.filter((file) => !failed.includes(file))
  tell('PASSED ONLY WITH NOTHING BESIDE THEM, WHICH IS A FAULT OF THE TEST OR OF WHAT IT TESTS', passed)
  tell('FAILED TWICE', failed)
  return failed.length > 0 ? 1 : 0
}

function tell(what, files) {
  if (files.length === 0) return
  process.stderr.write(`\n${what}:\n${files.map((file) => `  ${relative(root, file)}\n`).join('')}`)
}

function linesOf(path) {
  return existsSync(path) ? readFileSync(path, 'utf8').trim().split('\n').filter(Boolean) : []
}

function stop(signal) {
  isStopped = true
  runner.kill(signal)
  setTimeout(() => runner.kill('SIGKILL'), GRACE_MS).unref()
}

/** An npm that was killed cannot pass that on. */
function watchNpm() {
  if (!process.env.npm_lifecycle_event) return
  const npm = process.ppid
  setInterval(() => {
    if (process.ppid !== npm) stop('SIGTERM')
  }, 1000).unref()
}

/** Test files of a folder, as this run takes them; a file that is named is taken whatever it is. */
function filesOf(place) {
  const path = join(root, place)
  if (!existsSync(path) || !statSync(path).isDirectory()) return [place]
  return readdirSync(path, { recursive: true })
    .map((name) => join(place, name))
    .filter((file) => file.endsWith('.test.ts') && !/[/\\]node_modules[/\\]/.test(file))
    .filter((file) => (isWhole ? hasWholeForm(file) : file.endsWith('.long.test.ts') === isLong))
}

/** Parts are the same whatever order the folders are read in, and hold every file between them. */
function partOf(files) {
  if (part === undefined) return files
  const [, nth, parts] = /^--part=([1-9]\d?)\/([1-9]\d?)$/.exec(part) ?? []
  if (nth === undefined || Number(nth) > Number(parts)) {
    process.stderr.write(`${part} names no part. Write --part=2/3 for the second of three.\n`)
    process.exit(2)
  }
  return files.sort().filter((_, index) => index % Number(parts) === Number(nth) - 1)
}

function hasWholeForm(file) {
  return readFileSync(join(root, file), 'utf8').includes('/whole-run.ts')
}
