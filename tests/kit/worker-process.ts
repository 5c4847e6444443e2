/** A worker node in a separate process, which can be killed at any time. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { PROGRAM_ENV } from './program-env.ts'

export interface WorkerProcess {
  /** Queue jobs in progress, according to the log of the worker. */
  readonly running: ReadonlySet<string>
  isAlive(): boolean
  /**
   * Sends SIGKILL. With `alone`, its children (git, the renderer) survive, as when only this process crashes; otherwise
   * they die with it, as when its container is killed.
   */
  kill(how?: { alone?: boolean }): Promise<void>
}

export interface LogLine {
  event: string
  job?: string
  jobId?: string
  [field: string]: unknown
}

/** `onLine` is called for each line of the log. */
export function startWorkerProcess(
  env: Record<string, string>,
  onLine: (line: LogLine, text: string) => void = () => undefined,
): WorkerProcess {
  const child = spawn(process.execPath, ['src/cli/main.ts', 'start', '--role', 'worker'], {
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
    env: {
      ...PROGRAM_ENV,
      OCTAVO_AGENT_SELF_REVIEW: 'false',
      OCTAVO_ALLOW_FSYNC_OFF: 'true',
      OCTAVO_RENDER_CHILDREN: '1',
      ...env,
    },
  })
  const leave = () => killGroup(child)
  process.once('exit', leave)
  const running = new Set<string>()
  createInterface({ input: child.stderr }).on('line', (text) => {
    const line = parseLine(text)
    const { job, jobId = '', event } = line
    if (job === 'agent.run' && event === 'job.started') running.add(jobId)
    if (job === 'agent.run' && /^job\.(ended|failed|abandoned)$/.test(event)) running.delete(jobId)
    onLine(line, text)
  })
  return {
    running,
    isAlive: () => child.exitCode === null && child.signalCode === null,
    async kill({ alone = false } = {}) {
      process.off('exit', leave)
      if (child.exitCode !== null || child.signalCode !== null) return killGroup(child)
      const exited = once(child, 'exit')
      if (alone) child.kill('SIGKILL')
      else killGroup(child)
      await exited
    },
  }
}

function killGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  } catch {
    // Already exited.
  }
}

/** Lines that are not JSON come from Node.js itself. */
function parseLine(text: string): LogLine {
  try {
    return JSON.parse(text) as LogLine
  } catch {
    return { event: 'text', text }
  }
}
