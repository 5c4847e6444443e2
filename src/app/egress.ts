/**
 * Outbound connections to URLs supplied by users. Each feature has its own list of private hosts, so that a host
 * allowed for one feature is unreachable for the others.
 */
import { type AddressGuard, createAddressGuard, parsePrivateHost } from '../base/net/address-guard.ts'
import { createGuardedFetch, type StreamingFetch } from '../base/net/guarded-fetch.ts'
import { splitList } from '../base/text/split-list.ts'
import type { ModelSettings } from '../model/open-model.ts'
import { PROVIDERS } from '../model/providers.ts'
import { readProvider } from './config/agent-config.ts'
import { EGRESS, EGRESS_FEATURES, type EgressFeature } from './config/egress-options.ts'
import type { Text } from './config/read-setting.ts'

export type PrivateHosts = Readonly<Record<EgressFeature, readonly string[]>>

/** Removed settings that allowed hosts for all features together. A node with one of them does not start. */
const REMOVED_SETTINGS = ['OCTAVO_PRIVATE_HOSTS', 'OCTAVO_ALLOW_PRIVATE_ADDRESSES']

/** Returns the allowed hosts of each feature, including hosts that other settings name, such as a model's server. */
export function readPrivateHosts(text: Text, models: readonly (ModelSettings | null)[]): PrivateHosts {
  const listed = (feature: EgressFeature) => splitList(text(`privateHosts.${feature}`))
  const named: Partial<Record<EgressFeature, (string | null)[]>> = {
    models: models.map((model) => readHost(model === null ? null : resolveModelUrl(model))),
    mail: [text('mailHost')],
    signIn: [readHost(text('oidcIssuer'))],
  }
  return Object.fromEntries(
    EGRESS_FEATURES.map((feature) => [
      feature,
      [...listed(feature), ...(named[feature] ?? []).filter((host) => host !== null)],
    ]),
  ) as Record<EgressFeature, string[]>
}

/** Returns the URL of a model, by default the URL of its provider, which may run on this machine. */
function resolveModelUrl({ name, url }: ModelSettings): string | null {
  const provider = readProvider(name)
  const isKnown = typeof provider === 'string' && provider !== 'replay'
  return url ?? (isKnown ? PROVIDERS[provider].url : null)
}

function readHost(url: string | null): string | null {
  return URL.parse(url ?? '')?.host || null
}

export function egressFaults(text: Text, env: Readonly<Record<string, string | undefined>>): string[] {
  const faults = EGRESS_FEATURES.filter((feature) =>
    splitList(text(`privateHosts.${feature}`)).some((host) => parsePrivateHost(host) === null),
  ).map((feature) => `${EGRESS[feature].env} must be <host>, <host>:<port> or <host>:*, separated by commas.`)
  const settings = EGRESS_FEATURES.map((feature) => EGRESS[feature].env).join(', ')
  for (const name of REMOVED_SETTINGS.filter((former) => env[former]))
    faults.push(
      `${name} was removed because each feature now has its own list of private hosts. Move your hosts to the settings that need them: ${settings}.`,
    )
  return faults
}

export interface Egress {
  guardFor(feature: EgressFeature): AddressGuard
  fetchFor(feature: EgressFeature): StreamingFetch
  /** Fetches from the public internet only. */
  publicFetch: StreamingFetch
  [Symbol.asyncDispose](): Promise<void>
}

export function createEgressGuard(
  { privateHosts }: { privateHosts: PrivateHosts },
  feature: EgressFeature,
): AddressGuard {
  return createAddressGuard(createAddressRules(privateHosts, feature), EGRESS[feature].ports)
}

export function createEgress({ privateHosts }: { privateHosts: PrivateHosts }): Egress {
  const opened = new AsyncDisposableStack()
  const each = EGRESS_FEATURES.map((feature) => {
    const rules = createAddressRules(privateHosts, feature)
    const fetch = opened.use(createGuardedFetch({ ...rules, ports: EGRESS[feature].ports }))
    return [feature, { guard: createEgressGuard({ privateHosts }, feature), fetch }] as const
  })
  const features = Object.fromEntries(each) as Record<EgressFeature, (typeof each)[number][1]>
  return {
    guardFor: (feature) => features[feature].guard,
    fetchFor: (feature) => features[feature].fetch,
    publicFetch: opened.use(createGuardedFetch()),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

function createAddressRules(privateHosts: PrivateHosts, feature: EgressFeature) {
  return { privateHosts: privateHosts[feature], setting: EGRESS[feature].env }
}
