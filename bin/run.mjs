/** Runs the command line with a suitable Node, independent of the Node that runs this file. */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { constants, homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findNode } from './find-node.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
/** False in an installed package, which contains no `scripts`. */
const isClone = existsSync(join(root, 'scripts'))

/**
 * Number of calls after which TurboFan optimizes a function. Most builds finish before optimization pays off;
 * large builds still benefit.
 */
const LATE_TURBOFAN = '--invocation-count-for-turbofan=20000'
/** Initial old generation size in megabytes, so that most builds and checks finish before the first major GC. */
const ROOMY = '--initial-old-space-size=128'
/** V8 flags by command. The small young generation saves an idle server 25 MB. */
const FLAGS = {
  start: ['--max-semi-space-size=4'],
  // Same values as in the render processes; see src/sandbox/limits.ts.
  build: ['--max-semi-space-size=8', ROOMY, LATE_TURBOFAN],
  check: ['--max-semi-space-size=8', ROOMY, LATE_TURBOFAN],
}

/**
 * Runs the command line with the standard streams of this process. Does not return: this process exits with
 * the exit code of the program. Each signal is forwarded exactly once.
 */
export function runCli(args) {
  const node = nodeOrExit()
  const program = [...(FLAGS[args[0]] ?? []), join(root, 'dist', 'octavo.js'), ...args]
  // The compile cache halves startup time.
  const env = { NODE_COMPILE_CACHE: compileCache(), ...process.env }
  const npm = parentIfNpm()
  // execve (Node 22.15 and later) replaces this process, so the terminal's input and signals reach the program
  // directly.
  if (process.execve) {
    process.removeAllListeners('warning') // suppresses the warning that execve is experimental
    process.execve(node, ['node', ...program], withParent(env, npm))
  }
  const child = spawn(node, program, { stdio: 'inherit', env: withParent(env, npm && process.pid) })
  if (npm !== null) whenOrphaned(npm, () => child.kill('SIGTERM'))
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => {
      // A terminal sends Ctrl-C to the whole process group. A second SIGINT would force an immediate shutdown.
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
  // In a clone, the packaged Node was tested during installation.
  const { path, fault } = findNode({ isTried: isClone })
  if (fault === undefined) return path
  process.stderr.write(`${fault}\n`)
  process.exit(1)
}

function compileCache() {
  return isClone ? join(root, '.cache', 'compiled') : join(ownCaches(), 'compiled')
}

/** Cache folder of the current user: the package itself may be installed where only root can write. */
function ownCaches() {
  const { XDG_CACHE_HOME } = process.env
  const caches =
    process.platform === 'darwin' ? join(homedir(), 'Library', 'Caches') : join(homedir(), '.cache')
  return join(XDG_CACHE_HOME || caches, 'octavo')
}

/** Interval between checks of the parent process. */
const LOOK_MS = 500

function parentIfNpm() {
  const { npm_lifecycle_event: event, npm_command: command, npm_package_json: manifest } = process.env
  if (event === undefined) return null
  return command === 'exec' || manifest === join(root, 'package.json') ? process.ppid : null
}

/**
 * Adds the process id of `parent` to the environment, so that the program stops when that process dies: npm forwards
 * SIGINT and SIGTERM, but cannot forward SIGKILL. `parent` is null without npm: if started from a shell or a service
 * manager, `octavo` outlives its parent like any other program.
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
