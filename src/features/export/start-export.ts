/**
 * Starts a static export: checks plan, domain and features, then creates the row and the queue job in the
 * caller's transaction. Every call starts a new build; exports with equal content share one archive
 * (make-bundle.ts).
 */
import { Check } from 'typebox/value'
import {
  choiceFault,
  type ExportDeployment,
  type FeatureChoices,
  type FeatureSet,
  resolveFeatures,
} from '../../base/api/features.ts'
import { PLAN_CAPABILITIES, type Plan } from '../../base/api/plans.ts'
import { AppError, assertNoFaults } from '../../base/errors/errors.ts'
import { type Fault, faultAt, type Parsed } from '../../base/errors/fault.ts'
import { parseHostname } from '../../base/hostname.ts'
import { createId } from '../../base/ids.ts'
import type { Tx } from '../../database/database.ts'
import type { Queue } from '../../queue/queue.ts'
import { type ExportJob, StartExportBody } from './operations/static-export.ts'
import { insertExport, toExportJob } from './store.ts'

export interface StartExportDeps {
  queue: Pick<Queue, 'enqueue'>
}

export interface ExportCaller {
  id: string
  organizationId: string
  plan: Plan
  /** Projects that the key may use; null without a restriction. */
  projectIds: readonly string[] | null
}

/**
 * Expects a normalized `body.domain`. Throws AppError `plan_required`, and `invalid_request` for a domain of another
 * organization and for features that the deployment does not allow.
 */
export async function startExport(
  deps: StartExportDeps,
  tx: Tx,
  caller: ExportCaller,
  body: StartExportBody,
): Promise<ExportJob> {
  if (!PLAN_CAPABILITIES[caller.plan].static_export) throw new AppError('plan_required')
  const project = await projectOf(tx, caller, body.domain)
  const deployment = body.deployment ?? project.default_deployment
  assertNoFaults(featureFaults(deployment, body.features))

  const row = await insertExport(tx, {
    id: createId('se'),
    organizationId: caller.organizationId,
    projectId: project.id,
    domain: body.domain,
    deployment,
    features: resolveBundleFeatures(deployment, project.features, body),
    widgets: project.widgets,
    paths: body.paths?.map(routeOf) ?? null,
    groups: body.groups ?? [],
    version: body.version ?? null,
    startedBy: caller.id,
  })
  const owner = { organizationId: caller.organizationId, projectId: project.id }
  await deps.queue.enqueue(tx, 'export.build', { exportId: row.id }, owner)
  return toExportJob(row)
}

/** Bundles for groups have no assistant, because it covers only public pages and cannot identify the reader. */
function resolveBundleFeatures(
  deployment: ExportDeployment,
  ofProject: FeatureChoices,
  { features, groups = [] }: StartExportBody,
): FeatureSet {
  const resolved = resolveFeatures(deployment, { ...ofProject, ...features })
  return groups.length === 0 ? resolved : { ...resolved, assistant: false }
}

/** Checks the rules that the schema cannot express. Ignores wrong types, which the schema rejects. */
export function parseExportBody(body: unknown): Parsed<{ domain: string }> {
  const { domain, deployment, features, paths } = (body ?? {}) as Record<string, unknown>
  const { properties } = StartExportBody
  const faults: Fault[] = []
  const read = Check(properties.domain, domain) ? parseHostname(domain) : { hostname: '' }
  if ('problem' in read) faults.push({ ...read.problem, field: '/domain' })
  if (Check(properties.deployment, deployment) && Check(properties.features, features))
    faults.push(...featureFaults(deployment, features))
  if (Check(properties.paths, paths)) faults.push(...pathFaults(paths))
  return { value: { domain: 'hostname' in read ? read.hostname : '' }, faults }
}

function featureFaults(deployment: ExportDeployment, features: FeatureChoices = {}): Fault[] {
  return Object.entries(features).flatMap(([name, choice]) => {
    const fault = choiceFault(name, choice, deployment)
    return fault === null ? [] : [fault]
  })
}

function pathFaults(paths: readonly string[]): Fault[] {
  return paths.flatMap((path, index) =>
    /^[a-z][a-z0-9+.-]*:/i.test(path) || /[?#\\]/.test(path) || path.split('/').includes('..')
      ? [faultAt(`/paths/${index}`, 'invalid_page_path')]
      : [],
  )
}

/** Converts `guides/x/` and `/guides/x.html` to `/guides/x`. */
function routeOf(path: string): string {
  const bare = path.replace(/^\/+|(?<!\/)\/+$/g, '').replace(/\.html$/, '')
  return bare === 'index' || bare === '' ? '/' : `/${bare}`
}

/**
 * Uses the same message for an unknown domain, a domain of another organization and a domain outside a key's
 * scope, so that callers cannot find out who owns a domain.
 */
async function projectOf(tx: Tx, { organizationId, projectIds }: ExportCaller, domain: string) {
  const project = await tx
    .selectFrom('project_domains')
    .innerJoin('projects', 'projects.id', 'project_domains.project_id')
    .select(['projects.id', 'default_deployment', 'features', 'widgets', 'state', 'archived_at'])
    .where('project_domains.domain', '=', domain)
    .where('projects.organization_id', '=', organizationId)
    // Serializes this transaction with archiving of the project, which cancels exports that have already started.
    .forKeyShare('projects')
    .executeTakeFirst()
  if (!project || projectIds?.includes(project.id) === false)
    throw new AppError('invalid_request', {
      details: [faultAt('/domain', 'foreign_domain')],
    })
  if (project.state === 'pending')
    throw new AppError('invalid_request', {
      details: [faultAt('/domain', 'unverified_domain')],
    })
  if (project.archived_at !== null) throw new AppError('project_archived')
  return project
}
