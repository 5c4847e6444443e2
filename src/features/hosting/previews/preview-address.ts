/**
 * Host names of previews. Each is a separate origin, so that scripts of one cannot reach another preview or any site.
 */
import { randomBytes } from 'node:crypto'
import { AppError } from '../../../base/errors/errors.ts'
import { siteOrigin } from '../serve/site-origin.ts'

export interface PreviewAddresses {
  publicUrl: () => string
  /** Parent domain of previews; null when this server has none. */
  previewDomain: () => string | null
}

/** 32 characters of an alphabet of 32: 160 bits, unguessable. */
export function createLabel(): string {
  const letters = 'abcdefghijklmnopqrstuvwxyz234567'
  return Array.from(randomBytes(32), (byte) => letters.charAt(byte % 32)).join('')
}

/**
 * Returns the label of a host name below the preview domain, whether the preview exists or not; null for all other
 * hosts.
 */
export function parsePreviewLabel(host: string, previewDomain: string | null): string | null {
  if (previewDomain === null || !host.endsWith(`.${previewDomain}`)) return null
  return host.slice(0, -previewDomain.length - 1)
}

/** Throws AppError `previews_not_set_up`. */
export function requirePreviewDomain({ previewDomain }: Pick<PreviewAddresses, 'previewDomain'>): string {
  const domain = previewDomain()
  if (domain === null) throw new AppError('previews_not_set_up')
  return domain
}

/** Throws AppError `previews_not_set_up`. */
export function previewUrl(addresses: PreviewAddresses, label: string): string {
  return siteOrigin(addresses.publicUrl(), `${label}.${requirePreviewDomain(addresses)}`)
}
