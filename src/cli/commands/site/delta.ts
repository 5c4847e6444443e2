/** `octavo delta` and `octavo apply`: updates an archive to the next version without transferring all of it. */
import { createHash } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { openAppliedDelta } from '../../../features/export/archive/apply-delta.ts'
import { DeltaError } from '../../../features/export/archive/delta-format.ts'
import { makeDelta } from '../../../features/export/archive/make-delta.ts'
import { type Command, UsageError } from '../../command.ts'
import { oneLine } from '../../one-line.ts'
import { checkOutputFile, writeOutputFile } from '../../output-file.ts'
import { MAX_PATH_CHARACTERS, requireIntactBundle } from '../../read-bundle.ts'
import { megabytes } from '../../table.ts'

export const delta: Command = {
  name: 'delta',
  summary: 'Write and verify a delta between two archives.',
  worksOn: 'site',
  positionals: ['old', 'new'],
  flags: {
    out: { value: 'file', help: 'Output file of the delta, for example update.delta.', isRequired: true },
  },
  async run({ positionals, flag, print }) {
    const [old, now] = positionals as [string, string]
    const out = flag('out') as string
    await checkOutputFile(out)
    for (const archivePath of [old, now]) await requireArchive(archivePath)
    const { plan, bytes } = await makeDelta(old, now)
    await writeOutputFile(out, bytes)
    await verifyDelta(old, out)
    const { size } = await stat(out)
    const { from, to } = plan
    print.result({ out, sizeBytes: size, from, to }, [
      `${oneLine(out, MAX_PATH_CHARACTERS)}: ${megabytes(size)} MB instead of ${megabytes(to.sizeBytes)}`,
      `from sha256 ${from.sha256}`,
      `to   sha256 ${to.sha256}`,
    ])
    return 0
  },
}

export const apply: Command = {
  name: 'apply',
  summary: 'Apply a delta to an archive; nothing is written unless every byte is correct.',
  worksOn: 'site',
  positionals: ['old', 'delta'],
  flags: {
    out: { value: 'file', help: 'Output file of the new archive, for example new.tar.gz.', isRequired: true },
  },
  async run({ positionals, flag, print }) {
    const [old, update] = positionals as [string, string]
    const out = flag('out') as string
    await checkOutputFile(out)
    await using applied = await openAppliedDelta(old, update)
    await writeOutputFile(out, applied.bytes)
    const { from, to } = applied
    print.result({ out, ...to, from }, [
      `${oneLine(out, MAX_PATH_CHARACTERS)}: ${megabytes(to.sizeBytes)} MB, identical to the original new archive`,
      `sha256 ${to.sha256}`,
    ])
    return 0
  },
}

/** Requires an intact archive, since a delta would carry damage over. */
async function requireArchive(archivePath: string): Promise<void> {
  if ((await stat(archivePath).catch(() => null))?.isDirectory())
    throw new UsageError(
      `${archivePath} is a folder. Deltas are created from archives written by octavo export.`,
    )
  await requireIntactBundle(archivePath)
}

async function verifyDelta(old: string, out: string): Promise<void> {
  await using applied = await openAppliedDelta(old, out)
  const hash = createHash('sha256')
  for await (const part of applied.bytes) hash.update(part)
  if (hash.digest('hex') !== applied.to.sha256)
    throw new DeltaError(`${out} does not produce the new archive.`)
}
