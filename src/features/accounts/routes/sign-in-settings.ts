/** Operator routes for sign-in: the single sign-on provider, and whether passwords are accepted. */

import { DEFAULT_PROVIDER_NAME } from '../../../base/api/provider-name.ts'
import { AppError, assertNoFaults } from '../../../base/errors/errors.ts'
import { type Fault, faultAt } from '../../../base/errors/fault.ts'
import type { GuardedFetch } from '../../../base/net/guarded-fetch.ts'
import type { Queries, Tx } from '../../../database/database.ts'
import type { Handlers } from '../../../routing/handler.ts'
import type {
  INSTANCE_SIGN_IN_OPERATIONS,
  InstanceProviderBody,
  InstanceSignIn,
  OrganizationProviderBody,
  ProviderConnectionTest,
} from '../operations/sign-in-settings.ts'
import {
  findOrganizationProvider,
  findTakenDomains,
  listOrganizationProviders,
  removeOrganizationProvider,
  writeOrganizationProvider,
} from '../organizations/organization-providers.ts'
import { requireOwnSecondFactor } from '../organizations/organization-security.ts'
import { findOrganization } from '../organizations/organizations.ts'
import { findMembership } from '../people/members.ts'
import { findUser, hasOtherSignInMethod } from '../people/users.ts'
import { createConcurrencyLimit } from '../settings/concurrency-limit.ts'
import {
  openInstanceSecret,
  readInstanceSettings,
  sealInstanceSecret,
} from '../settings/instance-settings.ts'
import { domainFaults, normalizeMailDomain } from '../settings/mail-domains.ts'
import { testProviderConnection } from '../sign-in/provider-connection.ts'
import { readServerRule, SECOND_FACTOR_SETTING, writeServerRule } from '../sign-in/second-factor-rule.ts'
import {
  bindIssuer,
  chosenProvider,
  isPasswordChosen,
  PROVIDER_SECRET,
  PROVIDER_SETTINGS,
  type ProviderChoice,
  resolveSignInSettings,
  type SignInSettingsDeps,
  setPasswordSignIn,
  writeProvider,
} from '../sign-in/sign-in-settings.ts'
import { SSO_PROVIDER, ssoCallbackPath } from '../sign-in/sso-provider.ts'

interface InstanceSignInDeps extends SignInSettingsDeps {
  publicUrl: () => string
  providerFetch: Pick<GuardedFetch, 'fetch'>
}

/** Maximum number of concurrent provider tests in this process: each holds a database connection while it waits. */
const MAX_CONCURRENT_TESTS = 2

export function instanceSignInHandlers(
  deps: InstanceSignInDeps,
): Handlers<typeof INSTANCE_SIGN_IN_OPERATIONS> {
  const withinLimit = createConcurrencyLimit(MAX_CONCURRENT_TESTS)
  return {
    getInstanceSignIn: async ({ db }) => ({ body: await signInView(deps, db) }),
    async updateInstanceProvider({ tx, caller: { id: actor }, body }) {
      if (deps.environmentSignIn.provider !== null) throw new AppError('set_by_environment')
      const input = await readInstanceChoice(deps, tx, actor, body)
      await storeProvider(deps, tx, { actor, choice: input?.choice ?? null, secret: body.secret })
      return { body: await signInView(deps, tx), audit: auditProvider('sign_in', input, body) }
    },
    async testInstanceProvider({ tx, caller: { id: actor }, body }) {
      const input = await readInstanceChoice(deps, tx, actor, body)
      const testResult = await withinLimit(() => runProviderTest(deps, input))
      return { body: testResult, audit: auditTest('sign_in', input, testResult) }
    },
    async updateOrganizationProvider({ tx, body }) {
      const { organizationId } = body
      const input = await readOrganizationChoice(deps, tx, body)
      if (input === null) await removeOrganizationProvider(tx, organizationId)
      else
        await writeOrganizationProvider(tx, deps.instanceSecrets, {
          ...{ ...input.choice, organizationId, clientSecret: input.secret },
        })
      return { body: await signInView(deps, tx), audit: auditProvider(organizationId, input, body) }
    },
    async testOrganizationProvider({ tx, body }) {
      const input = await readOrganizationChoice(deps, tx, body)
      const testResult = await withinLimit(() => runProviderTest(deps, input))
      return { body: testResult, audit: auditTest(body.organizationId, input, testResult) }
    },
    async updateInstanceSignIn({ tx, caller: { id: actor }, body: { passwords, secondFactor } }) {
      if (passwords === false) await requireOtherSignIn(deps, tx, actor)
      if (passwords !== undefined) await setPasswordSignIn(tx, actor, passwords)
      if (secondFactor) await requireOwnSecondFactor(tx, actor)
      if (secondFactor !== undefined) await writeServerRule(tx, actor, secondFactor)
      const now = await signInView(deps, tx)
      const rule = now.secondFactor
      const details = {
        passwords: now.passwords,
        secondFactor: rule === null ? 'optional' : `required after ${rule.days} days`,
      }
      return { body: now, audit: { subject: 'sign_in', details } }
    },
  }
}

