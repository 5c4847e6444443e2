/**
 * Reason why a process ended: it exceeded a limit or crashed. The message of ProcessLimitError is a sentence for the
 * owner of the processed content. A retry may succeed, so the work is attempted again, a limited number of times.
 */
export type ProcessEnd = 'memory' | 'processor_time' | 'wall_clock' | 'crash'

export class ProcessLimitError extends Error {
  override name = 'ProcessLimitError'
  readonly end: ProcessEnd
  constructor(end: ProcessEnd, message: string) {
    super(message)
    this.end = end
  }
}
