/** `octavo diff`: lists the differences that readers can see between two bundles. */
import { type Changes, compareBundles } from '../../../features/export/archive/compare-bundles.ts'
import { type Command, UsageError } from '../../command.ts'
import { oneLine } from '../../one-line.ts'
import { MAX_PATH_CHARACTERS, requireIntactBundle } from '../../read-bundle.ts'

export const diff: Command = {
  name: 'diff',
  summary: 'List added, removed and changed pages and files between two bundles.',
  worksOn: 'site',
  positionals: ['old', 'new'],
  flags: {},
  async run({ positionals, print }) {
    const [old, now] = await Promise.all(positionals.map(requireIntactBundle))
    if (!old || !now) throw new UsageError('Two bundles are required.')
    const difference = compareBundles(old, now)
    const { pages, files } = difference
    print.result(difference, [
      ...formatChanges(pages),
      `Pages: ${formatCounts(pages)}. Other files: ${formatCounts(files)}.`,
    ])
    return 0
  },
}

function formatChanges({ added, removed, changed }: Changes): string[] {
  return [
    ...added.map((path) => `+ ${oneLine(path, MAX_PATH_CHARACTERS)}`),
    ...removed.map((path) => `- ${oneLine(path, MAX_PATH_CHARACTERS)}`),
    ...changed.map((path) => `~ ${oneLine(path, MAX_PATH_CHARACTERS)}`),
  ]
}

function formatCounts({ added, removed, changed }: Changes): string {
  return `${added.length} added, ${removed.length} removed, ${changed.length} changed`
}
