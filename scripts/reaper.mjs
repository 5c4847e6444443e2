/**
 * Ends what a test run has left: `node reaper.mjs <pid of the runner> <folder of the run>`, with a pipe as standard input.
 *
 * Tests start processes in sessions of their own (workers, browsers, databases), and whoever kills a run kills only a
 * part of it. This process remembers everything that ever descended from the runner. When the pipe ends, because the run
 * is over or because its owner was killed, whatever of it still lives is ended, and the folder is deleted.
 */
import { execFile } from 'node:child_process'
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { basename } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'

const isLinux = process.platform === 'linux'
/** Elsewhere each look starts a process. */
const LOOK_MS = isLinux ? 250 : 2000
/** From the request to end to the end that cannot be refused. */
const GRACE_MS = 5000

const runner = Number(process.argv[2])
const folder = process.argv[3] ?? ''
/** By process id: when it began. An id that is used again stands for another process. */
const known = new Map()
/** Read once: to read all of them in every look takes a fiftieth of a machine. */
let lastSeen = new Map()

let isOver = false
let wake = () => {}
const over = new Promise((resolve) => {
  wake = resolve
})
process.stdin
  .on('data', () => {})
  .on('end', end)
  .on('error', end)
// The terminal's Ctrl-C and a hang-up are for the run; this process ends after it.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {})

take(runner, await processesNow(lastSeen))
while (!isOver) {
  await look()
  await Promise.race([over, sleep(LOOK_MS, undefined, { ref: false })])
}
await endAll()
rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 })
process.exit(0)

function end() {
  isOver = true
  wake()
}

async function endAll() {
  const deadline = Date.now() + GRACE_MS
  let hasAsked = false
  for (;;) {
    const alive = await look({ isThorough: true })
    if (alive.length === 0) return
    const isLate = Date.now() > deadline
    if (!hasAsked || isLate) for (const pid of alive) send(pid, isLate ? 'SIGKILL' : 'SIGTERM')
    hasAsked = true
    if (Date.now() > deadline + GRACE_MS) return
    await sleep(100)
  }
}

function send(pid, signal) {
  try {
    process.kill(pid, signal)
  } catch {
    // Gone in the meantime.
  }
}

/** Takes in new descendants and answers those that live. `isThorough`: orphans too, by the run's name in their environment. */
async function look({ isThorough = false } = {}) {
  const processes = await processesNow(isThorough ? new Map() : lastSeen)
  lastSeen = processes
  for (const [pid, began] of known) if (processes.get(pid)?.began !== began) known.delete(pid)
  for (let before = -1; before !== known.size; ) {
    before = known.size
    for (const [pid, { parent }] of processes) if (known.has(parent)) take(pid, processes)
  }
  if (isThorough && isLinux)
    for (const pid of processes.keys()) if (pid !== process.pid && isOfRun(pid)) take(pid, processes)
  return [...known.keys()]
}

function take(pid, processes) {
  const found = processes.get(pid)
  if (found && !known.has(pid)) known.set(pid, found.began)
}

function isOfRun(pid) {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8').includes(`/${basename(folder)}\0`)
  } catch {
    return false // another user's, or gone
  }
}

/**
 * What the last look has seen is not read again: an id comes back only after all others. Nor is its parent told again,
 * whose id may be another's by now.
 */
async function processesNow(seen) {
  return isLinux ? readProc(seen) : await readPs()
}

function readProc(seen) {
  const processes = new Map()
  for (const name of readdirSync('/proc')) {
    const pid = Number(name)
    if (!Number.isInteger(pid)) continue
    if (seen.has(pid)) {
      processes.set(pid, { parent: null, began: seen.get(pid).began })
      continue
    }
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8')
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      // Ended, and not yet noticed by its parent.
      if (fields[0] !== 'Z') processes.set(pid, { parent: Number(fields[1]), began: fields[19] })
    } catch {
      // Gone in the meantime.
    }
  }
  return processes
}

async function readPs() {
  const processes = new Map()
  const { stdout } = await promisify(execFile)('ps', ['-axo', 'pid=,ppid=,state=,lstart='])
  for (const line of stdout.split('\n')) {
    const [, pid, parent, state, began] = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line) ?? []
    if (pid && !state.startsWith('Z')) processes.set(Number(pid), { parent: Number(parent), began })
  }
  return processes
}
