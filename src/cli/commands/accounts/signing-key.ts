/** `octavo signing-key`: the key pair for signing bundles. */
import { loadConfig, readPlaceSettings } from '../../../app/config/config.ts'
import { findPlace } from '../../../app/operator/find-server.ts'
import { makeSigner } from '../../../app/operator/signing-key.ts'
import type { Command } from '../../command.ts'

export const signingKey: Command = {
  name: 'signing-key',
  summary: 'Print the public key that bundles are signed with; makes the pair when there is none.',
  worksOn: 'data',
  flags: {},
  async run({ print }) {
    const { dataFolder } = await findPlace(readPlaceSettings())
    const { config } = loadConfig({ data: dataFolder })
    const { file, signer, isNew } = await makeSigner(config)
    print.result({ keyId: signer.keyId, publicKey: signer.publicKey, file, isNew }, [signer.publicKey.trim()])
    print.note(
      isNew
        ? `Made ${file}: bundles are signed with it from now on. Keep a copy; it is not shown.`
        : `Bundles are signed with ${file}.`,
    )
    print.note(`Its id, which manifest.json names as signer: ${signer.keyId}`)
    return 0
  },
}
