/** Passkeys: the browser ceremonies and the matching server requests. */
import { callAuth } from './send.ts'

export interface Passkey {
  id: string
  name?: string | null
  createdAt: string
}

export function canUsePasskeys(): boolean {
  return typeof PublicKeyCredential !== 'undefined' && 'parseRequestOptionsFromJSON' in PublicKeyCredential
}

/** Returns whether the browser can offer passkeys in the autofill of the email field. */
export async function canProposePasskeys(): Promise<boolean> {
  return canUsePasskeys() && (await PublicKeyCredential.isConditionalMediationAvailable?.()) === true
}

/**
 * Requests a passkey. With `isProposal`, passkeys are offered in the field's autofill while the page is open.
 */
export async function requestPasskey({
  signal,
  isProposal,
}: {
  signal?: AbortSignal
  isProposal: boolean
}): Promise<PublicKeyCredential> {
  const options = await callAuth<PublicKeyCredentialRequestOptionsJSON>(
    'passkey/generate-authenticate-options',
  )
  const credential = await navigator.credentials.get({
    publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options),
    ...(signal === undefined ? {} : { signal }),
    ...(isProposal ? { mediation: 'conditional' as const } : {}),
  })
  if (!(credential instanceof PublicKeyCredential))
    throw new DOMException('No passkey was chosen.', 'NotAllowedError')
  return credential
}

export async function signInWithPasskey(passkey: PublicKeyCredential): Promise<void> {
  await callAuth('passkey/verify-authentication', { response: passkey.toJSON() })
}

export async function addPasskey(name: string): Promise<void> {
  const options = await callAuth<PublicKeyCredentialCreationOptionsJSON>('passkey/generate-register-options')
  const credential = await navigator.credentials.create({
    publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options),
  })
  if (!(credential instanceof PublicKeyCredential))
    throw new DOMException('No passkey was created.', 'NotAllowedError')
  await callAuth('passkey/verify-registration', { response: credential.toJSON(), name })
}

/** Returns whether the user cancelled or another ceremony took over; neither is reported as an error. */
export function isCancelled(error: unknown): boolean {
  return error instanceof DOMException && (error.name === 'NotAllowedError' || error.name === 'AbortError')
}
