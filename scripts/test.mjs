/**
 * `npm test`: installs what is missing, then runs the tests. `npm test -- src/git tests/git/mirror.test.ts`
 * runs those folders and files; arguments that start with a hyphen are passed to Node's test runner.
 *
 * `npm run test:long`: runs only `.long.test.ts` files: fault injection, attacks, and tests of many pages.
 * `npm run test:long -- --part=2/3`: runs every third of them, starting with the second.
 * `npm run test:long -- --whole`: runs tests that take their sizes from tests/kit/whole-run.ts, at full size.
 *
 * `--times`: prints a table per file at the end: CPU seconds of its process and of its child processes,
 * wall-clock seconds, and how often it started each program.
 *
 * Every process that a run has started is ended with the run, even if the run is killed; see reaper.mjs.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statfsSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { prepare, root } from './prepare.mjs'

const WHOLE_ROUNDS = '6'
const GRACE_MS = 10_000
/** Test files that need a separate process, because they inspect all children of the process in which they run. */
const APART = /^tests\/(?:faults|sandbox)\//
/**
 * Maximum number of processes that share the test files. Each runs one file after another for a few minutes; the last
 * processes run all remaining files.
 */
const MOST_LANES = 24

/** In-memory file system for the files of a run, about half a gigabyte at a time. */
const MEMORY = '/dev/shm'
const ROOM_BYTES = 3e9

const node = await prepare()

const words = process.argv.slice(2)
const isLong = words.includes('--long')
const isWhole = words.includes('--whole')
const showsTimes = words.includes('--times')
const part = words.find((word) => word.startsWith('--part='))
const flags = words.filter(
  (word) => word.startsWith('-') && !['--long', '--whole', '--times', part].includes(word),
)
const chosen = words.filter((word) => !word.startsWith('-'))
const places = partOf((chosen.length > 0 ? chosen : ['src', 'web', 'tests']).flatMap(filesOf))
if (places.length === 0) {
  process.stderr.write(`No test files in ${chosen.join(', ')}.\n`)
  process.exit(1)
}
// More lanes than CPUs, because tests mostly wait: for leases, process exits, timeouts.
const lanes = Math.min(8, availableParallelism() + 2)

const folder = mkdtempSync(join(temporaryFolder(), 'octavo-run-'))
const notRun = join(folder, 'not-run')
/** See tests/kit/lane.ts. With flags, which filter by test name or watch files, each file gets its own process. */
const lanesFolder = flags.length === 0 ? join(folder, 'lanes') : null

const args = [
  '--test',
  '--test-global-setup=tests/kit/global-setup.ts',
  `--test-concurrency=${lanes}`,
  '--test-timeout=900000',
  ...['--test-reporter=./scripts/test-reporter.mjs', '--test-reporter-destination=stdout'],
  ...flags,
  ...(lanesFolder === null ? places : writeLanes(lanesFolder)),
]
const runner = spawn(node, args, {
  cwd: root,
  stdio: 'inherit',
  env: {
    // Hundreds of processes load the same sources; the cache avoids stripping types and compiling each time.
    NODE_COMPILE_CACHE: join(root, '.cache', 'compiled'),
    ...(isWhole ? { OCTAVO_FAULT_ROUNDS: WHOLE_ROUNDS } : {}),
    ...process.env,
    XDG_CACHE_HOME: join(folder, 'cache'),
    TMPDIR: folder,
    OCTAVO_TEST_FOLDER: folder,
    OCTAVO_TEST_NOT_RUN: notRun,
    OCTAVO_TEST_LANES: lanesFolder ?? undefined,
  },
})
const reaper = spawn(process.execPath, [join(root, 'scripts', 'reaper.mjs'), String(runner.pid), folder], {
  stdio: ['pipe', 'inherit', 'inherit'],
  detached: true, // must survive a signal to the process group, to clean up after the run
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
  if (showsTimes && lanesFolder)
    printTimes(linesOf(join(lanesFolder, 'times')).map((line) => JSON.parse(line)))
  const wasTaken = new Set(lanesFolder === null ? [] : readdirSync(lanesFolder))
  reaper.stdin.end()
  await reaped
  if (left.length > 0) {
    process.stderr.write(
      `\nTHERE IS NO BROWSER ON THIS MACHINE, SO ${left.length} TESTS DID NOT RUN:\n${left.map((name) => `  ${name.toUpperCase()}\n`).join('')}INSTALL CHROMIUM, OR SET CHROME_PATH TO ONE.\n`,
    )
  }
  const isIncomplete = left.length > 0 && process.env.CI === 'true'
  const isShort =
    code === 0 && lanesFolder !== null && !places.every((_, index) => wasTaken.has(String(index)))
  if (isShort) process.stderr.write('\nSome test files were not run.\n')
  process.exit(signal || isIncomplete || isShort ? 1 : code)
})

