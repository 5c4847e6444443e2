/** How people sign in to the server, for its operators: the provider of single sign-on, and whether passwords open it. */

import {
  openInstanceSecret,
  readInstanceSettings,
  sealInstanceSecret,
} from '../../accounts/instance-settings.ts'
import { findMembership } from '../../accounts/members.ts'
import { needOwnFactor } from '../../accounts/organization-security.ts'
import { readServerRule, SERVER_RULE, writeServerRule } from '../../accounts/second-factor-rule.ts'
import {
  bindIssuer,
  chosenProvider,
  isPasswordChosen,
  openPasswords,
  PROVIDER_SECRET,
  PROVIDER_SETTINGS,
  type ProviderChoice,
  type SignInSettingsDeps,
  settingsIn,
  writeProvider,
} from '../../accounts/sign-in-settings.ts'
import { SSO_CALLBACK } from '../../accounts/sso-provider.ts'
import { tryProvider } from '../../accounts/try-provider.ts'
import { findUser, hasOtherWay } from '../../accounts/users.ts'
import type { GuardedFetch } from '../../base/guarded-fetch.ts'
import { AppError, refuseFaults } from '../../contract/errors.ts'
import { type Fault, faultAt } from '../../contract/fault.ts'
import { FORM_FAULTS } from '../../contract/form-faults.ts'
import type {
  INSTANCE_SIGN_IN_OPERATIONS,
  InstanceProviderBody,
  InstanceSignIn,
} from '../../contract/instance-sign-in.ts'
import { USUAL_PROVIDER_NAME } from '../../contract/provider-name.ts'
import type { Queries, Tx } from '../../database/database.ts'
import type { Handlers } from '../handler.ts'
import { domainFaults, mailDomain } from './mail-domains.ts'
import { createTrialGate } from './trial-gate.ts'

export interface InstanceSignInDeps extends SignInSettingsDeps {
  publicUrl: () => string
  /** For what providers name. */
  providerFetch: Pick<GuardedFetch, 'fetch'>
}

/** Tests that wait for their provider in this process: each holds a connection to the database. */
const MOST_TRIALS = 2

