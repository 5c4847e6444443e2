/**
 * Host names of the service. A site at one of them, or at a parent or child domain of one, could set cookies for the
 * dashboard or for all previews. Checked wherever a domain is assigned.
 */
import { sql } from 'kysely'
import type { Queries } from '../../../database/database.ts'
import { readInstanceSettings } from '../../accounts/settings/instance-settings.ts'
import { chosenPreviewDomain } from '../../accounts/settings/server-choices.ts'

export interface OwnNames {
  publicUrl: string
  /** Value of the environment variable; null if operators set the domain. */
  previewDomain: string | null
}

const LOCAL = 'localhost'

export async function reservedNames(
  db: Queries,
  { publicUrl, previewDomain: chosenDomain }: OwnNames,
): Promise<string[]> {
  const previews =
    chosenDomain ?? chosenPreviewDomain(await readInstanceSettings(db)) ?? defaultPreviewDomain(publicUrl)
  return [publicHost(publicUrl), LOCAL, ...(previews === null ? [] : [previews])]
}

/** Default if no domain is set, because browsers resolve subdomains of localhost to the local machine. */
export function defaultPreviewDomain(publicUrl: string): string | null {
  return [LOCAL, '127.0.0.1', '[::1]'].includes(publicHost(publicUrl)) ? `previews.${LOCAL}` : null
}

export function publicHost(publicUrl: string): string {
  return new URL(publicUrl).hostname.replace(/\.$/, '')
}

/** Returns true for an equal domain, a parent or a child. Subdomains of localhost are independent. */
export function isRelatedDomain(domain: string, name: string): boolean {
  const isBelow = domain.endsWith(`.${name}`) && name !== LOCAL
  return domain === name || isBelow || name.endsWith(`.${domain}`)
}

/** Returns up to `limit` project domains that equal one of the names, or are a parent or child domain of one. */
export async function findRelatedDomains(
  db: Queries,
  name: string,
  { limit, except }: { limit: number; except?: string },
): Promise<string[]> {
  const rows = await db
    .selectFrom('project_domains')
    .innerJoin('all_projects', 'all_projects.id', 'project_domains.project_id')
    .select('domain')
    .distinct()
    .where(
      sql<boolean>`(domain = ${name} OR right(domain, ${name.length + 1}) = ${`.${name}`}
        OR right(${name}, length(domain) + 1) = '.' || domain)`,
    )
    .$if(except !== undefined, (query) => query.where('organization_id', '<>', except as string))
    .orderBy('domain')
    .limit(limit)
    .execute()
  return rows.map((row) => row.domain)
}
