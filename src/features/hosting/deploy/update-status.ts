/** Deployments in the format of other platforms' API. */
import { sql } from 'kysely'
import type { Queries } from '../../../database/database.ts'
import type { UPDATE_SOURCES, UpdateStatus } from '../operations/deployments.ts'
import { type DeploymentRow, deploymentRows } from './store.ts'

const STATUSES = {
  queued: 'queued',
  running: 'in_progress',
  published: 'success',
  failed: 'failure',
} as const

export async function getUpdateStatus(
  { previewDomain }: { previewDomain: () => string | null },
  queries: Queries,
  organizationId: string,
  statusId: string,
): Promise<UpdateStatus> {
  const row = await deploymentRows.get(queries, { organizationId }, statusId)
  const project = await readProject(queries, row)
  const host = row.preview_id === null ? project.domain : previewHost(project.label, previewDomain())
  return {
    _id: row.id,
    projectId: row.project_id,
    createdAt: row.created_at.toISOString(),
    ...(row.ended_at !== null && { endedAt: row.ended_at.toISOString() }),
    status: STATUSES[row.status],
    summary: summaryOf(row),
    logs: row.log.map(({ text }) => text),
    ...(host !== null && { subdomain: host }),
    author: row.commit_author === null ? null : { name: row.commit_author },
    ...(row.revision !== null && { commit: commitOf(row, row.revision, project.ref) }),
    source: sourceOf(row, project.hook_forge),
  }
}

function summaryOf({ status, error, page_count: pages, total_pages: total }: DeploymentRow): string {
  switch (status) {
    case 'queued':
      return 'Waiting in the queue.'
    case 'running':
      return total === null ? 'Reading the source.' : `${pages} of ${total} pages are rendered.`
    case 'published':
      return `Published ${pages} pages.`
    case 'failed':
      return error ?? 'The deployment failed.'
  }
}

function commitOf(
  { commit_title: title, changes }: DeploymentRow,
  sha: string,
  ref: string,
): NonNullable<UpdateStatus['commit']> {
  const pages = changes?.pages ?? []
  const pathsOf = (wanted: 'added' | 'changed' | 'removed') =>
    pages.filter(({ change }) => change === wanted).map(({ path }) => path)
  const filesChanged = {
    added: pathsOf('added'),
    modified: pathsOf('changed'),
    removed: pathsOf('removed'),
  }
  return { sha, ref, message: title ?? '', filesChanged }
}

function sourceOf(
  { trigger, started_by: startedBy }: DeploymentRow,
  forge: string | null,
): (typeof UPDATE_SOURCES)[number] {
  if (trigger === 'push') return forge === 'github' || forge === 'gitlab' ? forge : 'internal'
  if (startedBy?.startsWith('key_')) return 'api'
  return startedBy?.startsWith('usr_') ? 'dashboard' : 'internal'
}

function previewHost(label: string | null, domain: string | null): string | null {
  return label === null || domain === null ? null : `${label}.${domain}`
}

async function readProject(
  queries: Queries,
  { project_id: projectId, preview_id: previewId }: DeploymentRow,
): Promise<{ hook_forge: string | null; ref: string; domain: string | null; label: string | null }> {
  return queries
    .selectFrom('projects')
    .leftJoin('previews', (join) => join.on('previews.id', '=', previewId))
    .leftJoin('project_publishing', 'project_publishing.project_id', 'projects.id')
    .select(['previews.label', 'hook_forge'])
    .select([
      sql<string>`coalesce(previews.branch, projects.ref, projects.default_branch, '')`.as('ref'),
      sql<string | null>`(SELECT domain FROM served_domains WHERE project_id = projects.id
        ORDER BY position, domain LIMIT 1)`.as('domain'),
    ])
    .where('projects.id', '=', projectId)
    .executeTakeFirstOrThrow()
}
