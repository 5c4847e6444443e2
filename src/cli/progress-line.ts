/** A progress line on standard error, shown on terminals only. */
export interface ProgressLine {
  /** A function is only called when the line is drawn. */
  update(text: string | (() => string)): void
  end(): void
}

/** Width for terminals that report 0 columns. */
const DEFAULT_TERMINAL_COLUMNS = 80

/** Redraws at most every 80 ms; silent if standard error is not a terminal. */
export function createProgressLine(stream: NodeJS.WriteStream = process.stderr): ProgressLine {
  let drawnAt = 0
  let isDrawn = false
  return {
    update(text) {
      if (!stream.isTTY || Date.now() - drawnAt < 80) return
      drawnAt = Date.now()
      isDrawn = true
      const line = typeof text === 'string' ? text : text()
      stream.write(`\r\x1b[2K${line.slice(0, (stream.columns || DEFAULT_TERMINAL_COLUMNS) - 1)}`)
    },
    end() {
      if (isDrawn) stream.write('\r\x1b[2K')
      isDrawn = false
    },
  }
}

export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

/** Returns `[██████░░░░]  62 %`, with the percentage rounded down and clamped to 0–100. */
export function bar(percent: number, width = 24): string {
  const wholePercent = Math.floor(Math.min(100, Math.max(0, percent || 0)))
  const filled = Math.round((wholePercent / 100) * width)
  return `[${'█'.repeat(filled)}${'░'.repeat(width - filled)}] ${wholePercent.toString().padStart(3)} %`
}

/** Returns `[████░░]  62 %  31 of 50 pages`; the total is null until it is known. */
export function formatCountBar(done: number, total: number | null, noun: string): string {
  const wholePercent = Math.floor(done)
  if (total === null || total === 0) return `${bar(0)}  ${wholePercent} ${noun}`
  return `${bar((wholePercent / total) * 100)}  ${wholePercent} of ${total} ${noun}`
}
