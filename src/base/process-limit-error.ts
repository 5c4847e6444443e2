/**
 * The process that did the work was ended: it passed one of its bounds, or it crashed. The message is a sentence for
 * the one whose content it worked on. A later attempt may succeed, so it is tried again, a bounded number of times.
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
