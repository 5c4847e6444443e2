/** Host names of previews: each is an origin of its own, so that what one runs reaches neither another nor any site. */
import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { AppError } from '../contract/errors.ts'
import type { Queries } from '../database/database.ts'
import { siteOrigin } from './site-origin.ts'

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

/** What runs at the name of a preview may set cookies for the domain that it is below. */
export function isAtOrAbove(domain: string, host: string): boolean {
  return host === domain || host.endsWith(`.${domain}`)
}

/** Host names of sites there, which would be those of previews; the first `most` of them. */
export async function domainsAtOrBelow(db: Queries, domain: string, most: number): Promise<string[]> {
  const rows = await db
    .selectFrom('project_domains')
    .select('domain')
    .where(sql<boolean>`(domain = ${domain} OR right(domain, ${domain.length + 1}) = ${`.${domain}`})`)
    .orderBy('domain')
    .limit(most)
    .execute()
  return rows.map((row) => row.domain)
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
