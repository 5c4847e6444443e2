/** Runs programs that end with the script that started them. For any Node from 20 on. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout } from 'node:timers/promises'

/** From a signal to the end that cannot be refused: npm may roll back for long, which the next start does not need. */
const GRACE_MS = 2000
const SIGNALS = ['SIGINT', 'SIGTERM']

/**
 * The exit code of a program. A signal is passed on, for it may reach this process alone, and once the program has ended
 * this process dies of it. Throws a sentence where the program cannot be started.
 */
export async function runChild(program, args, stdio) {
  const child = spawn(program, args, { stdio })
  let received = null
  const stop = (signal) => {
    received ??= signal
    child.kill(signal)
    setTimeout(GRACE_MS, null, { ref: false }).then(() => child.kill('SIGKILL'))
  }
  for (const signal of SIGNALS) process.on(signal, stop)
  try {
    const [code] = await once(child, 'exit')
    return code
  } catch (error) {
    throw new Error(`${program} cannot be run: ${error.message}`)
  } finally {
    for (const signal of SIGNALS) process.off(signal, stop)
    if (received !== null) await dieOf(received)
  }
}

async function dieOf(signal) {
  process.kill(process.pid, signal)
  // Another thread may take the signal a moment later.
  await setTimeout(1000)
}
