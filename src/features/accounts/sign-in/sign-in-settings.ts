/**
 * Sign-in methods: the provider from the environment, else the one that operators set on the dashboard; and
 * passwords, unless operators have turned them off. Read on every use, so that a change applies on every node
 * as of its commit.
 */

import { DEFAULT_PROVIDER_NAME } from '../../../base/api/provider-name.ts'
import { ROLES } from '../../../base/api/roles.ts'
import type { SecretBox } from '../../../base/secret-box.ts'
import type { Queries, Tx } from '../../../database/database.ts'
import {
  findOrganizationProvider,
  listOrganizationProviders,
} from '../organizations/organization-providers.ts'
import {
  type InstanceSettings,
  openInstanceSecret,
  readInstanceSettings,
  writeInstanceSettings,
} from '../settings/instance-settings.ts'
import { type SingleSignOn, SSO_PROVIDER } from './sso-provider.ts'

export interface EnvironmentSignIn {
  provider: SingleSignOn | null
  variables: readonly string[]
}

export interface SignInSettingsDeps {
  instanceSecrets: SecretBox
  environmentSignIn: EnvironmentSignIn
}

export interface SignInSettings {
  singleSignOn: SingleSignOn | null
  /** False only while everyone has another way to sign in. */
  isPasswordOpen: boolean
}

/** Provider settings chosen on the dashboard; the secret is stored separately. */
export type ProviderChoice = Omit<SingleSignOn, 'clientSecret'>

export const PROVIDER_SETTINGS = [
  'oidcIssuer',
  'oidcClientId',
  'oidcName',
  'oidcDomains',
  'oidcRole',
  'oidcOrganization',
  'oidcUnverified',
  'oidcSecondFactor',
  'oidcClientSecret',
] as const

export const PROVIDER_SECRET = 'oidcClientSecret'
const PASSWORD_SIGN_IN = 'passwordSignIn'
const LINKED_ISSUER = 'oidcLinkedIssuer'

export async function readSignInSettings(db: Queries, deps: SignInSettingsDeps): Promise<SignInSettings> {
  return resolveSignInSettings(await readInstanceSettings(db), deps)
}

/** Returns the provider of an organization, or null when there is none or its secret cannot be decrypted. */
export async function findUsableProvider(
  db: Queries,
  { instanceSecrets }: SignInSettingsDeps,
  lookup: Parameters<typeof findOrganizationProvider>[2],
): Promise<SingleSignOn | null> {
  const found = await findOrganizationProvider(db, instanceSecrets, lookup)
  if (found === null || found.clientSecret === null) return null
  const { organizationName: _name, lastFour: _shown, setAt: _at, clientSecret, ...rest } = found
  return { ...rest, clientSecret }
}

/** Returns the ids of the providers that themselves require a second factor. */
export async function findFactorProviders(db: Queries, deps: SignInSettingsDeps): Promise<string[]> {
  const { singleSignOn } = await readSignInSettings(db, deps)
  const all = [singleSignOn ?? [], await listOrganizationProviders(db, deps.instanceSecrets)].flat()
  return all.filter(({ asksSecondFactor }) => asksSecondFactor).map(({ id }) => id)
}

export function resolveSignInSettings(
  settings: InstanceSettings,
  { instanceSecrets, environmentSignIn }: SignInSettingsDeps,
): SignInSettings {
  const singleSignOn = environmentSignIn.provider ?? resolveProvider(settings, instanceSecrets)
  // Without a provider, passwords are the only way in for most people.
  return { singleSignOn, isPasswordOpen: singleSignOn === null || isPasswordChosen(settings) }
}

export function isPasswordChosen(settings: InstanceSettings): boolean {
  return settings.get(PASSWORD_SIGN_IN)?.value !== 'off'
}

export function chosenProvider(settings: InstanceSettings): ProviderChoice | null {
  const text = (name: string) => settings.get(name)?.value ?? null
  const [issuer, clientId] = [text('oidcIssuer'), text('oidcClientId')]
  if (issuer === null || clientId === null) return null
  return {
    id: SSO_PROVIDER,
    issuer,
    clientId,
    name: text('oidcName') ?? DEFAULT_PROVIDER_NAME,
    domains: text('oidcDomains')?.split(',') ?? [],
    role: ROLES.find((role) => role === text('oidcRole')) ?? 'viewer',
    organizationId: text('oidcOrganization'),
    vouchesForDomains: text('oidcUnverified') === 'on',
    asksSecondFactor: text('oidcSecondFactor') === 'on',
  }
}

function resolveProvider(settings: InstanceSettings, box: SecretBox): SingleSignOn | null {
  const choice = chosenProvider(settings)
  const clientSecret = openInstanceSecret(box, settings, PROVIDER_SECRET, choice?.issuer ?? null)
  return choice === null || clientSecret === null ? null : { ...choice, clientSecret }
}

/** Null removes the provider. The secret is stored separately. */
export async function writeProvider(tx: Tx, actor: string, choice: ProviderChoice | null): Promise<void> {
  await writeInstanceSettings(tx, actor, {
    oidcIssuer: choice?.issuer ?? null,
    oidcClientId: choice?.clientId ?? null,
    oidcName: choice?.name ?? null,
    oidcDomains: choice === null || choice.domains.length === 0 ? null : choice.domains.join(','),
    oidcRole: choice?.role ?? null,
    oidcOrganization: choice?.organizationId ?? null,
    oidcUnverified: choice?.vouchesForDomains ? 'on' : null,
    oidcSecondFactor: choice?.asksSecondFactor ? 'on' : null,
  })
}

export async function setPasswordSignIn(tx: Tx, actor: string, isOpen: boolean): Promise<void> {
  await writeInstanceSettings(tx, actor, { [PASSWORD_SIGN_IN]: isOpen ? null : 'off' })
}

/**
 * Removes the links to accounts when the issuer changes: a subject of one issuer may be another person at the next
 * issuer. The email addresses that the new issuer verifies recreate the links. With `keepsUnknown`, links from before
 * issuers were recorded belong to the current issuer.
 */
export async function bindIssuer(
  tx: Tx,
  issuer: string,
  { keepsUnknown }: { keepsUnknown: boolean },
): Promise<void> {
  const linked = (await readInstanceSettings(tx)).get(LINKED_ISSUER)?.value ?? null
  if (linked === issuer) return
  if (linked !== null || !keepsUnknown)
    await tx.deleteFrom('credentials').where('provider_id', '=', SSO_PROVIDER).execute()
  await writeInstanceSettings(tx, 'system', { [LINKED_ISSUER]: issuer })
}
