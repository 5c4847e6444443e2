/** A single sign-on provider, and its id in rows and callback URLs. */
import type { Role } from '../../../base/api/roles.ts'

export const SSO_PROVIDER = 'sso'

export function ssoCallbackPath(id: string): string {
  return `/auth/callback/${id}`
}

export interface SingleSignOn {
  /** `sso`, or the id of the organization that the provider belongs to. */
  id: string
  /** Without a trailing slash. */
  issuer: string
  clientId: string
  clientSecret: string
  name: string
  /** Lower-case email domains that may join without an invitation. An organization's provider admits no others. */
  domains: readonly string[]
  role: Role
  /** Organization that users of these domains join; null for the oldest one. */
  organizationId: string | null
  /** Addresses in `domains` count as verified when the provider omits `email_verified`. */
  vouchesForDomains: boolean
  /** The provider itself requires a second factor, so Octavo does not. */
  asksSecondFactor: boolean
}
