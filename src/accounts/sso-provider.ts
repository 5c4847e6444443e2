/** The provider of single sign-on: what is known of it, and its name in rows and addresses. */
import type { Role } from '../contract/roles.ts'

/** The one of the server, in the addresses of single sign-on and in the rows of its accounts. */
export const SSO_PROVIDER = 'sso'

/** Where a provider sends people back to, below the public address: each has a place of its own. */
export function ssoCallback(id: string): string {
  return `/auth/callback/${id}`
}

export interface SingleSignOn {
  /** `sso`, or the id of the organization whose it is. */
  id: string
  /** Without a slash at the end. */
  issuer: string
  clientId: string
  clientSecret: string
  /** What the button says. */
  name: string
  /** Of e-mail addresses, whose people may join without an invitation; lower case. One of an organization takes no others. */
  domains: readonly string[]
  /** Of those. */
  role: Role
  /** That those join; null: the oldest. */
  organizationId: string | null
  /** Addresses of `domains` count as verified where the provider leaves `email_verified` out. */
  vouchesForDomains: boolean
  /** The provider asks for a second factor itself, so that the one of the account is not asked for. */
  asksSecondFactor: boolean
}