/**
 * Writes an entry file for each process that may be needed; a process without remaining test files ends immediately.
 * Files that need their own process come first.
 */
function writeLanes(lanesFolder) {
  mkdirSync(lanesFolder)
  const order = ['tests', 'web', 'src']
  const rank = (file) => (APART.test(file) ? -1 : order.findIndex((start) => file.startsWith(start)))
  const files = places
    .toSorted((one, other) => rank(one) - rank(other))
    .map((file) => ({ file: join(root, file), isApart: APART.test(file) }))
  writeFileSync(join(lanesFolder, 'files.json'), JSON.stringify(files))
  const lane = pathToFileURL(join(root, 'tests/kit/lane.ts')).href
  const apart = files.filter(({ isApart }) => isApart).length
  const count = apart + Math.min(files.length - apart, MOST_LANES)
  return Array.from({ length: count }, (_, index) => {
    const path = join(lanesFolder, `${index < count - lanes ? 'lane' : 'last'}-${index + 1}.mjs`)
    writeFileSync(path, `import '${lane}'\n`)
    return path
  })
}

function printTimes(rows) {
  const line = (own, children, wall, file) =>
    process.stdout.write(
      `${own.toFixed(1).padStart(8)} ${children.toFixed(1).padStart(9)} ${wall.toFixed(1).padStart(7)}  ${file}\n`,
    )
  process.stdout.write('\n   Processor seconds  Seconds\n     own    others\n')
  rows.sort((one, other) => other.own + other.children - one.own - one.children)
  for (const { own, children, wall, file, started } of rows.filter((row) => row.own + row.children >= 0.1)) {
    const counts = Object.entries(started).map(([name, count]) => `${count} ${name}`)
    line(own, children, wall, [relative(root, file), ...counts].join(', '))
  }
  const sum = (field) => rows.reduce((total, row) => total + row[field], 0)
  line(sum('own'), sum('children'), sum('wall'), 'together')
}

/** Returns an in-memory folder if there is enough space: it creates databases and repositories ten times as fast. */
function temporaryFolder() {
  try {
    const { bavail, bsize } = statfsSync(MEMORY)
    accessSync(MEMORY, constants.W_OK)
    if (Math.min(bavail * bsize, process.availableMemory()) > ROOM_BYTES) return MEMORY
  } catch {
    // not Linux, or not writable
  }
  return tmpdir()
}

function linesOf(path) {
  return existsSync(path) ? readFileSync(path, 'utf8').trim().split('\n').filter(Boolean) : []
}

function stop(signal) {
  runner.kill(signal)
  setTimeout(() => runner.kill('SIGKILL'), GRACE_MS).unref()
}

/** Stops the run if npm dies, because npm cannot forward SIGKILL. */
function watchNpm() {
  if (!process.env.npm_lifecycle_event) return
  const npm = process.ppid
  setInterval(() => {
    if (process.ppid !== npm) stop('SIGTERM')
  }, 1000).unref()
}

function filesOf(place) {
  const path = join(root, place)
  if (!existsSync(path)) return []
  if (!statSync(path).isDirectory()) return [place]
  return readdirSync(path, { recursive: true })
    .map((name) => join(place, name))
    .filter((file) => file.endsWith('.test.ts') && !/[/\\]node_modules[/\\]/.test(file))
    .filter((file) => (isWhole ? hasWholeForm(file) : file.endsWith('.long.test.ts') === isLong))
}

/**
 * Returns the part selected by `--part`. Parts are disjoint, cover all files, and do not depend on the order
 * in which folders are read.
 */
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
