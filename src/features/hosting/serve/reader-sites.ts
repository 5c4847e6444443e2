/** Sites for readers: looked up by host name or site id, with their domains and published pages. */
import { sql } from 'kysely'
import { createAsyncCache } from '../../../base/async-cache.ts'
import type { Log } from '../../../base/log.ts'
import type { Queries } from '../../../database/database.ts'
import type { ObjectStore } from '../../../objects/object-store.ts'
import { readManifest } from '../../../render/versions/site-versions.ts'
import { ACCESS_COLUMNS, type Reader, type SiteAccess } from '../access/site-access.ts'
import { pageRoutes } from './page-routes.ts'

export interface ReaderSite {
  siteId: string
  projectId: string
  organizationId: string
  /** Active host names in normalized form. */
  domains: readonly string[]
  /** Null if nothing is published here, for example because the customer hosts the bundles. */
  manifestKey: string | null
  access: SiteAccess
  /** Archived sites are still served, but no data is collected and no work is started for them. */
  isArchived: boolean
  takesFeedback: boolean
}

export interface AdmittedSite extends ReaderSite {
  reader: Reader
}

export interface ReaderSites {
  byHost(host: string): Promise<ReaderSite | null>
  bySiteId(siteId: string): Promise<ReaderSite | null>
  /**
   * Returns true if the site has a page at this canonical path. To avoid losing feedback, returns true for
   * every path if nothing is published or the version cannot be read.
   */
  hasPage(site: ReaderSite, path: string): Promise<boolean>
}

export interface ReaderSitesDeps {
  queries: Queries
  objects: ObjectStore
  log: Log
}

/** Lifetime of a cached lookup: a burst of readers costs a single query, and changes take effect soon. */
const MAX_AGE_MS = 2000
const MAX_CACHED_SITES = 1000
const MAX_ROUTE_CACHE_BYTES = 32 << 20
const ROUTE_OVERHEAD_BYTES = 50
/** Other ids are not looked up, because the database rejects some characters, such as NUL. */
const SITE_ID = /^\w{1,80}$/

export function createReaderSites(deps: ReaderSitesDeps, now: () => number = Date.now): ReaderSites {
  const sites = new Map<string, { at: number; site: Promise<ReaderSite | null> }>()
  const versions = createAsyncCache({ maxSize: MAX_ROUTE_CACHE_BYTES, sizeOf: weighRoutes })

  function loadCached(key: string, load: () => Promise<ReaderSite | null>): Promise<ReaderSite | null> {
    const known = sites.get(key)
    if (known !== undefined && now() - known.at < MAX_AGE_MS) return known.site
    const site = load()
    sites.delete(key)
    sites.set(key, { at: now(), site })
    const forget = () => sites.delete(key)
    site.then((found) => found ?? forget(), forget) // A missing site may soon be created.
    evictOldest(sites, MAX_CACHED_SITES)
    return site
  }

  function pagesOf(manifestKey: string): Promise<ReadonlySet<string>> {
    return versions.get(manifestKey, () => readManifest(deps.objects, manifestKey).then(pageRoutes))
  }

  async function isPublished(manifestKey: string, path: string): Promise<boolean> {
    try {
      return (await pagesOf(manifestKey)).has(path)
    } catch (error) {
      deps.log.warn({ manifestKey, err: error }, 'reader.pages_unreadable')
      return true
    }
  }

  return {
    byHost: (host) => loadCached(`host:${host}`, () => findSite(deps.queries, { host })),
    bySiteId: async (siteId) =>
      SITE_ID.test(siteId) ? loadCached(`site:${siteId}`, () => findSite(deps.queries, { siteId })) : null,
    async hasPage(site, path) {
      if (site.manifestKey === null || (await isPublished(site.manifestKey, path))) return true
      // The page may belong to a version published after the site was looked up.
      const fresh = await findSite(deps.queries, { siteId: site.siteId })
      const key = fresh?.manifestKey ?? null
      return key !== null && key !== site.manifestKey && isPublished(key, path)
    },
  }
}

async function findSite(
  queries: Queries,
  named: { host: string } | { siteId: string },
): Promise<ReaderSite | null> {
  const row = await queries
    .selectFrom('projects')
    .leftJoin('published_sites', 'published_sites.project_id', 'projects.id')
    .select(['projects.id', 'site_id', 'organization_id', 'manifest_key'])
    .select(['archived_at', 'archive_serves', 'archive_takes_feedback'])
    .select(
      sql<string[]>`ARRAY(SELECT domain FROM served_domains WHERE project_id = projects.id)`.as('domains'),
    )
    .select(ACCESS_COLUMNS.as('access'))
    .$if('siteId' in named, (query) => query.where('site_id', '=', (named as { siteId: string }).siteId))
    .$if('host' in named, (query) =>
      query.where('projects.id', '=', (eb) =>
        eb
          .selectFrom('served_domains')
          .select('project_id')
          .where('domain', '=', (named as { host: string }).host),
      ),
    )
    .executeTakeFirst()
  if (row === undefined || (row.archived_at !== null && !row.archive_serves)) return null
  return {
    siteId: row.site_id,
    projectId: row.id,
    organizationId: row.organization_id,
    domains: row.domains,
    manifestKey: row.manifest_key,
    access: row.access,
    isArchived: row.archived_at !== null,
    takesFeedback: row.archived_at === null || row.archive_takes_feedback,
  }
}

function weighRoutes(routes: ReadonlySet<string>): number {
  let bytes = 0
  for (const route of routes) bytes += ROUTE_OVERHEAD_BYTES + route.length
  return bytes
}

function evictOldest(map: Map<string, unknown>, size: number): void {
  for (const oldest of map.keys()) {
    if (map.size <= size) return
    map.delete(oldest)
  }
}
