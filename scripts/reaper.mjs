/**
 * Cleans up after a test run: `node reaper.mjs <pid of the runner> <folder of the run>`, with a pipe as standard
 * input.
 *
 * Tests start processes in their own sessions (workers, browsers, databases), which survive when a run is killed.
 * This process tracks all descendants of the runner. When the pipe closes, because the run has ended or its owner was
 * killed, it ends the remaining descendants and deletes the folder.
 */
import { execFile } from 'node:child_process'
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { basename } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'

const isLinux = process.platform === 'linux'
/** Polling interval. Longer on platforms where each poll has to start a process. */
const LOOK_MS = isLinux ? 250 : 2000
/** Time between SIGTERM and SIGKILL. */
const GRACE_MS = 5000

const runner = Number(process.argv[2])
const folder = process.argv[3] ?? ''
/** Start time by process id, to recognize a reused id. */
const known = new Map()
/** Processes of the last poll. Reading all of /proc at every poll would take 2 % of the CPU time. */
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
// Ctrl-C and hang-ups are meant for the run; this process ignores them, because it cleans up after the run.
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
    // The process has already ended.
  }
}

/**
 * Records new descendants of the runner and returns those still alive. `isThorough` also finds orphans, by
 * the name of the run's folder in their environment.
 */
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
    return false // owned by another user, or already ended
  }
}

/**
 * Lists the running processes. Does not reread processes in `seen`, because the system reuses an id only after cycling
 * through all others. Processes in `seen` are listed without a parent, because the parent's id may have been reused.
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
      if (fields[0] !== 'Z') processes.set(pid, { parent: Number(fields[1]), began: fields[19] })
    } catch {
      // The process has already ended.
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
