/** One line on standard error that counts; only where a person watches. */
export interface ProgressLine {
  update(text: string): void
  /** Clears the line. */
  end(): void
}

/** Redraws at most every 80 ms; silent when standard error is not a terminal. */
export function createProgressLine(stream: NodeJS.WriteStream = process.stderr): ProgressLine {
  let drawnAt = 0
  let isDrawn = false
  return {
    update(text) {
      if (!stream.isTTY || Date.now() - drawnAt < 80) return
      drawnAt = Date.now()
      isDrawn = true
      stream.write(`\r\x1b[2K${text.slice(0, (stream.columns ?? 80) - 1)}`)
    },
    end() {
      if (isDrawn) stream.write('\r\x1b[2K')
      isDrawn = false
    },
  }
}

/** `[██████░░░░]  62 %` */
export function bar(percent: number, width = 24): string {
  const filled = Math.round((Math.min(100, Math.max(0, percent)) / 100) * width)
  return `[${'█'.repeat(filled)}${'░'.repeat(width - filled)}] ${Math.floor(percent).toString().padStart(3)} %`
}
