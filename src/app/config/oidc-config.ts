/** Configuration of single sign-on with an OpenID Connect provider. */

import { DEFAULT_PROVIDER_NAME } from '../../base/api/provider-name.ts'
import { splitList } from '../../base/text/split-list.ts'
import type { EnvironmentSignIn } from '../../features/accounts/sign-in/sign-in-settings.ts'
import { SSO_PROVIDER } from '../../features/accounts/sign-in/sso-provider.ts'
import { OPTIONS } from './config-options.ts'
import type { Reader, Text } from './read-setting.ts'

export interface OidcConfig {
  /** Without a trailing slash. */
  issuer: string
  clientId: string
  name: string
  /** Lower-case domains whose users may join without an invitation. */
  domains: readonly string[]
  role: 'viewer' | 'editor' | 'admin'
  vouchesForDomains: boolean
  asksSecondFactor: boolean
}

export function readOidcConfig(text: Text, read: Reader): OidcConfig | null {
  const role = read.oneOf('oidcRole', ['viewer', 'editor', 'admin'])
  const vouchesForDomains = read.boolean('oidcUnverified')
  const asksSecondFactor = read.boolean('oidcSecondFactor')
  const issuer = text('oidcIssuer')
  const clientId = text('oidcClientId')
  if (issuer === null || clientId === null) return null
  return {
    issuer: issuer.replace(/(?<!\/)\/+$/, ''),
    clientId,
    name: text('oidcName') ?? DEFAULT_PROVIDER_NAME,
    domains: splitList(text('oidcDomain')).map((domain) => domain.toLowerCase().replace(/^@/, '')),
    role,
    vouchesForDomains,
    asksSecondFactor,
  }
}

export function oidcFaults(text: Text): string[] {
  const faults: string[] = []
  const issuer = text('oidcIssuer')
  const together = [issuer, text('oidcClientId'), text('oidcClientSecret')]
  if (together.some((value) => value === null) && together.some((value) => value !== null)) {
    faults.push(
      'OCTAVO_OIDC_ISSUER, OCTAVO_OIDC_CLIENT_ID and OCTAVO_OIDC_CLIENT_SECRET must be used together. Set all or none.',
    )
  }
  if (issuer !== null && !/^https?:$/.test(URL.parse(issuer)?.protocol ?? '')) {
    faults.push(
      'OCTAVO_OIDC_ISSUER must be an http or https URL, for example https://login.example.com/realms/docs.',
    )
  }
  return faults
}

/**
 * Returns the sign-in provider set in the environment. It replaces the dashboard's settings entirely, because
 * a mixture of both would describe no existing provider.
 */
export function createEnvironmentSignIn(
  oidc: OidcConfig | null,
  clientSecret: string | null,
): EnvironmentSignIn {
  if (oidc === null || clientSecret === null) return { provider: null, variables: [] }
  const { oidcIssuer, oidcClientId, oidcClientSecret } = OPTIONS
  return {
    provider: { ...oidc, id: SSO_PROVIDER, organizationId: null, clientSecret },
    variables: [oidcIssuer.env, oidcClientId.env, oidcClientSecret.env],
  }
}
