/** Routes of projects: list, read, create, change; their domains, overview and published site. */

import { AppError } from '../../../base/errors/errors.ts'
import { createFault, type Fault, faultAt } from '../../../base/errors/fault.ts'
import { jobErrorCode, PermanentError } from '../../../base/errors/permanent-error.ts'
import type { Queries } from '../../../database/database.ts'
import { openCodeRepository } from '../../../git/code-repository.ts'
import { GitError } from '../../../git/git-error.ts'
import type { ProjectSourceDeps } from '../../../git/project-source.ts'
import { readSourceLines } from '../../../git/source-lines.ts'
import { modelFaults } from '../../../model/model-faults.ts'
import type { Caller } from '../../../routing/caller.ts'
import type { ServerEvent } from '../../../routing/event-stream.ts'
import type { CallOf, ResponseOf } from '../../../routing/handler.ts'
import { type Handlers, locationHeader, validating } from '../../../routing/handler.ts'
import { createConcurrencyLimit } from '../../accounts/settings/concurrency-limit.ts'
import { AGENT_CAPS } from '../../agent/operations/agent-caps.ts'
import type { AgentSetup } from '../../agent/setup.ts'
import type { INSIGHT_OPERATIONS } from '../../analytics/operations/insights.ts'
import type { Assistant } from '../../assistant/assistant.ts'
import { type GetInsightsDeps, getInsights, listRows } from '../../dashboard/get-insights.ts'
import { type GetOverviewDeps, getOverview } from '../../dashboard/get-overview.ts'
import type { OVERVIEW_OPERATIONS } from '../../dashboard/operations/overview.ts'
import { exportRevision } from '../../export/find-exports.ts'
import { checkProject } from '../../feedback/list-feedback.ts'
import { getDeployment } from '../../hosting/deploy/read-deployments.ts'
import {
  findPublished,
  getPublishedSite,
  type PublishedSiteDeps,
  publishedTimes,
} from '../../hosting/serve/published-site.ts'
import { siteOrigin } from '../../hosting/serve/site-origin.ts'
import { listProjectDomains, requestCheck } from '../domains/domain-checks.ts'
import type { DOMAIN_OPERATIONS, ProjectDomain } from '../operations/domains.ts'
import type { ProjectDetail, SourceLinesQuery, SourceTest } from '../operations/projects.ts'
import { PROJECT_OPERATIONS, type ProjectSummary, type UpdateProjectBody } from '../operations/projects.ts'
import type { ProjectWatch } from '../project-changes.ts'
import { checkProjectFields, type ProjectRules, type ProjectSource } from '../project-fields.ts'
import type { Project } from '../projects.ts'
import { createProject, findProject, listAllProjects } from '../projects.ts'
import { updateProject } from '../update-project.ts'

/** Timeout for fetching a commit that is no longer available locally. */
const FETCH_TIMEOUT_MS = 10_000

const MAX_CONCURRENT_TESTS = 4
const TEST_TIMEOUT_MS = 15_000

type ProjectDeps = ProjectViewDeps &
  PublishedSiteDeps &
  GetSourceLinesDeps &
  GetOverviewDeps &
  GetInsightsDeps & { watch: ProjectWatch }

type Operations = typeof PROJECT_OPERATIONS &
  typeof OVERVIEW_OPERATIONS &
  typeof INSIGHT_OPERATIONS &
  typeof DOMAIN_OPERATIONS

