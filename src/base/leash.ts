/**
 * A command whose process dies with its starter, however that went. The process is started through a shell of which a
 * part stays behind and waits on a pipe that the starter holds: when the pipe ends without a word, the starter is dead,
 * and so shall be the process.
 */

export interface LeashOptions {
  /** The process leads a group of its own, which is killed whole. */
  isGroup: boolean
  /** Kilobytes of address space; unbounded when left out. */
  addressSpace?: number
  /** Seconds of processor time; unbounded when left out. */
  processorSeconds?: number
}

/** File descriptor of the process's end of the leash: a pipe, to which the starter writes a line when it is over. */
export const LEASH = 3

export function leashed(
  command: string,
  args: readonly string[],
  { isGroup, addressSpace, processorSeconds }: LeashOptions,
): { command: string; args: string[] } {
  if (process.platform === 'win32') return { command, args: [...args] }
  // A shell that does not know a limit goes on without it.
  const limits = [
    addressSpace === undefined ? '' : `ulimit -v ${addressSpace} 2>/dev/null`,
    processorSeconds === undefined ? '' : `ulimit -t ${processorSeconds} 2>/dev/null`,
    'ulimit -c 0 2>/dev/null',
  ]
  const script = `
    ${limits.filter(Boolean).join('\n    ')}
    (read word <&${LEASH} || kill -9 ${isGroup ? '-' : ''}$$) </dev/null >/dev/null 2>&1 4>&- &
    exec "$0" "$@" ${LEASH}<&-`
  return { command: '/bin/sh', args: ['-c', script, command, ...args] }
}
