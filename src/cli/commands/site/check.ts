/** `octavo check`: reports all problems of a folder without storing rendered pages. */

import { relative, sep } from 'node:path'
import { readSampleRunner } from '../../../app/config/config.ts'
import { cacheFolder } from '../../../app/operator/caller.ts'
import type { Problem } from '../../../base/errors/problem.ts'
import { disableHeapPool } from '../../../base/heap-pool.ts'
import type { CheckedFolder } from '../../../features/export/check-folder.ts'
import { codeQualityReport, githubAnnotations } from '../../annotations.ts'
import { type Command, type Printer, UsageError } from '../../command.ts'
import { DEPLOYMENT_FLAG, NO_CACHE_FLAG, readDeployment } from '../../deployment-flag.ts'
import { oneLine } from '../../one-line.ts'
import { countProblems, formatProblemLines, sortProblems } from '../../problem-lines.ts'
import { counted, createProgressLine, formatCountBar } from '../../progress-line.ts'
import { createStopSignal, StoppedError } from '../../stop-signal.ts'

const FORMATS = ['text', 'json', 'github', 'gitlab'] as const
type Format = (typeof FORMATS)[number]

export const check: Command = {
  name: 'check',
  summary: 'List the problems in a folder with docs.json and MDX files; exit code 1 on errors.',
  worksOn: 'site',
  positionals: ['folder'],
  flags: {
    format: { value: 'form', help: 'text (default), json, github (annotations) or gitlab (code quality).' },
    deployment: DEPLOYMENT_FLAG,
    'no-cache': NO_CACHE_FLAG,
  },
  async run({ positionals, flag, has, print }) {
    const folder = positionals[0] as string
    const format = parseFormat(flag('format'), print)
    const deployment = readDeployment(flag('deployment'))
    if (format === 'text') print.note(`Checking ${oneLine(folder)} …`)
    disableHeapPool()
    const line = createProgressLine()
    const signal = createStopSignal(new StoppedError('Stopped.'))
    // Loaded late, so that the first line appears before the renderer, which takes a moment to load.
    const [{ checkFolder }, { createLog }] = await Promise.all([
      import('../../../features/export/check-folder.ts'),
      import('../../../base/log.ts'),
    ])
    const checked = await checkFolder({
      folder,
      deployment,
      cacheFolder: has('no-cache') ? undefined : cacheFolder(),
      sampleRunner: readSampleRunner(),
      log: createLog('warn'),
      report: ({ pagesDone, pagesTotal }) =>
        line.update(() => formatCountBar(pagesDone, pagesTotal, 'pages')),
      signal,
    }).finally(() => line.end())
    const problems = sortProblems(checked.problems)
    printCheckResult(print, format, { ...checked, problems }, folderInRepository(folder))
    return problems.some((problem) => problem.level === 'error') ? 1 : 0
  },
}

function parseFormat(text: string | undefined, { isJson }: Printer): Format {
  const format = FORMATS.find((one) => one === (text ?? (isJson ? 'json' : 'text')))
  if (!format) throw new UsageError(`--format must be one of ${FORMATS.join(', ')}.`)
  if (isJson && format !== 'json') throw new UsageError(`--json and --format ${format} cannot be combined.`)
  return format
}

function printCheckResult(print: Printer, format: Format, checked: CheckedFolder, folder: string): void {
  const { pages, problems } = checked
  const summary = `${counted(pages, 'page')} checked; ${countProblems(problems)}.`
  if (format === 'json') print.document(checked)
  else if (format === 'gitlab') print.document(codeQualityReport(problems, folder))
  else print.result(checked, [...formatProblems(format, problems, folder), summary])
}

function formatProblems(format: 'text' | 'github', problems: readonly Problem[], folder: string): string[] {
  return format === 'github' ? githubAnnotations(problems, folder) : formatProblemLines(problems)
}

/** Returns a path relative to the working directory, because CI checks run at the root of the repository. */
function folderInRepository(folder: string): string {
  return relative(process.cwd(), folder).split(sep).join('/')
}