/** Operators may turn off passwords only if they have another sign-in method and have used it. */
async function requireOtherSignIn(deps: InstanceSignInDeps, tx: Tx, actor: string): Promise<void> {
  const { singleSignOn } = resolveSignInSettings(await readInstanceSettings(tx), deps)
  if (singleSignOn === null || !(await hasOtherSignInMethod(tx, actor)))
    throw new AppError('other_way_needed')
}

interface ProviderInput {
  choice: ProviderChoice
  secret: string
}

/** Returns null for no provider. Throws AppError `invalid_request`. */
async function readInstanceChoice(
  { instanceSecrets }: InstanceSignInDeps,
  db: Queries,
  actor: string,
  { organizationId, ...body }: InstanceProviderBody,
): Promise<ProviderInput | null> {
  const settings = await readInstanceSettings(db)
  const isForeign =
    organizationId !== null && (await findMembership(db, { userId: actor, organizationId })) === null
  return toProviderInput(body, {
    ...{ id: SSO_PROVIDER, organizationId },
    isStored: settings.has(PROVIDER_SECRET),
    secretFor: (issuer) => openInstanceSecret(instanceSecrets, settings, PROVIDER_SECRET, issuer),
    faults: isForeign ? [faultAt('/organizationId', 'own_organization')] : [],
  })
}

/** Returns null for no provider. Throws AppError `not_found`, `invalid_request`. */
async function readOrganizationChoice(
  { instanceSecrets }: InstanceSignInDeps,
  tx: Tx,
  { organizationId, ...body }: OrganizationProviderBody,
): Promise<ProviderInput | null> {
  if ((await findOrganization(tx, organizationId)) === null) throw new AppError('not_found')
  const before = await findOrganizationProvider(tx, instanceSecrets, { organizationId })
  const domains = body.domains.map(normalizeMailDomain)
  const takenByOthers = await findTakenDomains(tx, organizationId, domains)
  return toProviderInput(body, {
    ...{ id: organizationId, organizationId },
    isStored: before !== null,
    secretFor: (issuer) => (before?.issuer === issuer ? before.clientSecret : null),
    faults: takenByOthers.map((domain) =>
      faultAt(`/domains/${domains.indexOf(domain)}`, 'mail_domain_taken'),
    ),
  })
}

interface ProviderContext {
  id: string
  organizationId: string | null
  isStored: boolean
  /** Returns the stored secret if it was stored for this issuer; otherwise null. */
  secretFor(issuer: string): string | null
  faults: Fault[]
}

function toProviderInput(
  { secret: given, ...body }: Omit<InstanceProviderBody, 'organizationId'>,
  { id, organizationId, isStored, secretFor, faults }: ProviderContext,
): ProviderInput | null {
  const issuer = body.issuer?.trim().replace(/(?<!\/)\/+$/, '') ?? null
  const clientId = body.clientId?.trim() ?? ''
  if (issuer === null) return null
  const domains = body.domains.map(normalizeMailDomain)
  faults.push(...issuerFaults(issuer))
  if (clientId === '') faults.push(faultAt('/clientId', 'given_by_provider'))
  faults.push(...domains.flatMap((domain, index) => domainFaults(domain, `/domains/${index}`)))
  const secret = given ?? secretFor(issuer)
  if (secret === null) faults.push(faultAt('/secret', secretFault(isStored)))
  assertNoFaults(faults)
  const { role, vouchesForDomains = false, asksSecondFactor = false } = body
  const choice = { issuer, clientId, name: body.name.trim(), domains: [...new Set(domains)], role }
  return {
    choice: { ...choice, id, organizationId, vouchesForDomains, asksSecondFactor },
    secret: secret ?? '',
  }
}

function issuerFaults(issuer: string): Fault[] {
  const url = URL.parse(issuer)
  const isAddress =
    url !== null &&
    /^https?:$/.test(url.protocol) &&
    url.username + url.password + url.search + url.hash === ''
  return isAddress ? [] : [faultAt('/issuer', 'web_url')]
}

function secretFault(isStored: boolean): 'secret_again' | 'given_by_provider' {
  return isStored ? 'secret_again' : 'given_by_provider'
}

interface StoredProvider {
  actor: string
  choice: ProviderChoice | null
  secret: string | undefined
}

/**
 * Stores the provider. If its issuer or client has changed, passwords are accepted again until an operator turns them
 * off, because nobody has used the new provider yet.
 */
