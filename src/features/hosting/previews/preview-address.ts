/**
 * Host names of previews. Each preview is a separate origin, so its scripts cannot access other previews or
 * sites.
 */
import { randomBytes } from 'node:crypto'
import { AppError } from '../../../base/errors/errors.ts'
import { siteOrigin } from '../serve/site-origin.ts'

export interface PreviewAddresses {
  publicUrl: () => string
  /** Parent domain of previews; null if this server has none. */
  previewDomain: () => string | null
}

/** Creates an unguessable label of 160 bits: 32 characters of an alphabet of 32. */
export function createLabel(): string {
  const letters = 'abcdefghijklmnopqrstuvwxyz234567'
  return Array.from(randomBytes(32), (byte) => letters.charAt(byte % 32)).join('')
}

/**
 * Returns the label of a subdomain of the preview domain, even if there is no such preview; null for other
 * hosts.
 */
export function parsePreviewLabel(host: string, previewDomain: string | null): string | null {
  if (previewDomain === null || !host.endsWith(`.${previewDomain}`)) return null
  return host.slice(0, -previewDomain.length - 1)
}

export function requirePreviewDomain({ previewDomain }: Pick<PreviewAddresses, 'previewDomain'>): string {
  const domain = previewDomain()
  if (domain === null) throw new AppError('previews_not_set_up')
  return domain
}

export function previewUrl(addresses: PreviewAddresses, label: string): string {
  return siteOrigin(addresses.publicUrl(), `${label}.${requirePreviewDomain(addresses)}`)
}