export function projectHandlers(deps: ProjectDeps): Handlers<Operations> {
  const throughGate = createConcurrencyLimit(MAX_CONCURRENT_TESTS)
  return {
    async listProjects({ db, caller: { organizationId } }) {
      const [projects, times] = await Promise.all([
        listAllProjects(db, organizationId),
        publishedTimes(db, organizationId),
      ])
      const shown = projects.map((project) => toSummary(deps, project, times.get(project.id) ?? null))
      const isArchived = ({ archivedAt }: ProjectSummary) => archivedAt !== null
      return {
        body: { projects: shown.filter((one) => !isArchived(one)), archived: shown.filter(isArchived) },
      }
    },
    async createProject({ tx, caller, body }) {
      const { organizationId, id: actor } = caller
      const wanted = { ...body, organizationId, actor, rules: deps.projectRules(caller) }
      const project = await createProject(tx, wanted)
      const headers = locationHeader(deps, PROJECT_OPERATIONS.getProject, { projectId: project.id })
      return { body: await toDetail(deps, tx, project, null), headers }
    },
    async testSource({ caller, body }) {
      const { source } = checkProjectFields(body, deps.projectRules(caller))
      return { body: await throughGate(() => testSource(deps.git, caller.organizationId, source)) }
    },
    async getProject({ db, caller: { organizationId }, params }) {
      const project = await findProject(db, params.projectId, organizationId)
      if (project === null) throw new AppError('not_found')
      const times = await publishedTimes(db, organizationId)
      return { body: await toDetail(deps, db, project, times.get(project.id) ?? null) }
    },
    updateProject: validating(
      ({ body }) => agentFaults(deps, body),
      async ({ tx, caller, params, body }) => {
        const { organizationId, id: actor } = caller
        const change = { ...params, organizationId, actor, body, rules: deps.projectRules(caller) }
        const project = await updateProject(tx, change)
        const times = await publishedTimes(tx, organizationId)
        return { body: await toDetail(deps, tx, project, times.get(params.projectId) ?? null) }
      },
    ),
    async checkDomain({ tx, caller, params }) {
      const project = await findProject(tx, params.projectId, caller.organizationId)
      if (!project?.domains.includes(params.domain)) throw new AppError('not_found')
      await requestCheck(tx, params, deps.provesDomains)
      const domains = await listProjectDomains(tx, project, deps.provesDomains)
      return { body: domains.find(({ domain }) => domain === params.domain) as ProjectDomain }
    },
    getOverview: (call) => getOverview(deps, call),
    getInsights: (call) => getInsights(deps, call),
    listInsightRows: (call) => listRows(deps, call),
    getPublishedSite: async ({ db, caller: { organizationId }, params, query }) => ({
      body: await getPublishedSite(deps, db, { organizationId, ...params }, query),
    }),
    getSourceLines: validating(
      ({ query }) => sourceLinesFaults(query),
      (call) => getSourceLines(deps, call),
    ),
    async streamProjectEvents({ db, caller: { organizationId }, params, signal, lastEventId }) {
      await checkProject(db, { organizationId, ...params })
      return streamEvents(deps.watch, params.projectId, { signal, isBack: lastEventId !== undefined })
    },
  }
}

async function testSource(
  deps: ProjectSourceDeps,
  organizationId: string,
  { kind, repository, ref, docsFolder }: ProjectSource,
): Promise<SourceTest> {
  const row = { id: 'test', organization_id: organizationId, source_kind: kind, folder_granted: false }
  const late = AbortSignal.timeout(TEST_TIMEOUT_MS)
  try {
    await openCodeRepository(deps, { ...row, repository, ref, docs_folder: docsFolder }).checkRef(late)
    return { error: null, errorCode: null }
  } catch (error) {
    if (error instanceof GitError || error instanceof PermanentError)
      return { error: error.message, errorCode: jobErrorCode(error) }
    if (!late.aborted) throw error
    const sentence = `${repository} did not respond within ${TEST_TIMEOUT_MS / 1000} seconds.`
    return { error: sentence, errorCode: 'source_unreachable' }
  }
}

function agentFaults({ agent }: ProjectViewDeps, body: unknown): Fault[] {
  const { agent: choice } = (body ?? {}) as Partial<UpdateProjectBody>
  if (typeof choice !== 'object' || choice === null) return []
  const above = AGENT_CAPS.filter((name) => (choice[name] ?? 0) > agent.caps[name])
  return [
    ...modelFaults(choice.model, '/agent/model'),
    ...(Array.isArray(choice.models) ? choice.models : []).flatMap((model, index) =>
      modelFaults(model, `/agent/models/${index}`),
    ),
    ...above.map((name) => faultAt(`/agent/${name}`, 'above_limit', { max: agent.caps[name] })),
  ]
}

/**
 * Past events are not stored. `mayHaveMissed` makes clients reload all data if they were disconnected or may
 * have read data just before a change.
 */
async function* streamEvents(
  watch: ProjectWatch,
  projectId: string,
  { signal, isBack }: { signal: AbortSignal; isBack: boolean },
): AsyncGenerator<ServerEvent> {
  const { changes, hasJustChanged } = await watch.follow(projectId, signal)
  yield { event: 'ready', data: { mayHaveMissed: isBack || hasJustChanged } }
  for await (const data of changes) yield { event: 'change', data }
}

