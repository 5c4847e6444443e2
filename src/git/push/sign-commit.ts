/**
 * Signs commits with SSH signatures (PROTOCOL.sshsig of OpenSSH). Uses Ed25519 from Node, so that the key is
 * not passed to another program, and signing the same commit again results in the same signature.
 */
import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, sign } from 'node:crypto'

/** Returns the signature for an unsigned commit object. */
export type CommitSigner = (commit: Buffer) => string

const KEY_TYPE = 'ssh-ed25519'
const HASH = 'sha512'
const MAGIC = Buffer.from('SSHSIG')
const VERSION = Buffer.from([0, 0, 0, 1])
const SIGNATURE_NAMESPACE = 'git'

/** Generates a private key in PKCS #8 format. */
export function newSigningKey(): Buffer {
  const { privateKey } = generateKeyPairSync('ed25519')
  return privateKey.export({ type: 'pkcs8', format: 'der' })
}

/** Returns the key in the format of `authorized_keys`, which forges use as well. */
export function publicSigningKey(key: Buffer): string {
  return `${KEY_TYPE} ${publicBytes(key).toString('base64')}`
}

/** Returns the fingerprint in the format that `ssh-keygen -l` and forges show. */
export function keyFingerprint(publicKey: string): string {
  const bytes = Buffer.from(publicKey.split(' ')[1] ?? '', 'base64')
  return `SHA256:${createHash('sha256').update(bytes).digest('base64').replaceAll('=', '')}`
}

export function openCommitSigner(key: Buffer): CommitSigner {
  const privateKey = parsePrivateKey(key)
  const shown = publicBytes(key)
  return (commit) => {
    const frame = [field(SIGNATURE_NAMESPACE), field(''), field(HASH)]
    const digest = createHash(HASH).update(commit).digest()
    const signature = sign(null, Buffer.concat([MAGIC, ...frame, field(digest)]), privateKey)
    const blob = Buffer.concat([field(KEY_TYPE), field(signature)])
    return armorSignature(Buffer.concat([MAGIC, VERSION, field(shown), ...frame, field(blob)]))
  }
}

function parsePrivateKey(key: Buffer) {
  return createPrivateKey({ key, format: 'der', type: 'pkcs8' })
}

function publicBytes(key: Buffer): Buffer {
  const { x } = createPublicKey(parsePrivateKey(key)).export({ format: 'jwk' })
  return Buffer.concat([field(KEY_TYPE), field(Buffer.from(x ?? '', 'base64url'))])
}

/** Encodes a string of the SSH protocol: a length, followed by the content. */
function field(content: string | Buffer): Buffer {
  const bytes = Buffer.from(content)
  const length = Buffer.alloc(4)
  length.writeUInt32BE(bytes.length)
  return Buffer.concat([length, bytes])
}

function armorSignature(bytes: Buffer): string {
  const lines = bytes.toString('base64').match(/.{1,70}/g) ?? []
  return ['-----BEGIN SSH SIGNATURE-----', ...lines, '-----END SSH SIGNATURE-----'].join('\n')
}
