/** `octavo verify`: whether a bundle is as it was made, without a network. */
import type { Command } from '../command.ts'
import { oneLine } from '../one-line.ts'
import { LONGEST_PATH, readBundle } from '../read-bundle.ts'

/** Further ones are counted. */
const MOST_SHOWN = 20

export const verify: Command = {
  name: 'verify',
  summary: 'Hold every file of a bundle against its manifest; exit code 1 when one differs.',
  worksOn: 'site',
  positionals: ['bundle'],
  flags: {},
  async run({ positionals, print }) {
    const place = positionals[0] as string
    const { manifest, files, faults } = await readBundle(place)
    const bytes = [...files.values()].reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
    const { octavo = null, revision = null, deployment = null, pageCount = null } = manifest ?? {}
    print.result({ files: files.size, bytes, octavo, revision, deployment, pageCount, faults }, [
      ...faults
        .slice(0, MOST_SHOWN)
        .map((fault) => `${oneLine(place, LONGEST_PATH)}: ${oneLine(fault, LONGEST_PATH)}`),
      ...(faults.length > MOST_SHOWN ? [`… and ${faults.length - MOST_SHOWN} more.`] : []),
      faults.length === 0
        ? `${oneLine(place, LONGEST_PATH)} is whole: ${files.size} files, ${(bytes / 1e6).toFixed(1)} MB, made of ${revision}.`
        : `${oneLine(place, LONGEST_PATH)} is not what was made. Export or download it again.`,
    ])
    return faults.length === 0 ? 0 : 1
  },
}
