/** Host names of previews: each is an origin of its own, so that what one runs reaches neither another nor any site. */
import { randomBytes } from 'node:crypto'
import { AppError } from '../../../base/errors/errors.ts'
import { siteOrigin } from '../serve/site-origin.ts'

export interface PreviewAddresses {
  publicUrl: () => string
  /** Below it each preview has a name; null: this server has none. */
  previewDomain: () => string | null
}

/** 32 letters of 32: 160 bits that nobody guesses. */
export function createLabel(): string {
  const letters = 'abcdefghijklmnopqrstuvwxyz234567'
  return Array.from(randomBytes(32), (byte) => letters.charAt(byte % 32)).join('')
}

/** The label of a host name below the domain of previews, whether there is a preview or not; null for all others. */
export function labelOf(host: string, previewDomain: string | null): string | null {
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
