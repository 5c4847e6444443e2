/**
 * Outbound connections to URLs supplied by users. Each feature has its own list of private hosts, so that a host
 * allowed for one feature is unreachable for the others.
 */
import { type AddressGuard, createAddressGuard, parsePrivateHost } from '../base/net/address-guard.ts'
import { createGuardedFetch, type OpenFetch } from '../base/net/guarded-fetch.ts'
import type { ModelSettings } from '../model/open-model.ts'
import { PROVIDERS } from '../model/providers.ts'
import { listOf } from './config/access-config.ts'
import { providerOf } from './config/agent-config.ts'
import { EGRESS, EGRESS_FEATURES, type EgressFeature } from './config/egress-options.ts'
import type { Text } from './config/read-setting.ts'

export type PrivateHosts = Readonly<Record<EgressFeature, readonly string[]>>

/** Obsolete settings that opened every feature at once; refused at start. */
const FORMER = ['OCTAVO_PRIVATE_HOSTS', 'OCTAVO_ALLOW_PRIVATE_ADDRESSES']

/** Adds hosts that the environment names as a server, such as a model's, to the list of their feature. */
export function readPrivateHosts(text: Text, models: readonly (ModelSettings | null)[]): PrivateHosts {
  const listed = (feature: EgressFeature) => listOf(text(`privateHosts.${feature}`))
  const named: Partial<Record<EgressFeature, (string | null)[]>> = {
    models: models.map((model) => hostIn(model === null ? null : addressOf(model))),
    mail: [text('mailHost')],
    signIn: [hostIn(text('oidcIssuer'))],
  }
  return Object.fromEntries(
    EGRESS_FEATURES.map((feature) => [
      feature,
      [...listed(feature), ...(named[feature] ?? []).filter((host) => host !== null)],
    ]),
  ) as Record<EgressFeature, string[]>
}

/** Returns the URL of a model, by default that of its provider, which may run on this machine. */
function addressOf({ name, url }: ModelSettings): string | null {
  const provider = providerOf(name)
  const isKnown = typeof provider === 'string' && provider !== 'replay'
  return url ?? (isKnown ? PROVIDERS[provider].url : null)
}

function hostIn(url: string | null): string | null {
  return URL.parse(url ?? '')?.host || null
}

export function egressFaults(text: Text, env: Readonly<Record<string, string | undefined>>): string[] {
  const faults = EGRESS_FEATURES.filter((feature) =>
    listOf(text(`privateHosts.${feature}`)).some((host) => parsePrivateHost(host) === null),
  ).map(
    (feature) =>
      `${EGRESS[feature].env} must be <host>, <host>:<port> or <host>:*, several separated by commas.`,
  )
  const settings = EGRESS_FEATURES.map((feature) => EGRESS[feature].env).join(', ')
  for (const name of FORMER.filter((former) => env[former]))
    faults.push(
      `${name} is no setting any more: each feature has its own list of private hosts. Name your hosts in those that need them: ${settings}.`,
    )
  return faults
}

export interface Egress {
  guardOf(feature: EgressFeature): AddressGuard
  fetchOf(feature: EgressFeature): OpenFetch
  /** Fetches from the public internet only. */
  publicFetch: OpenFetch
  [Symbol.asyncDispose](): Promise<void>
}

/** Address guard for commands, which run without a node. */
export function egressGuard(
  { privateHosts }: { privateHosts: PrivateHosts },
  feature: EgressFeature,
): AddressGuard {
  return createAddressGuard(rulesOf(privateHosts, feature), EGRESS[feature].ports)
}

export function createEgress({ privateHosts }: { privateHosts: PrivateHosts }): Egress {
  const opened = new AsyncDisposableStack()
  const each = EGRESS_FEATURES.map((feature) => {
    const rules = rulesOf(privateHosts, feature)
    const fetch = opened.use(createGuardedFetch({ ...rules, ports: EGRESS[feature].ports }))
    return [feature, { guard: egressGuard({ privateHosts }, feature), fetch }] as const
  })
  const features = Object.fromEntries(each) as Record<EgressFeature, (typeof each)[number][1]>
  return {
    guardOf: (feature) => features[feature].guard,
    fetchOf: (feature) => features[feature].fetch,
    publicFetch: opened.use(createGuardedFetch()),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

function rulesOf(privateHosts: PrivateHosts, feature: EgressFeature) {
  return { privateHosts: privateHosts[feature], setting: EGRESS[feature].env }
}
