/** A provider of single sign-on, and its id in rows and callback addresses. */
import type { Role } from '../../../base/api/roles.ts'

/** Id of the server's own provider. */
export const SSO_PROVIDER = 'sso'

/** Callback path of a provider; each has its own. */
export function ssoCallback(id: string): string {
  return `/auth/callback/${id}`
}

export interface SingleSignOn {
  /** `sso`, or the id of the organization that it belongs to. */
  id: string
  /** Without a slash at the end. */
  issuer: string
  clientId: string
  clientSecret: string
  /** Label of the button. */
  name: string
  /** E-mail domains, in lower case, that may join without an invitation. A provider of an organization admits no others. */
  domains: readonly string[]
  /** Role of people who join by domain. */
  role: Role
  /** Organization that they join; null for the oldest. */
  organizationId: string | null
  /** Addresses of `domains` count as verified where the provider leaves `email_verified` out. */
  vouchesForDomains: boolean
  /** The provider asks for a second factor itself, so that the one of the account is not asked for. */
  asksSecondFactor: boolean
}
