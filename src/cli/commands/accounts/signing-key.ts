/** `octavo signing-key`: the key pair for signing bundles. */
import { loadConfig, readDataSettings } from '../../../app/config/config.ts'
import { findServerLocation } from '../../../app/operator/find-server.ts'
import { createSigningKey } from '../../../app/operator/signing-key.ts'
import type { Command } from '../../command.ts'

export const signingKey: Command = {
  name: 'signing-key',
  summary: 'Print the public key that verifies bundles, creating the key pair if there is none.',
  worksOn: 'data',
  flags: {},
  async run({ print }) {
    const { dataFolder } = await findServerLocation(readDataSettings())
    const { config } = loadConfig({ data: dataFolder })
    const { file, signer, isNew } = await createSigningKey(config)
    print.result({ keyId: signer.keyId, publicKey: signer.publicKey, file, isNew }, [signer.publicKey.trim()])
    print.note(
      isNew
        ? `Created ${file}. Bundles are signed with it from now on. Keep a copy; the private key is not printed.`
        : `Bundles are signed with ${file}.`,
    )
    print.note(`Its ID, given as the signer in manifest.json: ${signer.keyId}`)
    return 0
  },
}
