/** A single sign-on provider, and its id in rows and callback URLs. */
import type { Role } from '../../../base/api/roles.ts'

/** Id of the server's own provider. */
export const SSO_PROVIDER = 'sso'

/** Returns the callback path of a provider; each has its own. */
export function ssoCallback(id: string): string {
  return `/auth/callback/${id}`
}

export interface SingleSignOn {
  /** `sso`, or the id of the organization that the provider belongs to. */
  id: string
  /** Without a trailing slash. */
  issuer: string
  clientId: string
  clientSecret: string
  /** Label of the sign-in button. */
  name: string
  /** Lower-case e-mail domains that may join without an invitation. An organization's provider admits no others. */
  domains: readonly string[]
  /** Role of people who join by e-mail domain. */
  role: Role
  /** Organization that they join; null for the oldest one. */
  organizationId: string | null
  /** Addresses in `domains` count as verified when the provider omits `email_verified`. */
  vouchesForDomains: boolean
  /** The provider asks for a second factor itself, so we do not. */
  asksSecondFactor: boolean
}
