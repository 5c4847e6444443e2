/** Runs child processes that end together with the calling script. Runs on Node 20 and later. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout } from 'node:timers/promises'

/** Time between a signal and SIGKILL. Short, because npm's slow rollback is not needed for the next start. */
const GRACE_MS = 2000
const SIGNALS = ['SIGINT', 'SIGTERM']

/**
 * Runs a program and returns its exit code. Forwards signals, because a signal may be sent to this process
 * only, and re-raises the signal once the program has ended. Throws if the program cannot be started.
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
  // Wait for the signal, which may be delivered to another thread a moment later.
  await setTimeout(1000)
}