export function instanceSignInHandlers(
  deps: InstanceSignInDeps,
): Handlers<typeof INSTANCE_SIGN_IN_OPERATIONS> {
  const throughGate = createTrialGate(MOST_TRIALS)
  return {
    getInstanceSignIn: async ({ db }) => ({ body: await signInView(deps, db) }),
    async updateInstanceProvider({ tx, caller: { id: actor }, body }) {
      if (deps.environmentSignIn.provider !== null) throw new AppError('set_by_environment')
      const { choice } = await choiceOf(deps, tx, actor, body)
      await storeProvider(deps, tx, { actor, choice, secret: body.secret })
      const details = choice === null ? { issuer: null } : auditOf(choice, body.secret)
      return { body: await signInView(deps, tx), audit: { subject: 'sign_in', details } }
    },
    async testInstanceProvider({ tx, caller: { id: actor }, body }) {
      const { choice, secret } = await choiceOf(deps, tx, actor, body)
      if (choice === null) throw nothingToTest()
      const { issuer, clientId } = choice
      const tried = { issuer, clientId, clientSecret: secret, redirectUrl: deps.publicUrl() + SSO_CALLBACK }
      const trial = await throughGate(() => tryProvider(deps.providerFetch, tried))
      const details = { issuer, isUsable: trial.faults.length === 0 }
      return { body: trial, audit: { subject: 'sign_in', details } }
    },
    async updateInstanceSignIn({ tx, caller: { id: actor }, body: { passwords, secondFactor } }) {
      if (passwords === false) await needOtherWay(deps, tx, actor)
      if (passwords !== undefined) await openPasswords(tx, actor, passwords)
      if (secondFactor) await needOwnFactor(tx, actor)
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

/** Who closes the door stands outside of it too: they have another key, and have used it. */
async function needOtherWay(deps: InstanceSignInDeps, tx: Tx, actor: string): Promise<void> {
  const { singleSignOn } = settingsIn(await readInstanceSettings(tx), deps)
  if (singleSignOn === null || !(await hasOtherWay(tx, actor))) throw new AppError('other_way_needed')
}

/** Null: no provider. The secret that stays counts for its own issuer alone. Throws AppError `invalid_request`. */
async function choiceOf(
  { instanceSecrets }: InstanceSignInDeps,
  db: Queries,
  actor: string,
  { secret: given, ...body }: InstanceProviderBody,
): Promise<{ choice: null; secret: null } | { choice: ProviderChoice; secret: string }> {
  const issuer = body.issuer?.trim().replace(/(?<!\/)\/+$/, '') ?? null
  const clientId = body.clientId?.trim() ?? ''
  if (issuer === null) return { choice: null, secret: null }
  const domains = body.domains.map(mailDomain)
  const faults = issuerFaults(issuer)
  if (clientId === '') faults.push(faultAt('/clientId', FORM_FAULTS.givenByProvider))
  faults.push(...domains.flatMap((domain, index) => domainFaults(domain, `/domains/${index}`)))
  const settings = await readInstanceSettings(db)
  const secret = given ?? openInstanceSecret(instanceSecrets, settings, PROVIDER_SECRET, issuer)
  if (secret === null) faults.push(faultAt('/secret', secretFault(settings.has(PROVIDER_SECRET))))
  const { organizationId } = body
  if (organizationId !== null && (await findMembership(db, { userId: actor, organizationId })) === null)
    faults.push(faultAt('/organizationId', FORM_FAULTS.ownOrganization))
  refuseFaults(faults)
  const { role, vouchesForDomains = false, asksSecondFactor = false } = body
  const choice = { issuer, clientId, name: body.name.trim(), domains: [...new Set(domains)], role }
  return {
    choice: { ...choice, organizationId, vouchesForDomains, asksSecondFactor },
    secret: secret ?? '',
  }
}

function issuerFaults(issuer: string): Fault[] {
  const url = URL.parse(issuer)
  const isAddress =
    url !== null &&
    /^https?:$/.test(url.protocol) &&
    url.username + url.password + url.search + url.hash === ''
  return isAddress ? [] : [faultAt('/issuer', FORM_FAULTS.webAddress)]
}

function secretFault(isStored: boolean): string {
  return isStored ? FORM_FAULTS.secretAgain : FORM_FAULTS.givenByProvider
}

function nothingToTest(): AppError {
  return new AppError('invalid_request', {
    details: [faultAt('/issuer', FORM_FAULTS.providerToTest)],
  })
}

interface StoredProvider {
  actor: string
  choice: ProviderChoice | null
  secret: string | undefined
}

/** With another provider nobody has signed in yet: passwords open the server again until somebody turns them off anew. */
async function storeProvider(
  { instanceSecrets }: InstanceSignInDeps,
  tx: Tx,
  { actor, choice, secret }: StoredProvider,
): Promise<void> {
  const before = chosenProvider(await readInstanceSettings(tx))
  await writeProvider(tx, actor, choice)
  if (before?.issuer !== choice?.issuer || before?.clientId !== choice?.clientId)
    await openPasswords(tx, actor, true)
  if (choice === null) return
  await bindIssuer(tx, choice.issuer, { keepsUnknown: false })
  if (secret === undefined) return
  await sealInstanceSecret(tx, instanceSecrets, {
    ...{ actor, name: PROVIDER_SECRET, place: choice.issuer, secret },
  })
}

function auditOf(choice: ProviderChoice, secret: string | undefined) {
  const { issuer, clientId, domains, role, vouchesForDomains, asksSecondFactor } = choice
  return {
    ...{ issuer, clientId, role, vouchesForDomains, asksSecondFactor },
    domains: domains.join(', '),
    secret: secret === undefined ? 'kept' : 'set',
  }
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
  const rule = readServerRule(settings.get(SERVER_RULE)?.value ?? null)
  const [last] = [...PROVIDER_SETTINGS, 'passwordSignIn', SERVER_RULE]
    .flatMap((name) => settings.get(name) ?? [])
    .sort((one, other) => other.setAt.getTime() - one.setAt.getTime())
  return {
    source: given !== null ? 'environment' : chosen !== null ? 'dashboard' : 'none',
    variables: [...environmentSignIn.variables],
    issuer: chosen?.issuer ?? null,
    clientId: chosen?.clientId ?? null,
    name: chosen?.name ?? USUAL_PROVIDER_NAME,
    domains: [...(chosen?.domains ?? [])],
    role: chosen === null || chosen.role === 'owner' ? 'viewer' : chosen.role,
    organizationId: chosen?.organizationId ?? null,
    vouchesForDomains: chosen?.vouchesForDomains ?? false,
    asksSecondFactor: chosen?.asksSecondFactor ?? false,
    secret,
    redirectUrl: publicUrl() + SSO_CALLBACK,
    passwords: chosen === null || isPasswordChosen(settings),
    secondFactor: rule && { ...rule, since: rule.since.toISOString() },
    changedBy: last === undefined ? null : ((await findUser(db, last.setBy))?.name ?? null),
    changedAt: last?.setAt.toISOString() ?? null,
  }
}
