/** `octavo dev`: a live preview of a folder. */
import { createLog } from '../../../base/log.ts'
import { openPreview } from '../../../preview/open-preview.ts'
import type { PreviewReport } from '../../../preview/preview-report.ts'
import { type Command, type Printer, UsageError } from '../../command.ts'
import { openBrowser } from '../../open-browser.ts'
import { isOperatorError } from '../../operator-error.ts'
import { formatProblemLines } from '../../problem-lines.ts'
import { counted } from '../../progress-line.ts'
import { createStopSignal, whenAborted } from '../../stop-signal.ts'

const DEFAULT_PORT = 3333
/** Number of ports tried after the default port. An explicitly requested port has no fallback. */
const FALLBACK_PORT_COUNT = 9
const MAX_NAMED_FILES = 3

export const dev: Command = {
  name: 'dev',
  summary: 'Preview a folder on this machine; pages reload when their files are saved.',
  worksOn: 'site',
  positionals: ['folder'],
  flags: {
    port: {
      value: 'number',
      help: `Port; 0 for any free port. Default: ${DEFAULT_PORT} or the next free port.`,
    },
    open: { help: 'Open the preview in the browser.' },
  },
  async run({ positionals, flag, has, print }) {
    const log = createLog('error')
    await using preview = await openPreview({
      folder: positionals[0] as string,
      ...parsePort(flag('port')),
      log,
      report: (event) => printReport(print, event),
    })
    const stopping = createStopSignal()
    print.result({ url: preview.url }, [`Preview at ${preview.url}. Press Ctrl+C to stop.`])
    if (has('open') && !(await openBrowser(preview.url))) print.note('No browser could be opened.')
    await whenAborted(stopping)
    return 0
  },
}

function parsePort(text: string | undefined): { port: number; more: number } {
  if (text === undefined) return { port: DEFAULT_PORT, more: FALLBACK_PORT_COUNT }
  const port = Number(text)
  if (!/^\d+$/.test(text) || port > 65_535) throw new UsageError('--port must be a number up to 65535.')
  return { port, more: 0 }
}

function printReport(print: Printer, event: PreviewReport): void {
  switch (event.kind) {
    case 'shown':
      if (event.changed.length > 0)
        print.note(`${formatFileNames(event.changed)}: shown after ${event.milliseconds.toFixed(0)} ms`)
      else print.note(counted(event.pages, 'page'))
      return
    case 'problems':
      for (const line of formatProblemLines(event.fresh)) print.note(line)
      if (event.solved > 0)
        print.note(`${event.solved} ${event.solved === 1 ? 'problem' : 'problems'} solved`)
      return
    case 'surveyed':
      return
    case 'fault': {
      const { error } = event
      const isKnown = error instanceof Error && isOperatorError(error)
      print.note(
        isKnown ? error.message : error instanceof Error ? (error.stack ?? error.message) : String(error),
      )
    }
  }
}

function formatFileNames(files: readonly string[]): string {
  const named = files.slice(0, MAX_NAMED_FILES).join(', ')
  return files.length > MAX_NAMED_FILES ? `${named} and ${files.length - MAX_NAMED_FILES} more` : named
}