async function storeProvider(
  { instanceSecrets }: InstanceSignInDeps,
  tx: Tx,
  { actor, choice, secret }: StoredProvider,
): Promise<void> {
  const before = chosenProvider(await readInstanceSettings(tx))
  await writeProvider(tx, actor, choice)
  if (before?.issuer !== choice?.issuer || before?.clientId !== choice?.clientId)
    await setPasswordSignIn(tx, actor, true)
  if (choice === null) return
  await bindIssuer(tx, choice.issuer, { keepsUnknown: false })
  if (secret === undefined) return
  await sealInstanceSecret(tx, instanceSecrets, {
    ...{ actor, name: PROVIDER_SECRET, secretDestination: choice.issuer, secret },
  })
}

function auditProvider(subject: string, input: ProviderInput | null, { secret }: { secret?: string }) {
  if (input === null) return { subject, details: { issuer: null } }
  const { issuer, clientId, domains, role, vouchesForDomains, asksSecondFactor } = input.choice
  const details = {
    ...{ issuer, clientId, role, vouchesForDomains, asksSecondFactor },
    domains: domains.join(', '),
    secret: secret === undefined ? 'kept' : 'set',
  }
  return { subject, details }
}

async function runProviderTest(
  { publicUrl, providerFetch }: InstanceSignInDeps,
  input: ProviderInput | null,
): Promise<ProviderConnectionTest> {
  if (input === null)
    throw new AppError('invalid_request', { details: [faultAt('/issuer', 'no_provider_to_test')] })
  const { id, issuer, clientId } = input.choice
  return testProviderConnection(providerFetch, {
    ...{ issuer, clientId, clientSecret: input.secret, redirectUrl: publicUrl() + ssoCallbackPath(id) },
  })
}

function auditTest(subject: string, input: ProviderInput | null, { faults }: ProviderConnectionTest) {
  return { subject, details: { issuer: input?.choice.issuer ?? null, isUsable: faults.length === 0 } }
}

async function signInView(deps: InstanceSignInDeps, db: Queries): Promise<InstanceSignIn> {
  const { environmentSignIn, instanceSecrets, publicUrl } = deps
  const settings = await readInstanceSettings(db)
  const given = environmentSignIn.provider
  const chosen = given ?? chosenProvider(settings)
  const stored = settings.get(PROVIDER_SECRET)
  const opened = openInstanceSecret(instanceSecrets, settings, PROVIDER_SECRET, chosen?.issuer ?? null)
  const secret =
    given !== null
      ? { lastFour: null, setAt: null, isUsable: true }
      : stored === undefined
        ? null
        : { lastFour: stored.lastFour, setAt: stored.setAt.toISOString(), isUsable: opened !== null }
  const rule = readServerRule(settings.get(SECOND_FACTOR_SETTING)?.value ?? null)
  const [last] = [...PROVIDER_SETTINGS, 'passwordSignIn', SECOND_FACTOR_SETTING]
    .flatMap((name) => settings.get(name) ?? [])
    .sort((one, other) => other.setAt.getTime() - one.setAt.getTime())
  return {
    source: given !== null ? 'environment' : chosen !== null ? 'dashboard' : 'none',
    variables: [...environmentSignIn.variables],
    issuer: chosen?.issuer ?? null,
    clientId: chosen?.clientId ?? null,
    name: chosen?.name ?? DEFAULT_PROVIDER_NAME,
    domains: [...(chosen?.domains ?? [])],
    role: chosen === null || chosen.role === 'owner' ? 'viewer' : chosen.role,
    organizationId: chosen?.organizationId ?? null,
    vouchesForDomains: chosen?.vouchesForDomains ?? false,
    asksSecondFactor: chosen?.asksSecondFactor ?? false,
    secret,
    redirectUrl: publicUrl() + ssoCallbackPath(SSO_PROVIDER),
    organizations: await organizationViews(deps, db),
    passwords: chosen === null || isPasswordChosen(settings),
    secondFactor: rule && { ...rule, since: rule.since.toISOString() },
    changedBy: last === undefined ? null : ((await findUser(db, last.setBy))?.name ?? null),
    changedAt: last?.setAt.toISOString() ?? null,
  }
}

async function organizationViews(
  { instanceSecrets, publicUrl }: InstanceSignInDeps,
  db: Queries,
): Promise<InstanceSignIn['organizations']> {
  const providers = await listOrganizationProviders(db, instanceSecrets)
  return providers.map(({ id, organizationId, clientSecret, lastFour, setAt, domains, role, ...shown }) => ({
    ...shown,
    organizationId: organizationId ?? id,
    domains: [...domains],
    role: role === 'owner' ? 'viewer' : role,
    secret: { lastFour, setAt: setAt.toISOString(), isUsable: clientSecret !== null },
    redirectUrl: publicUrl() + ssoCallbackPath(id),
  }))
}
