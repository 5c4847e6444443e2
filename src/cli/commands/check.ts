/** `octavo check`: everything that is wrong in a folder, without keeping what it renders. */
import { createLog } from '../../base/log.ts'
import { checkFolder } from '../../export/check-folder.ts'
import type { Command } from '../command.ts'
import { countProblems, problemLines, sortProblems } from '../problem-lines.ts'
import { bar, createProgressLine } from '../progress-line.ts'

export const check: Command = {
  name: 'check',
  summary: 'List the problems of a folder of docs.json and MDX; exit code 1 when there is an error.',
  positionals: ['folder'],
  flags: {},
  async run({ positionals, print }) {
    const line = createProgressLine()
    const stop = new AbortController()
    process.once('SIGINT', () => stop.abort())
    const checked = await checkFolder({
      folder: positionals[0] as string,
      log: createLog('warn'),
      report: ({ pagesDone, pagesTotal }) =>
        line.update(
          `${bar((pagesDone / Math.max(1, pagesTotal)) * 100)}  ${pagesDone} of ${pagesTotal} pages`,
        ),
      signal: stop.signal,
    }).finally(() => line.end())
    const problems = sortProblems(checked.problems)
    print.result({ ...checked, problems }, [
      ...problemLines(problems),
      `${checked.pages} pages checked; ${countProblems(problems)}.`,
    ])
    return problems.some((problem) => problem.level === 'error') ? 1 : 0
  },
}
