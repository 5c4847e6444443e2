/** Runs the command line under the Node that comes with the packages, whatever Node runs this script. */
import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { join } from 'node:path'
import { node, root } from './install.mjs'

/** Same standard streams; signals reach the command once; its exit code ends this process. Does not return. */
export function runCli(args) {
  const file = join(root, 'src', 'cli', 'main.ts')
  // Stripped and compiled sources are kept between runs, which halves the time to the first line.
  const env = { NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'octavo'), ...process.env }
  // Becoming the command leaves nobody between it and the terminal. Node has it from 22.15 on.
  if (process.execve) {
    process.removeAllListeners('warning') // it is marked experimental, and says so on standard error
    process.execve(node, ['node', file, ...args], env)
  }
  const child = spawn(node, [file, ...args], { stdio: 'inherit', env })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => {
      // A terminal sends Ctrl-C to the whole group, so the child has it already; twice would mean «at once».
      if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal)
    })
  }
  child.once('error', (error) => {
    process.stderr.write(`Node 26 could not be started: ${error.message}\n`)
    process.exit(1)
  })
  child.once('exit', (code, signal) => {
    process.exit(signal ? 128 + (constants.signals[signal] ?? 0) : (code ?? 1))
  })
}
