/** The open endpoints of the sign-in library, and the audit events of their responses. */
import type { AuditRule } from '../../../base/api/operation.ts'
import type { AuditAction } from '../../audit-actions.ts'

export interface SignInEndpoint {
  method: 'GET' | 'POST'
  /** Accepted fields of the body; others are dropped. */
  fields?: readonly string[]
  /** Name of the proof of identity that the endpoint checks; absent if it checks none. */
  proof?: string
  audit: AuditRule<AuditAction>
}

const NOT_SIGNED_IN = { none: 'nobody is signed in yet: the sign-in itself has a row' }
const READ_ONLY = { none: 'it only asks' }

/** Sign-in endpoints that are open; all others of the library return 404. */
export const SIGN_IN_ENDPOINTS: Readonly<Record<string, SignInEndpoint>> = {
  'sign-in/email': { method: 'POST', fields: ['email', 'password'], proof: 'password', audit: NOT_SIGNED_IN },
  'sign-in/social': { method: 'POST', fields: ['callbackURL', 'errorCallbackURL'], audit: NOT_SIGNED_IN },
  'callback/sso': { method: 'GET', proof: 'single sign-on', audit: NOT_SIGNED_IN },
  'verify-password': { method: 'POST', fields: ['password'], proof: 'password', audit: 'session.proved' },
  'sign-out': { method: 'POST', audit: 'member.signed_out' },
  'change-password': {
    method: 'POST',
    fields: ['currentPassword', 'newPassword'],
    audit: 'member.password_changed',
  },
  'update-user': { method: 'POST', fields: ['name'], audit: 'member.renamed' },
  'two-factor/enable': { method: 'POST', fields: ['password'], audit: 'second_factor.begun' },
  'two-factor/disable': { method: 'POST', fields: ['password'], audit: 'second_factor.switched_off' },
  'two-factor/verify-totp': {
    method: 'POST',
    fields: ['code'],
    proof: 'code',
    audit: 'second_factor.switched_on',
  },
  'two-factor/verify-backup-code': {
    method: 'POST',
    fields: ['code'],
    proof: 'recovery code',
    audit: 'session.proved',
  },
  'two-factor/generate-backup-codes': {
    method: 'POST',
    fields: ['password'],
    audit: 'second_factor.recovery_codes_made',
  },
  'passkey/generate-register-options': { method: 'GET', audit: READ_ONLY },
  'passkey/verify-registration': { method: 'POST', fields: ['response', 'name'], audit: 'passkey.added' },
  'passkey/generate-authenticate-options': { method: 'GET', audit: READ_ONLY },
  'passkey/verify-authentication': {
    method: 'POST',
    fields: ['response'],
    proof: 'passkey',
    audit: 'session.proved',
  },
  'passkey/list-user-passkeys': { method: 'GET', audit: READ_ONLY },
  'passkey/delete-passkey': { method: 'POST', fields: ['id'], audit: 'passkey.removed' },
  'passkey/update-passkey': { method: 'POST', fields: ['id', 'name'], audit: 'passkey.renamed' },
}

export interface SignInEvent {
  action: AuditAction
  details: Record<string, unknown>
}

export interface SignInOutcome {
  endpoint: string
  status: number
  before: { id: string; twoFactorEnabled: boolean } | null
  signedInUserId: string | null
}

/** Returns null for calls without an event: the first step of a sign-in, and reads. */
export function toSignInEvent({
  endpoint,
  status,
  before,
  signedInUserId,
}: SignInOutcome): SignInEvent | null {
  const { proof, audit } = SIGN_IN_ENDPOINTS[endpoint] as SignInEndpoint
  const isRefused = status >= 400 && status < 500
  if (before !== null && (signedInUserId ?? before.id) === before.id) {
    if (isRefused)
      return proof === undefined ? null : { action: 'session.proof_failed', details: { by: proof } }
    if (typeof audit !== 'string' || status >= 300) return null
    // Once codes are on, verifying one proves identity and enables nothing.
    if (audit === 'session.proved' || (endpoint === 'two-factor/verify-totp' && before.twoFactorEnabled))
      return { action: 'session.proved', details: { by: proof ?? 'code' } }
    return { action: audit, details: {} }
  }
  if (proof === undefined) return null
  if (signedInUserId !== null) return { action: 'member.signed_in', details: { by: proof } }
  return isRefused ? { action: 'member.sign_in_failed', details: { by: proof } } : null
}
