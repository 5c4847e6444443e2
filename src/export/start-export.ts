/** Starts a static export: plan, domain and features are checked; row and job are written in the caller's transaction. */
import { createId } from '../base/ids.ts'
import { AppError, refuseFaults } from '../contract/errors.ts'
import { type Fault, faultAt } from '../contract/fault.ts'
import {
  choiceFault,
  type ExportDeployment,
  type FeatureChoices,
  type FeatureSet,
  resolveFeatures,
} from '../contract/features.ts'
import { PLAN_CAPABILITIES, type Plan } from '../contract/plans.ts'
import type { ExportJob, StartExportBody } from '../contract/static-export.ts'
import type { Tx } from '../database/database.ts'
import type { Queue } from '../queue/queue.ts'
import { insertExport, toExportJob } from './store.ts'

export interface StartExportDeps {
  queue: Pick<Queue, 'enqueue'>
}

/** Who asks: a key or a member, with the organization and its plan. */
export interface ExportCaller {
  id: string
  organizationId: string
  plan: Plan
  /** Of a key that is limited to some. */
  projectIds: readonly string[] | null
}

/** Throws AppError: `invalid_request` for shape and for a domain that is not this organization's, `plan_required`. */
export async function startExport(
  deps: StartExportDeps,
  tx: Tx,
  caller: ExportCaller,
  body: StartExportBody,
): Promise<ExportJob> {
  const domain = checkShape(body)
  if (!PLAN_CAPABILITIES[caller.plan].static_export) throw new AppError('plan_required')
  const project = await projectOf(tx, caller, domain)
  const deployment = body.deployment ?? project.default_deployment
  refuseFaults(featureFaults(deployment, body))

  const row = await insertExport(tx, {
    id: createId('se'),
    organizationId: caller.organizationId,
    projectId: project.id,
    domain,
    deployment,
    features: featuresOf(deployment, project.features, body),
    widgets: project.widgets,
    paths: body.paths?.map(routeOf) ?? null,
    groups: body.groups ?? [],
    version: body.version ?? null,
    startedBy: caller.id,
  })
  await deps.queue.enqueue(tx, 'export.build', { exportId: row.id })
  return toExportJob(row)
}

/** A bundle for groups has no assistant: it knows the pages for everybody alone, and nobody tells it who asks. */
function featuresOf(
  deployment: ExportDeployment,
  ofProject: FeatureChoices,
  { features, groups = [] }: StartExportBody,
): FeatureSet {
  const resolved = resolveFeatures(deployment, { ...ofProject, ...features })
  return groups.length === 0 ? resolved : { ...resolved, assistant: false }
}

/** All that can be said of the body without looking anything up. Answers the domain in its one form. */
function checkShape(body: StartExportBody): string {
  const domain = body.domain.trim().toLowerCase().replace(/\.$/, '')
  refuseFaults([
    ...domainFaults(domain),
    ...(body.deployment === undefined ? [] : featureFaults(body.deployment, body)),
    ...pathFaults(body.paths ?? []),
  ])
  return domain
}

const domainFault = (words: string) => faultAt('/domain', words)

function domainFaults(domain: string): Fault[] {
  if (/^[a-z][a-z0-9+.-]*:\/\//.test(domain))
    return [
      domainFault(
        `must be a host name without a scheme: send "${URL.parse(domain)?.hostname || 'docs.example.com'}".`,
      ),
    ]
  if (/[/?#]/.test(domain)) return [domainFault('must be a host name without a path.')]
  if (/:\d*$/.test(domain)) return [domainFault('must be a host name without a port.')]
  const ascii = URL.parse(`https://${domain}/`)?.hostname
  return ascii ? [] : [domainFault('is not a host name.')]
}

function featureFaults(deployment: ExportDeployment, body: StartExportBody): Fault[] {
  return Object.entries(body.features ?? {}).flatMap(([name, choice]) => {
    const fault = choiceFault(name, choice, deployment)
    return fault === null ? [] : [faultAt(`/features/${name}`, fault)]
  })
}

function pathFaults(paths: readonly string[]): Fault[] {
  return paths.flatMap((path, index) =>
    /^[a-z][a-z0-9+.-]*:/i.test(path) || /[?#\\]/.test(path) || path.split('/').includes('..')
      ? [faultAt(`/paths/${index}`, 'must be the path of a page, for example "/guides/deploy".')]
      : [],
  )
}

/** `guides/x/`, `/guides/x.html` → `/guides/x`. */
function routeOf(path: string): string {
  const bare = path.replace(/^\/+|(?<!\/)\/+$/g, '').replace(/\.html$/, '')
  return bare === 'index' || bare === '' ? '/' : `/${bare}`
}

/** One text for a domain that nobody has, one of another organization and one outside of a key's limit: nobody learns who has what. */
async function projectOf(tx: Tx, { organizationId, projectIds }: ExportCaller, domain: string) {
  const project = await tx
    .selectFrom('project_domains')
    .innerJoin('projects', 'projects.id', 'project_domains.project_id')
    .select(['projects.id', 'default_deployment', 'features', 'widgets', 'state', 'archived_at'])
    .where('project_domains.domain', '=', URL.parse(`https://${domain}/`)?.hostname ?? domain)
    .where('projects.organization_id', '=', organizationId)
    // Archived before the export begins, or after it: then it is ended.
    .forKeyShare('projects')
    .executeTakeFirst()
  if (!project || projectIds?.includes(project.id) === false)
    throw new AppError('invalid_request', {
      details: [domainFault('is not the domain of a project of this organization.')],
    })
  if (project.state === 'pending')
    throw new AppError('invalid_request', {
      details: [domainFault('is not proved yet: the settings of its project say what to create.')],
    })
  if (project.archived_at !== null) throw new AppError('project_archived')
  return project
}
