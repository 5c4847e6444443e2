/** Steps from the source of a project to a site version in object storage. */
import { sql } from 'kysely'
import { resolveFeatures } from '../../../base/api/features.ts'
import type { Problem } from '../../../base/errors/problem.ts'
import type { Database } from '../../../database/database.ts'
import {
  openProjectTree,
  PROJECT_SOURCE_COLUMNS,
  type ProjectSourceDeps,
  readRepositoryAddress,
} from '../../../git/project-source.ts'
import type { BuildRequest } from '../../../render/build.ts'
import { openSiteProcess, type SiteProcessDeps } from '../../../render/site-process.ts'
import type { SiteManifest } from '../../../render/versions/manifest.ts'
import { saveManifest } from '../../../render/versions/site-versions.ts'
import { type BuildWork, buildUntilComplete, checkFiles, getStageTimer } from '../../../render/whole-site.ts'
import type { Audience } from '../../../site/pages/page-readers.ts'
import { siteOrigin } from '../serve/site-origin.ts'
import type { DeploymentRow } from './store.ts'

export interface MakeVersionDeps extends Omit<SiteProcessDeps, 'log' | 'slot' | 'projectId' | 'isFresh'> {
  database: Database
  git: ProjectSourceDeps
  /** URL of the API, which determines the scheme and port of local host names. */
  publicUrl: () => string
  hasAssistant: () => boolean
}

export interface MakeVersionResult {
  manifest: SiteManifest
  manifestKey: string
  problems: Problem[]
}

/** Runs the same steps as an export with the cloud profile, with the row's revision if it has one. */
export async function makeVersion(
  deps: MakeVersionDeps,
  deployment: DeploymentRow,
  work: BuildWork,
): Promise<MakeVersionResult> {
  const { project_id: projectId } = deployment
  const timed = getStageTimer(work)
  const project = await findProject(deps, projectId)
  const preview = await findPreview(deps, deployment)
  const source = preview === null ? project : { ...project, ref: preview.ref }
  await using tree = await timed('source', () =>
    openProjectTree(deps.git, source, deployment.revision, work.signal),
  )
  await work.onRevision?.(tree.revision, tree.commit)
  await work.slot.acquire()
  // Later attempts do not use the cache, because it may have caused the previous failure.
  const isFresh = deployment.attempt > 1
  await using site = openSiteProcess({ ...deps, log: work.log, slot: work.slot, projectId, isFresh })
  const request = createBuildRequest(deps, project, preview)
  /** Digests of files already verified for other groups of readers. */
  const seen = new Set<string>()
  const buildFor = async (audience: Audience) => {
    const built = await timed('render', () =>
      buildUntilComplete(
        work.log,
        () => site.build(tree, { ...request, audience }, work.report, work.signal),
        (made) => checkFiles(deps.objects, made, seen, work.signal),
      ),
    )
    for (const { sha256 } of Object.values(built.manifest.files)) seen.add(sha256)
    return built
  }
  const everybody = await buildFor([])
  const audiences: NonNullable<SiteManifest['audiences']>[number][] = []
  let { problems } = everybody
  for (const groups of await listAudiences(deps, projectId, everybody.manifest.groups)) {
    const built = await buildFor(groups)
    // Reports only the problems of the build that contains all pages.
    if (groups === 'all') problems = built.problems
    audiences.push({ groups, manifestKey: await saveManifest(deps.objects, built.manifest) })
  }
  const { audiences: _, ...made } = everybody.manifest
  const manifest = audiences.length === 0 ? made : { ...made, audiences }
  work.onWhole?.(manifest.pageCount)
  const manifestKey = await timed('store', () => saveManifest(deps.objects, manifest))
  return { manifest, manifestKey, problems }
}

type Project = Awaited<ReturnType<typeof findProject>>
type Preview = Awaited<ReturnType<typeof findPreview>>

function createBuildRequest(deps: MakeVersionDeps, project: Project, preview: Preview): BuildRequest {
  return {
    deployment: 'cloud',
    features: {
      ...resolveFeatures('cloud'),
      assistant: deps.hasAssistant(),
      ...(preview && FEATURES_DISABLED_IN_PREVIEWS),
    },
    origin: project.domain === null ? null : siteOrigin(deps.publicUrl(), project.domain),
    siteId: project.site_id,
    platformUrl: deps.publicUrl(),
    // Feedback is disabled in previews, because problems of a preview do not affect the live site.
    widgets: preview === null ? project.widgets : { ...project.widgets, ...NO_FEEDBACK },
    repository: readRepositoryAddress(
      preview === null || preview.is_fork ? project : { ...project, ref: preview.branch },
    ),
  }
}

/** Maximum number of group sets that get separate versions; readers with other sets get the public version. */
const MAX_AUDIENCES = 20

/** Returns `all` and each set of groups granted by a pass; an empty list if all pages are public. */
async function listAudiences(
  { database }: MakeVersionDeps,
  projectId: string,
  groups: readonly string[] = [],
): Promise<Audience[]> {
  if (groups.length === 0) return []
  const passes = await database.queries
    .selectFrom('site_passes')
    .select('groups')
    .where('project_id', '=', projectId)
    .orderBy('created_at')
    .execute()
  const sets = new Map(
    passes.map((pass) => {
      const opened = groups.filter((group) => pass.groups.includes(group))
      return [JSON.stringify(opened), opened] as const
    }),
  )
  return ['all', ...[...sets.values()].filter(({ length }) => length > 0).slice(0, MAX_AUDIENCES)]
}

/** Features disabled in previews, because their counts, limits and costs belong to the live site. */
const FEATURES_DISABLED_IN_PREVIEWS = { analytics: false, assistant: false, playground: false }

const NO_FEEDBACK = { thumbs: false, code: false }

async function findPreview({ database }: MakeVersionDeps, { preview_id: id }: DeploymentRow) {
  if (id === null) return null
  return database.queries
    .selectFrom('previews')
    .select(['ref', 'branch', 'is_fork'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
}

/** Includes the canonical domain: the first active one, else the first pending one. */
async function findProject(deps: MakeVersionDeps, projectId: string) {
  return deps.database.queries
    .selectFrom('projects')
    .leftJoin('project_domains', 'project_domains.project_id', 'projects.id')
    .select(PROJECT_SOURCE_COLUMNS)
    .select(['site_id', 'widgets', 'project_domains.domain'])
    .where('projects.id', '=', projectId)
    .orderBy(sql`project_domains.state = 'pending'`)
    .orderBy('project_domains.position')
    .orderBy('project_domains.domain')
    .limit(1)
    .executeTakeFirstOrThrow()
}
