/** What the audit log says of an answer of the sign-in endpoints. */

export interface SignInEvent {
  action: string
  details: Record<string, unknown>
}

export interface SignInOutcome {
  endpoint: string
  status: number
  /** Who was signed in when it was asked. */
  before: object | null
  /** Whose session it began. */
  signedInUserId: string | null
}

/** How one proves who one is, by endpoint. */
const PROOFS: Record<string, string> = {
  'sign-in/email': 'password',
  'two-factor/verify-totp': 'code',
  'two-factor/verify-backup-code': 'recovery code',
  'passkey/verify-authentication': 'passkey',
  'callback/sso': 'single sign-on',
}

/** What somebody who is signed in does to their own account. */
const CHANGES: Record<string, string> = {
  'sign-out': 'member.signed_out',
  'change-password': 'member.password_changed',
  'two-factor/verify-totp': 'second_factor.switched_on',
  'two-factor/disable': 'second_factor.switched_off',
  'two-factor/generate-backup-codes': 'second_factor.recovery_codes_made',
  'passkey/verify-registration': 'passkey.added',
  'passkey/delete-passkey': 'passkey.removed',
}

/** Null when there is nothing to say: the first half of a sign-in, a look. */
export function eventOf({ endpoint, status, before, signedInUserId }: SignInOutcome): SignInEvent | null {
  const by = PROOFS[endpoint]
  if (before !== null) {
    const action = CHANGES[endpoint]
    return action === undefined || status >= 300 ? null : { action, details: {} }
  }
  if (by === undefined) return null
  if (signedInUserId !== null) return { action: 'member.signed_in', details: { by } }
  return status >= 400 && status < 500 ? { action: 'member.sign_in_failed', details: { by } } : null
}