interface ProjectViewDeps {
  /** Null if no model answers readers' questions. */
  assistant: () => Assistant | null
  publicUrl: () => string
  agent: AgentSetup
  /** Returns the rules for the caller; the operator has more rights than members. */
  projectRules: (caller: Pick<Caller, 'kind'>) => ProjectRules
  /** Whether members' domains are served only after verification. */
  provesDomains: boolean
}

function toSummary(
  { publicUrl, assistant }: Pick<ProjectViewDeps, 'publicUrl' | 'assistant'>,
  project: Project,
  publishedAt: Date | null,
): ProjectSummary {
  const { id, siteId, name, domains, servedDomains, createdAt, archivedAt } = project
  const [domain] = servedDomains
  return {
    id,
    siteId,
    name,
    domains,
    url: domain === undefined ? null : siteOrigin(publicUrl(), domain),
    publishedAt: publishedAt?.toISOString() ?? null,
    hasAssistant: assistant() !== null,
    createdAt: createdAt.toISOString(),
    archivedAt: archivedAt?.toISOString() ?? null,
  }
}

async function toDetail(
  deps: Pick<ProjectViewDeps, 'publicUrl' | 'agent' | 'assistant' | 'provesDomains'>,
  db: Queries,
  project: Project,
  publishedAt: Date | null,
): Promise<ProjectDetail> {
  const { source, defaultDeployment, features, widgets, agent, updatedAt } = project
  const { export: _always, ...chosen } = features
  const { modelName, caps } = deps.agent
  const domainStates = await listProjectDomains(db, project, deps.provesDomains)
  const served = domainStates.filter(({ state }) => state === 'served')
  return {
    // A domain may have been verified after the project was read.
    ...toSummary(deps, { ...project, servedDomains: served.map(({ domain }) => domain) }, publishedAt),
    domainStates,
    provesDomains: deps.provesDomains,
    source,
    defaultDeployment,
    features: chosen,
    widgets,
    agent,
    agentLimits: {
      model: modelName,
      steps: caps.steps,
      tokens: caps.tokens,
      minutes: caps.minutes,
      files: caps.files,
      bytes: caps.bytes,
    },
    updatedAt: updatedAt.toISOString(),
  }
}

type Op = typeof PROJECT_OPERATIONS.getSourceLines

/** GET /internal/projects/{projectId}/source-lines: returns source lines as of the deployment or export. */
interface GetSourceLinesDeps {
  git: ProjectSourceDeps
}

interface ProjectScope {
  organizationId: string
  projectId: string
}

async function getSourceLines(
  deps: GetSourceLinesDeps,
  { db, caller: { organizationId }, params, query, signal }: CallOf<Op>,
): ResponseOf<Op> {
  const scope = { organizationId, ...params }
  const project = await findProject(db, params.projectId, organizationId)
  if (project === null) throw new AppError('not_found')
  const { kind, repository, ref, docsFolder } = project.source
  const row = {
    id: project.id,
    organization_id: organizationId,
    source_kind: kind,
    repository,
    folder_granted: project.folderGranted,
    ref,
    docs_folder: docsFolder,
  }
  const wanted = { revision: await findRevision(db, scope, query), file: query.file, line: query.line ?? 1 }
  try {
    const within = AbortSignal.any([signal, AbortSignal.timeout(FETCH_TIMEOUT_MS)])
    const lines = await readSourceLines(deps.git, row, wanted, within)
    if (lines === null) throw new AppError('not_found')
    return { body: lines }
  } catch (cause) {
    const isUnreachable = cause instanceof GitError || (cause as Error).name === 'TimeoutError'
    if (isUnreachable) throw new AppError('repository_unavailable', { cause })
    throw cause
  }
}

async function findRevision(
  db: Queries,
  scope: ProjectScope,
  { deploymentId, exportId }: SourceLinesQuery,
): Promise<string | null> {
  if (exportId !== undefined) {
    const revision = await exportRevision(db, scope, exportId)
    if (revision === undefined) throw new AppError('not_found')
    return revision
  }
  const published = deploymentId ?? (await findPublished(db, scope)).deploymentId
  return published === null ? null : (await getDeployment(db, scope, published)).revision
}

function sourceLinesFaults(query: Readonly<Record<string, unknown>>): Fault[] {
  const isBoth = query.deploymentId !== undefined && query.exportId !== undefined
  return isBoth ? [createFault('one_of_allowed', { fields: ['deploymentId', 'exportId'] })] : []
}
