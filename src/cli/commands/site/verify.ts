/** `octavo verify`: checks offline whether a bundle is unmodified, and who signed it. */
import type { KeyObject } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import {
  checkSignature,
  readPublicKey,
  type SignatureCheck,
} from '../../../features/export/archive/signature.ts'
import { type Command, UsageError } from '../../command.ts'
import { oneLine } from '../../one-line.ts'
import { MAX_PATH_CHARACTERS, readBundle } from '../../read-bundle.ts'

const MAX_SHOWN_FAULTS = 20
const MAX_KEY_BYTES = 64 * 1024

export const verify: Command = {
  name: 'verify',
  summary: 'Verify a bundle against its manifest; exit code 1 on differences.',
  worksOn: 'site',
  positionals: ['bundle'],
  flags: {
    key: {
      value: 'file',
      help: 'Public key (PEM) of the publisher, which must match the signature of the bundle.',
    },
  },
  async run({ positionals, flag, print }) {
    const bundlePath = positionals[0] as string
    const keyFile = flag('key')
    const key = keyFile === undefined ? null : await readKey(keyFile)
    const inspected = await readBundle(bundlePath)
    const verdict = checkSignature(inspected, key)
    const { manifest, files } = inspected
    const faults = [...inspected.faults, ...verdict.faults]
    const bytes = [...files.values()].reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
    const { octavo = null, revision = null, deployment = null, pageCount = null } = manifest ?? {}
    const signature = { state: verdict.state, signer: verdict.signer }
    const named = oneLine(bundlePath, MAX_PATH_CHARACTERS)
    const shown = faults
      .slice(0, MAX_SHOWN_FAULTS)
      .map((fault) => `${named}: ${oneLine(fault, MAX_PATH_CHARACTERS)}`)
    print.result({ files: files.size, bytes, octavo, revision, deployment, pageCount, signature, faults }, [
      ...shown,
      ...(faults.length > MAX_SHOWN_FAULTS ? [`… and ${faults.length - MAX_SHOWN_FAULTS} more.`] : []),
      ...(inspected.faults.length === 0
        ? [
            `${named} is intact: ${files.size} files, ${(bytes / 1e6).toFixed(1)} MB, built from ${oneLine(String(revision), MAX_PATH_CHARACTERS)}.`,
          ]
        : [`${named} does not match its manifest. Export or download it again.`]),
      ...(inspected.manifest === null ? [] : [describeVerdict(verdict)]),
    ])
    return faults.length === 0 ? 0 : 1
  },
}

function describeVerdict({ state, signer, faults }: SignatureCheck): string {
  const key = oneLine(signer ?? '', MAX_PATH_CHARACTERS)
  if (state === 'proved') return `Signed with the key ${key}.`
  if (state === 'unproved')
    return `It claims the signer ${key}. Verify this with the public key: --key <file>.`
  if (state === 'unsigned') return 'It is not signed, so its origin cannot be verified.'
  return faults[0] === 'it is not signed'
    ? 'Ask the publisher for a signed bundle. The operator of the server can create a key with octavo signing-key.'
    : 'Do not trust it. Ask the publisher for the correct key, or download it again.'
}

async function readKey(file: string): Promise<KeyObject> {
  const stats = await stat(file).catch(() => null)
  if (stats === null)
    throw new UsageError(`There is no file ${file}. Use the file with the publisher's public key.`)
  if (!stats.isFile() || stats.size > MAX_KEY_BYTES) throw new UsageError(`${file} is not a public key.`)
  try {
    return readPublicKey(await readFile(file, 'utf8'))
  } catch (error) {
    throw new UsageError(`${file} cannot be used as a key: ${(error as Error).message}.`)
  }
}
