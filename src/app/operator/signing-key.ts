/** The operator's key for signing bundles, read from its file on each use, so that changes need no restart. */
import { generateKeyPairSync } from 'node:crypto'
import { link, open, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { PermanentError } from '../../base/errors/permanent-error.ts'
import { type BundleSigner, createSigner } from '../../features/export/archive/signature.ts'
import type { Config } from '../config/config.ts'
import { DataFolderError } from '../data-folder.ts'

type SignerConfig = Pick<Config, 'dataFolder' | 'signingKey'>

/** Reads the signer, or null if there is no key. Throws PermanentError if the configured key is unusable. */
export async function findSigner(config: SignerConfig): Promise<BundleSigner | null> {
  const file = signingKeyFile(config)
  try {
    return createSigner(await readFile(file, 'utf8'))
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' && config.signingKey === null) return null
    throw new PermanentError(
      'signing_key_unreadable',
      `The signing key ${file} cannot be used: ${code === undefined || code.startsWith('ERR_') ? message : code}.`,
      { cause: error },
    )
  }
}

export async function createSigningKey(
  config: SignerConfig,
): Promise<{ file: string; signer: BundleSigner; isNew: boolean }> {
  const file = signingKeyFile(config)
  const isNew = await writeNewKey(file)
  const signer = await findSigner(config)
  if (signer === null) throw new DataFolderError(`The signing key ${file} was not saved. Try again.`)
  return { file, signer, isNew }
}

function signingKeyFile({ dataFolder, signingKey }: SignerConfig): string {
  return signingKey ?? join(dataFolder, 'signing-key.pem')
}

/** Writes the file atomically and never replaces an existing one. */
async function writeNewKey(file: string): Promise<boolean> {
  const draft = `${file}.${process.pid}`
  try {
    await using handle = await open(draft, 'w', 0o600)
    const { privateKey } = generateKeyPairSync('ed25519')
    await handle.writeFile(privateKey.export({ type: 'pkcs8', format: 'pem' }))
    await handle.sync()
    await link(draft, file)
    return true
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') return false
    throw new DataFolderError(
      `The signing key ${file} cannot be written (${code}). Give this user write access, or set another file with OCTAVO_SIGNING_KEY_FILE.`,
      { cause: error },
    )
  } finally {
    await rm(draft, { force: true })
  }
}
