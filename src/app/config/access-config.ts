/** Configuration of access: hosts, folders, and the scopes of git credentials. */
import { isAbsolute } from 'node:path'
import { parseHostname } from '../../base/hostname.ts'
import { areDnsServers } from '../../base/net/dns-records.ts'
import { splitList } from '../../base/text/split-list.ts'
import { parseAllowList } from '../../features/accounts/keys/allow-list.ts'
import { OPTIONS } from './config-options.ts'
import { readGitScopes, readScopedTokens } from './git-scopes.ts'
import type { Reader, Text } from './read-setting.ts'

export interface MetricsConfig {
  /** Addresses and ranges that may read metrics without a token. */
  from: readonly string[]
  port: number | null
}

const NO_NETWORKS = 'none'

export function readMetricsConfig(text: Text, read: Reader): MetricsConfig {
  return {
    from: readMetricsNetworks(text),
    port: text('metricsPort') === null ? null : read.integer('metricsPort'),
  }
}

function readMetricsNetworks(text: Text): readonly string[] {
  return text('metricsFrom') === NO_NETWORKS ? [] : splitList(text('metricsFrom'))
}

export function accessFaults(text: Text): string[] {
  const faults: string[] = []
  const scope = '<host>[/<path>][@<organization>]'
  if (readScopedTokens(text('gitTokens')).includes(null))
    faults.push(`OCTAVO_GIT_TOKENS must be ${scope}=<token>, separated by commas.`)
  for (const name of ['gitSshFor', 'githubAppFor'] as const)
    if (readGitScopes(text(name)).includes(null))
      faults.push(`${OPTIONS[name].env} must be ${scope}, separated by commas.`)
  if (!splitList(text('sourceRoots')).every((root) => isAbsolute(root)))
    faults.push('OCTAVO_SOURCE_ROOTS must be absolute folders, separated by commas.')
  if (!areDnsServers(splitList(text('dnsServers'))))
    faults.push('OCTAVO_DNS_SERVERS must be <address> or <address>:<port>, separated by commas.')
  faults.push(...metricsFaults(text), ...previewFaults(text))
  return faults
}

/** Validates the preview domain, because previews can set cookies for its parent domains. */
function previewFaults(text: Text): string[] {
  const domain = text('previewDomain')?.toLowerCase() ?? null
  if (domain === null) return []
  const parsed = parseHostname(domain)
  if (!('hostname' in parsed) || parsed.hostname !== domain || !domain.includes('.'))
    return ['OCTAVO_PREVIEW_DOMAIN must be a domain, for example previews.example.com.']
  const host = URL.parse(text('publicUrl') ?? '')?.hostname ?? ''
  return host === domain || host.endsWith(`.${domain}`)
    ? ['OCTAVO_PREVIEW_DOMAIN must not be the domain of OCTAVO_PUBLIC_URL or one of its parent domains.']
    : []
}

function metricsFaults(text: Text): string[] {
  const faults = parseAllowList(readMetricsNetworks(text)).faults.map(
    ({ message }) => `OCTAVO_METRICS_FROM: ${message}.`,
  )
  const token = text('metricsToken')
  if (token !== null && token.length < MIN_TOKEN_LENGTH)
    faults.push(`OCTAVO_METRICS_TOKEN must have at least ${MIN_TOKEN_LENGTH} characters.`)
  return faults
}

const MIN_TOKEN_LENGTH = 16
