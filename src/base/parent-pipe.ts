/**
 * Wraps a command so that its process dies with its parent, however the parent ends. The process is started through a
 * shell that leaves a subshell behind, which waits on a pipe held by the parent. If the pipe closes without a
 * message, the parent is dead and the subshell kills the process.
 */
import type { ChildProcess } from 'node:child_process'

export interface DieWithParentOptions {
  /** Whether the process leads its own process group, all of which is killed. */
  isGroup: boolean
  /** Maximum address space in kilobytes; unlimited if left out. */
  addressSpace?: number
  /** Maximum CPU time in seconds; unlimited if left out. */
  processorSeconds?: number
}

/** File descriptor of the pipe in the child. The parent writes a line to it before it exits normally. */
export const PARENT_PIPE_FD = 3

export function dieWithParent(
  command: string,
  args: readonly string[],
  { isGroup, addressSpace, processorSeconds }: DieWithParentOptions,
): { command: string; args: string[] } {
  if (process.platform === 'win32') return { command, args: [...args] }
  // Shells that do not support a limit continue without it.
  const limits = [
    addressSpace === undefined ? '' : `ulimit -v ${addressSpace} 2>/dev/null`,
    processorSeconds === undefined ? '' : `ulimit -t ${processorSeconds} 2>/dev/null`,
    'ulimit -c 0 2>/dev/null',
  ]
  const script = `
    ${limits.filter(Boolean).join('\n    ')}
    (read word <&${PARENT_PIPE_FD} || kill -9 ${isGroup ? '-' : ''}$$) </dev/null >/dev/null 2>&1 4>&- &
    exec "$0" "$@" ${PARENT_PIPE_FD}<&-`
  return { command: '/bin/sh', args: ['-c', script, command, ...args] }
}

/** Kills the process group that a process leads, even after the process has ended. */
export function killProcessGroup(child: ChildProcess): void {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
  } catch {
    child.kill('SIGKILL') // there is no process group on this system, or it has already ended
  }
}
