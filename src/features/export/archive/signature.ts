/**
 * Ed25519 signatures of bundles: `manifest.json.sig` holds 64 bytes that sign `manifest.json`, which lists the hash
 * of every other file and, as `signer`, the key. Equal bytes have equal signatures. They can also be checked with
 * OpenSSL: `openssl pkeyutl -verify -pubin -inkey key.pem -rawin -in manifest.json -sigfile manifest.json.sig`.
 */
import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto'
import { sha256 } from '../../../base/hash.ts'
import type { BundleInspection } from './bundle-inspection.ts'

export interface BundleSigner {
  /** SHA-256 of the public key (SPKI, DER). */
  keyId: string
  /** PEM. */
  publicKey: string
  sign(manifest: Uint8Array): Uint8Array
}

const SIGNATURE_BYTES = 64

/** Creates a signer from a private key in PEM. Throws an Error with a clause that describes the problem. */
export function createSigner(pem: string): BundleSigner {
  const key = parseEd25519(() => createPrivateKey(pem), 'it holds no private key in PEM')
  const publicKey = createPublicKey(pem)
  return {
    keyId: keyIdOf(publicKey),
    publicKey: publicKey.export({ type: 'spki', format: 'pem' }) as string,
    sign: (manifest) => sign(null, manifest, key),
  }
}

/** Throws an Error with a clause that describes the problem. */
export function readPublicKey(pem: string): KeyObject {
  return parseEd25519(() => createPublicKey(pem), 'it holds no public key in PEM')
}

function parseEd25519(read: () => KeyObject, typeFault: string): KeyObject {
  let key: KeyObject
  try {
    key = read()
  } catch (cause) {
    throw new Error(typeFault, { cause })
  }
  if (key.asymmetricKeyType !== 'ed25519')
    throw new Error(`it holds a key of the kind ${key.asymmetricKeyType}, and Ed25519 is wanted`)
  return key
}

function keyIdOf(key: KeyObject): string {
  return sha256(key.export({ type: 'spki', format: 'der' }))
}

export interface SignatureCheck {
  /** `unproved`: signed, but no key was given to check it. */
  state: 'unsigned' | 'unproved' | 'proved' | 'refused'
  /** As named in the manifest. */
  signer: string | null
  /** Clauses such as `its signature is missing`. */
  faults: string[]
}

/** Checks the signature. `key` is the expected public key; null when none was given. */
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
  if (keyId !== signer) return `it is signed with the key ${signer}, and the key given is ${keyId}`
  const isValid = verify(null, manifestBytes ?? new Uint8Array(), key, signature)
  return isValid ? null : 'its signature does not fit its manifest'
}
