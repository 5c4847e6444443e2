/** Access to a site, determined by the settings of its project and the credentials of a reader. */
import { sql } from 'kysely'
import type { Queries } from '../../../database/database.ts'
import { parsePreviewLabel } from '../previews/preview-address.ts'
import { createRecentResponses } from '../serve/hot-pages.ts'
import { isSecureSite } from '../serve/site-origin.ts'
import type { ReaderCredentials } from '../serve/site-request.ts'
import type { ReaderTokens } from './reader-token.ts'

export interface SiteAccess {
  isPrivate: boolean
  /** Whether members of the organization may sign in as readers. */
  admitsMembers: boolean
  /** Passes that have not expired. */
  passes: readonly {
    id: string
    kind: 'password' | 'link'
    groups: readonly string[]
    expiresAt: number | null
  }[]
}

export interface HostedSite {
  projectId: string
  organizationId: string
  /** Null before the first deployment. */
  manifestKey: string | null
  access: SiteAccess
  /** True if the project is archived and not served, or is deleted but can still be restored. */
  isDeleted?: true
  /** True for a preview, which has an unguessable host name. */
  isPreview?: true
}

/** An authorized reader; `all` stands for every page group. */
export interface Reader {
  groups: readonly string[] | 'all'
  isKnown: boolean
}

export interface ReaderGate {
  admit(site: Omit<HostedSite, 'manifestKey'>, credentials: ReaderCredentials): Promise<Reader | null>
}

const ANONYMOUS: Reader = { groups: [], isKnown: false }

/** Over https, browsers accept a cookie with this prefix only from this exact host. */
const SECURE_COOKIE = '__Host-octavo.reader'
const PLAIN_COOKIE = 'octavo.reader'

export function readerCookieName(isSecure: boolean): string {
  return isSecure ? SECURE_COOKIE : PLAIN_COOKIE
}

export function hasCredentials({ cookie, authorization }: Omit<ReaderCredentials, 'host'>): boolean {
  return authorization !== undefined || cookie?.includes(PLAIN_COOKIE) === true
}

export function createReaderGate(
  queries: Queries,
  tokens: ReaderTokens,
  publicUrl: () => string,
): ReaderGate {
  const members = createRecentResponses<true>((name) => checkMembership(queries, name))
  async function isMember({ organizationId }: Pick<HostedSite, 'organizationId'>, userId: string) {
    return (await members.find(`${organizationId} ${userId}`)) === true
  }
  return {
    async admit(site, credentials) {
      const { access } = site
      const anonymous = access.isPrivate ? null : ANONYMOUS
      if (!hasCredentials(credentials)) return anonymous
      const cookieName = readerCookieName(isSecureSite(publicUrl(), credentials.host))
      for (const token of readTokens(credentials, cookieName)) {
        const claim = tokens.read(site.projectId, token)
        if (claim === null) continue
        if (claim.kind === 'pass') {
          const pass = access.passes.find(({ id }) => id === claim.id)
          if (pass !== undefined && (pass.expiresAt === null || pass.expiresAt > Date.now()))
            return { groups: pass.groups, isKnown: true }
        } else if (access.admitsMembers && (await isMember(site, claim.id)))
          return { groups: 'all', isKnown: true }
      }
      return anonymous
    },
  }
}

/** Over https, ignores the cookie without the prefix, because any site of the domain can set it. */
function* readTokens({ cookie, authorization }: ReaderCredentials, cookieName: string): Generator<string> {
  const bearer = /^Bearer (\S+)$/i.exec(authorization ?? '')?.[1]
  if (bearer !== undefined) yield bearer
  for (const part of (cookie ?? '').split(';')) {
    const [name = '', value = ''] = part.trim().split('=', 2)
    if (name === cookieName) yield value
  }
}

async function checkMembership(queries: Queries, name: string): Promise<true | undefined> {
  const [organizationId = '', userId = ''] = name.split(' ')
  const row = await queries
    .selectFrom('members')
    .select('user_id')
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row === undefined ? undefined : true
}

export const ACCESS_COLUMNS = sql<SiteAccess>`(
  SELECT json_build_object(
    'isPrivate', coalesce((SELECT is_private FROM site_access WHERE project_id = projects.id), false),
    'admitsMembers', coalesce((SELECT admits_members FROM site_access WHERE project_id = projects.id), true),
    'passes', coalesce((
      SELECT json_agg(json_build_object('id', id, 'kind', kind, 'groups', groups,
        'expiresAt', floor(extract(epoch FROM expires_at) * 1000)))
      FROM site_passes
      WHERE project_id = projects.id AND (expires_at IS NULL OR expires_at > clock_timestamp())
    ), '[]'::json)))`

export async function findHostedSite(
  queries: Queries,
  host: string,
  previewDomain: string | null,
): Promise<HostedSite | undefined> {
  const label = parsePreviewLabel(host, previewDomain)
  if (label !== null) return findPreviewSite(queries, label)
  const row = await queries
    .selectFrom('served_domains')
    .innerJoin('all_projects as projects', 'projects.id', 'served_domains.project_id')
    .leftJoin('published_sites', 'published_sites.project_id', 'projects.id')
    .select([
      'projects.id',
      'projects.organization_id',
      'projects.deleted_at',
      'projects.archived_at',
      'projects.archive_serves',
      'published_sites.manifest_key',
    ])
    .select(ACCESS_COLUMNS.as('access'))
    .where('served_domains.domain', '=', host)
    .executeTakeFirst()
  if (row === undefined) return undefined
  const { id: projectId, organization_id: organizationId, manifest_key: manifestKey, access } = row
  const site = { projectId, organizationId, manifestKey, access }
  return row.deleted_at === null && !isHiddenByArchive(row) ? site : { ...site, isDeleted: true }
}

function isHiddenByArchive(row: { archived_at: Date | null; archive_serves: boolean }): boolean {
  return row.archived_at !== null && !row.archive_serves
}

async function findPreviewSite(queries: Queries, label: string): Promise<HostedSite | undefined> {
  const row = await queries
    .selectFrom('previews')
    .innerJoin('projects', 'projects.id', 'previews.project_id')
    .leftJoin('project_publishing', 'project_publishing.project_id', 'projects.id')
    .select(['projects.id', 'projects.organization_id', 'manifest_key', 'preview_access'])
    .select(['archived_at', 'archive_serves'])
    .select(ACCESS_COLUMNS.as('access'))
    .where('label', '=', label)
    .where('removed_at', 'is', null)
    .where('expires_at', '>', sql<Date>`clock_timestamp()`)
    .executeTakeFirst()
  if (row === undefined) return undefined
  const { id: projectId, organization_id: organizationId, manifest_key: manifestKey } = row
  const access = previewAccess(row.access, row.preview_access ?? 'public')
  const site = { projectId, organizationId, manifestKey, access, isPreview: true } as const
  return isHiddenByArchive(row) ? { ...site, isDeleted: true } : site
}

/** A preview never grants more access than the site: previews of a private site are private too. */
function previewAccess(site: SiteAccess, rule: 'public' | 'members' | 'password'): SiteAccess {
  if (rule === 'public') return site
  return rule === 'password'
    ? { ...site, isPrivate: true }
    : { isPrivate: true, admitsMembers: true, passes: [] }
}
