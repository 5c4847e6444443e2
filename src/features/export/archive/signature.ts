/**
 * Ed25519 signatures of bundles: `manifest.json.sig` holds 64 bytes that sign `manifest.json`, which lists the hash
 * of every other file and, as `signer`, the key. Equal bytes have equal signatures. They can also be checked with
 * OpenSSL: `openssl pkeyutl -verify -pubin -inkey key.pem -rawin -in manifest.json -sigfile manifest.json.sig`.
 */
import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto'
import { sha256 } from '../../../base/hash.ts'
import type { BundleLook } from './bundle-look.ts'

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
  const key = ed25519(() => createPrivateKey(pem), 'it holds no private key in PEM')
  const publicKey = createPublicKey(pem)
  return {
    keyId: keyIdOf(publicKey),
    publicKey: publicKey.export({ type: 'spki', format: 'pem' }) as string,
    sign: (manifest) => sign(null, manifest, key),
  }
}

/** Throws an Error with a clause that describes the problem. */
export function readPublicKey(pem: string): KeyObject {
  return ed25519(() => createPublicKey(pem), 'it holds no public key in PEM')
}

function ed25519(read: () => KeyObject, otherwise: string): KeyObject {
  let key: KeyObject
  try {
    key = read()
  } catch (cause) {
    throw new Error(otherwise, { cause })
  }
  if (key.asymmetricKeyType !== 'ed25519')
    throw new Error(`it holds a key of the kind ${key.asymmetricKeyType}, and Ed25519 is wanted`)
  return key
}

function keyIdOf(key: KeyObject): string {
  return sha256(key.export({ type: 'spki', format: 'der' }))
}

export interface Verdict {
  /** `unproved`: signed, but no key was given to check it. */
  state: 'unsigned' | 'unproved' | 'proved' | 'refused'
  /** As named in the manifest. */
  signer: string | null
  /** Clauses such as `its signature is missing`. */
  faults: string[]
}

/** Checks the signature. `key` is the expected public key; null when none was given. */
export function judgeSignature(look: BundleLook, key: KeyObject | null): Verdict {
  const named: unknown = look.manifest?.signer
  const signer = typeof named === 'string' ? named : null
  const fault = signatureFault(look, signer, key)
  if (fault !== null) return { state: 'refused', signer, faults: [fault] }
  if (signer === null) return { state: 'unsigned', signer, faults: [] }
  return { state: key === null ? 'unproved' : 'proved', signer, faults: [] }
}

function signatureFault(
  { manifestBytes, signature }: BundleLook,
  signer: string | null,
  key: KeyObject | null,
): string | null {
  if (signer === null) return key === null ? null : 'it is not signed'
  if (signature === null) return 'its signature is missing'
  if (signature.byteLength !== SIGNATURE_BYTES) return 'its signature is damaged'
  if (key === null) return null
  const keyId = keyIdOf(key)
  if (keyId !== signer) return `it is signed with the key ${signer}, and the key given is ${keyId}`
  const fits = verify(null, manifestBytes ?? new Uint8Array(), key, signature)
  return fits ? null : 'its signature does not fit its manifest'
}
