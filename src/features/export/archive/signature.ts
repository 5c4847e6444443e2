/**
 * Ed25519 signatures of bundles. The 64 bytes of `manifest.json.sig` sign `manifest.json`, which contains the
 * hash of every other file and, as `signer`, the key. Equal bytes have equal signatures. OpenSSL can verify
 * them: `openssl pkeyutl -verify -pubin -inkey key.pem -rawin -in manifest.json -sigfile manifest.json.sig`.
 */
import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto'
import { sha256 } from '../../../base/hash.ts'
import type { BundleInspection } from './bundle-inspection.ts'

export interface BundleSigner {
  /** SHA-256 of the public key (SPKI, DER). */
  keyId: string
  /** In PEM format. */
  publicKey: string
  sign(manifest: Uint8Array): Uint8Array
}

const SIGNATURE_BYTES = 64

/** Parses a private key in PEM. Throws an Error whose message is a clause without a final period. */
export function createSigner(pem: string): BundleSigner {
  const key = parseEd25519(() => createPrivateKey(pem), 'it contains no private key in PEM format')
  const publicKey = createPublicKey(pem)
  return {
    keyId: keyIdOf(publicKey),
    publicKey: publicKey.export({ type: 'spki', format: 'pem' }) as string,
    sign: (manifest) => sign(null, manifest, key),
  }
}

/** Throws an Error whose message is a clause without a final period. */
export function readPublicKey(pem: string): KeyObject {
  return parseEd25519(() => createPublicKey(pem), 'it contains no public key in PEM format')
}

function parseEd25519(read: () => KeyObject, typeFault: string): KeyObject {
  let key: KeyObject
  try {
    key = read()
  } catch (cause) {
    throw new Error(typeFault, { cause })
  }
  if (key.asymmetricKeyType !== 'ed25519')
    throw new Error(`it contains a ${key.asymmetricKeyType} key instead of an Ed25519 key`)
  return key
}

function keyIdOf(key: KeyObject): string {
  return sha256(key.export({ type: 'spki', format: 'der' }))
}

export interface SignatureCheck {
  /** `unproved` is a signed bundle for which no key is given. */
  state: 'unsigned' | 'unproved' | 'proved' | 'refused'
  signer: string | null
  /** Clauses without a final period, such as `its signature is missing`. */
  faults: string[]
}

/** `key` is the expected public key, or null if none is given. */
export function checkSignature(inspection: BundleInspection, key: KeyObject | null): SignatureCheck {
  const named: unknown = inspection.manifest?.signer
  const signer = typeof named === 'string' ? named : null
  const fault = signatureFault(inspection, signer, key)
  if (fault !== null) return { state: 'refused', signer, faults: [fault] }
  if (signer === null) return { state: 'unsigned', signer, faults: [] }
  return { state: key === null ? 'unproved' : 'proved', signer, faults: [] }
}

function signatureFault(
  { manifestBytes, signature }: BundleInspection,
  signer: string | null,
  key: KeyObject | null,
): string | null {
  if (signer === null) return key === null ? null : 'it is not signed'
  if (signature === null) return 'its signature is missing'
  if (signature.byteLength !== SIGNATURE_BYTES) return 'its signature is damaged'
  if (key === null) return null
  const keyId = keyIdOf(key)
  if (keyId !== signer) return `it is signed with the key ${signer}, not with the given key ${keyId}`
  const isValid = verify(null, manifestBytes ?? new Uint8Array(), key, signature)
  return isValid ? null : 'its signature does not match its manifest'
}
