/** Form state of single sign-on, and the request body built from it. */

import { DEFAULT_PROVIDER_NAME } from '../../../../../src/base/api/provider-name.ts'
import type {
  InstanceProviderBody,
  InstanceSignIn,
} from '../../../../../src/features/accounts/operations/sign-in-settings.ts'

export interface ProviderDraft {
  isOn: boolean
  issuer: string
  clientId: string
  /** Empty leaves the stored secret unchanged. */
  secret: string
  name: string
  /** Separated by commas or spaces. */
  domains: string
  role: InstanceSignIn['role']
  /** Empty for the oldest organization of the server. */
  organizationId: string
  vouchesForDomains: boolean
  asksSecondFactor: boolean
}

type ShownProvider = Pick<
  InstanceSignIn,
  'issuer' | 'clientId' | 'name' | 'domains' | 'role' | 'vouchesForDomains' | 'asksSecondFactor'
> & { organizationId: string | null }

const NEW_PROVIDER: ShownProvider = {
  ...{ issuer: '', clientId: null, name: DEFAULT_PROVIDER_NAME, domains: [], role: 'viewer' },
  ...{ vouchesForDomains: false, asksSecondFactor: false, organizationId: null },
}

/** Returns the initial draft; null for a new provider. */
export function toProviderDraft(provider: ShownProvider | null): ProviderDraft {
  const signIn = provider ?? NEW_PROVIDER
  const { issuer, clientId, name, domains, role, organizationId } = signIn
  const { vouchesForDomains, asksSecondFactor } = signIn
  return {
    isOn: issuer !== null,
    issuer: issuer ?? '',
    clientId: clientId ?? '',
    secret: '',
    name,
    domains: domains.join(', '),
    role,
    organizationId: organizationId ?? '',
    vouchesForDomains,
    asksSecondFactor,
  }
}

export function toProviderBody(draft: ProviderDraft): InstanceProviderBody {
  const { isOn, issuer, clientId, secret, name, domains, role, organizationId } = draft
  const { vouchesForDomains, asksSecondFactor } = draft
  const chosen = {
    name: name.trim() === '' ? DEFAULT_PROVIDER_NAME : name,
    role,
    organizationId: organizationId === '' ? null : organizationId,
    vouchesForDomains,
    asksSecondFactor,
  }
  if (!isOn) return { ...chosen, issuer: null, clientId: null, domains: [] }
  return {
    ...chosen,
    // Without them, the server reports that they are missing.
    issuer: issuer.trim() === '' ? '-' : issuer.trim(),
    clientId: clientId.trim() === '' ? null : clientId.trim(),
    domains: domains.split(/[\s,]+/).filter((domain) => domain !== ''),
    ...(secret.trim() === '' ? {} : { secret: secret.trim() }),
  }
}
