/** Hosted site of a project for the dashboard: live version, problems, and the running deployment. */

import { AppError } from '../../../base/errors/errors.ts'
import type { CursorCodec } from '../../../base/signed-cursor.ts'
import type { Queries } from '../../../database/database.ts'
import { readPosition } from '../../../database/newest-first.ts'
import type { Overview } from '../../dashboard/operations/overview.ts'
import type { PublishedSite, PublishedSiteQuery } from '../../projects/operations/projects.ts'
import { countSiteProblems, selectSiteProblems } from '../deploy/site-problems.ts'
import { type DeploymentRow, toDeployment, toState } from '../deploy/store.ts'
import type { Deployment, DeploymentState } from '../operations/deployments.ts'
import { siteOrigin } from './site-origin.ts'

export interface PublishedSiteDeps {
  cursors: CursorCodec
  publicUrl: () => string
}

interface ProjectScope {
  organizationId: string
  projectId: string
}

const DEFAULT_PAGE_SIZE = 50
const NO_PROBLEMS = { error: 0, warning: 0, hint: 0 }

/** Throws AppError `not_found`, and `invalid_request` for a cursor from another list. */
export async function getPublishedSite(
  deps: PublishedSiteDeps,
  queries: Queries,
  projectScope: ProjectScope,
  query: PublishedSiteQuery,
): Promise<PublishedSite> {
  const after = readCursor(deps, projectScope, query)
  const found = await findPublished(queries, projectScope)
  const limit = query.limit ?? DEFAULT_PAGE_SIZE
  const [state, problems, problemCounts] = await Promise.all([
    readSiteState(queries, projectScope),
    found.deploymentId === null
      ? []
      : selectSiteProblems(queries, found.deploymentId, {
          level: query.level ?? null,
          file: query.file ?? null,
          after,
          limit: limit + 1,
        }),
    found.deploymentId === null ? NO_PROBLEMS : countSiteProblems(queries, found.deploymentId),
  ])
  const shown = problems.slice(0, limit)
  const hasMore = problems.length > limit
  const last = shown.at(-1)
  return {
    url: found.domain === null ? null : siteOrigin(deps.publicUrl(), found.domain),
    published: state.published,
    current: state.current,
    last: state.last,
    problems: shown.map(({ number: _, ...problem }) => problem),
    problemCounts,
    nextCursor: hasMore && last ? deps.cursors.encode(cursorScope(projectScope, query), [last.number]) : null,
    hasMore,
  }
}

function cursorScope({ projectId }: ProjectScope, { level, file }: PublishedSiteQuery): string {
  return `site-problems:${projectId}:${JSON.stringify([level ?? null, file ?? null])}`
}

function readCursor(deps: PublishedSiteDeps, projectScope: ProjectScope, query: PublishedSiteQuery): number {
  return Number(readPosition(deps.cursors, cursorScope(projectScope, query), query.cursor)?.[0] ?? 0)
}

export interface PublishedPointer {
  /** The first active domain; null if there is none. */
  domain: string | null
  deploymentId: string | null
  manifestKey: string | null
  publishedAt: Date | null
}

/** Throws AppError `not_found`, also for a project of another organization. */
export async function findPublished(queries: Queries, projectScope: ProjectScope): Promise<PublishedPointer> {
  const row = await queries
    .selectFrom('projects')
    .leftJoin('published_sites', 'published_sites.project_id', 'projects.id')
    .leftJoin('served_domains', 'served_domains.project_id', 'projects.id')
    .select(['deployment_id', 'manifest_key', 'published_at', 'served_domains.domain'])
    .where('projects.id', '=', projectScope.projectId)
    .where('organization_id', '=', projectScope.organizationId)
    .orderBy('served_domains.position')
    .orderBy('served_domains.domain')
    .limit(1)
    .executeTakeFirst()
  if (row === undefined) throw new AppError('not_found')
  const { domain, deployment_id, manifest_key, published_at } = row
  return { domain, deploymentId: deployment_id, manifestKey: manifest_key, publishedAt: published_at }
}

export interface SiteState {
  published: Overview['site']['published']
  /** Newest queued or running deployment. */
  current: DeploymentState | null
  /** Newest finished deployment. */
  last: Deployment | null
}

/** All fields are null for a project of another organization. */
export async function readSiteState(
  queries: Queries,
  { organizationId, projectId }: ProjectScope,
): Promise<SiteState> {
  const [recent, published] = await Promise.all([
    queries
      .selectFrom('deployments')
      .selectAll()
      .where('project_id', '=', projectId)
      .where('organization_id', '=', organizationId)
      .where('preview_id', 'is', null)
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .limit(20)
      .execute(),
    queries
      .selectFrom('published_sites')
      .innerJoin('deployments', 'deployments.id', 'published_sites.deployment_id')
      .select(['deployment_id', 'published_at', 'revision', 'page_count', 'warning_count'])
      .where('published_sites.project_id', '=', projectId)
      .where('organization_id', '=', organizationId)
      .executeTakeFirst(),
  ])
  const isAtWork = ({ status }: DeploymentRow) => status === 'queued' || status === 'running'
  const current = recent.find(isAtWork)
  const last = recent.find((row) => !isAtWork(row))
  return {
    published:
      published === undefined
        ? null
        : {
            deploymentId: published.deployment_id,
            publishedAt: published.published_at.toISOString(),
            revision: published.revision,
            pageCount: published.page_count,
            problemCount: published.warning_count,
          },
    current: current === undefined ? null : toState(current, false),
    last: last === undefined ? null : toDeployment(last, last.id === published?.deployment_id),
  }
}

export function toPublishedState({
  warnings: _,
  log: _log,
  changedPages: _pages,
  ...state
}: Deployment): DeploymentState {
  return state
}

export async function publishedTimes(queries: Queries, organizationId: string): Promise<Map<string, Date>> {
  const rows = await queries
    .selectFrom('published_sites')
    .innerJoin('projects', 'projects.id', 'published_sites.project_id')
    .select(['project_id', 'published_at'])
    .where('organization_id', '=', organizationId)
    .execute()
  return new Map(rows.map((row) => [row.project_id, row.published_at]))
}
