/**
 * `octavo truth`: lists statements in the docs that are based on code, and statements that a code change may have made
 * false.
 */
import { cacheFolder } from '../../../app/operator/caller.ts'
import { disableHeapPool } from '../../../base/heap-pool.ts'
import type { Command } from '../../command.ts'
import { NO_CACHE_FLAG } from '../../deployment-flag.ts'
import { oneLine } from '../../one-line.ts'
import { createStopSignal, StoppedError } from '../../stop-signal.ts'

const MAX_LINE = 300

export const truth: Command = {
  name: 'truth',
  summary:
    'Link statements in the docs to lines of code; with --since, list the statements that may no longer be true.',
  worksOn: 'site',
  positionals: ['folder'],
  flags: {
    code: { value: 'folder', help: 'Folder that contains the code.', isRequired: true },
    since: {
      value: 'commit',
      help: 'Compare the code with this commit, branch or tag; exit code 1 if a statement may no longer be true.',
    },
    'no-cache': NO_CACHE_FLAG,
  },
  async run({ positionals, flag, has, print }) {
    const [docs = ''] = positionals
    const since = flag('since') ?? null
    disableHeapPool()
    const [{ checkStatements }, { describeAlarms, describeMap }] = await Promise.all([
      import('../../../features/statements/check-folders.ts'),
      import('../../../features/statements/describe.ts'),
    ])
    const { map, alarms } = await checkStatements({
      docs,
      code: flag('code') as string,
      since,
      cacheFolder: has('no-cache') ? undefined : cacheFolder(),
      signal: createStopSignal(new StoppedError('Stopped.')),
    })
    const lines = alarms === null ? describeMap(map) : describeAlarms(alarms)
    print.result(
      { ...map, ...(alarms !== null && { alarms }) },
      lines.map((line) => oneLine(line, MAX_LINE)),
    )
    return alarms !== null && alarms.length > 0 ? 1 : 0
  },
}
