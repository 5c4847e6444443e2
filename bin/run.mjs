/** Runs the command line under the Node that Octavo is made for, whatever Node runs this. */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { constants, homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findNode } from './find-node.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
/** Not in a package. */
const isClone = existsSync(join(root, 'scripts'))

/** Calls before V8's slowest compiler takes a function up: most builds are over by then, large ones have it. */
const LATE_TURBOFAN = '--invocation-count-for-turbofan=20000'
/** Megabytes of old heap before V8 first looks through it: most builds and checks are over by then. */
const ROOMY = '--initial-old-space-size=128'
/** What a request leaves behind is gone at once: V8 would keep 25 MB more for it, of a server that rests. */
const FLAGS = {
  start: ['--max-semi-space-size=4'],
  // As in the processes that render; see src/sandbox/limits.ts.
  build: ['--max-semi-space-size=8', ROOMY, LATE_TURBOFAN],
  check: ['--max-semi-space-size=8', ROOMY, LATE_TURBOFAN],
}

/** Same standard streams; signals reach the command once; its exit code ends this process. Does not return. */
export function runCli(args) {
  const node = nodeOrExit()
  const program = [...(FLAGS[args[0]] ?? []), join(root, 'dist', 'octavo.js'), ...args]
  // Compiled code is cached between runs, which halves the time to the first line.
  const env = { NODE_COMPILE_CACHE: compileCache(), ...process.env }
  const npm = parentIfNpm()
  // Becoming the command leaves nobody between it and the terminal. Node has it from 22.15 on.
  if (process.execve) {
    process.removeAllListeners('warning') // it is marked experimental, and says so on standard error
    process.execve(node, ['node', ...program], withParent(env, npm))
  }
  const child = spawn(node, program, { stdio: 'inherit', env: withParent(env, npm && process.pid) })
  if (npm !== null) whenOrphaned(npm, () => child.kill('SIGTERM'))
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => {
      // A terminal sends Ctrl-C to the whole group, so the child has it already; twice would mean «at once».
      if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal)
    })
  }
  child.once('error', (error) => {
    process.stderr.write(`Node could not be started: ${error.message}\n`)
    process.exit(1)
  })
  child.once('exit', (code, signal) => {
    process.exit(signal ? 128 + (constants.signals[signal] ?? 0) : (code ?? 1))
  })
}

function nodeOrExit() {
  // In a clone it was tried when the packages were installed.
  const { path, fault } = findNode({ isTried: isClone })
  if (fault === undefined) return path
  process.stderr.write(`${fault}\n`)
  process.exit(1)
}

function compileCache() {
  return isClone ? join(root, '.cache', 'compiled') : join(ownCaches(), 'compiled')
}

/** Of this user alone: a package may be installed where only root writes. */
function ownCaches() {
  const { XDG_CACHE_HOME } = process.env
  const caches =
    process.platform === 'darwin' ? join(homedir(), 'Library', 'Caches') : join(homedir(), '.cache')
  return join(XDG_CACHE_HOME || caches, 'octavo')
}

/** Between two looks at whose child this process is. */
const LOOK_MS = 500

/** Process id of the npm that runs this as one of its scripts or by `npx`; null when a person's shell does. */
function parentIfNpm() {
  const { npm_lifecycle_event: event, npm_command: command, npm_package_json: manifest } = process.env
  if (event === undefined) return null
  return command === 'exec' || manifest === join(root, 'package.json') ? process.ppid : null
}

/**
 * npm hands SIGINT and SIGTERM on, but one that is killed outright cannot: the command is told whose end is its own.
 * `octavo` in a shell or under a service manager goes on without its parent, as any program.
 */
function withParent(env, parent) {
  const { OCTAVO_PARENT: _inherited, ...rest } = env
  return parent === null ? rest : { ...rest, OCTAVO_PARENT: String(parent) }
}

function whenOrphaned(parent, tell) {
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    tell()
  }, LOOK_MS)
  timer.unref()
}
