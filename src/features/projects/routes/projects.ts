/** Projects: listed, looked at, made, changed; their domains, their overview, their published site. */

import { AppError } from '../../../base/errors/errors.ts'
import { type Fault, faultAt } from '../../../base/errors/fault.ts'
import { FORM_FAULTS, worded } from '../../../base/errors/form-faults.ts'
import type { ProjectWatch } from '../../../database/project-changes.ts'
import { modelFaults } from '../../../model/model-faults.ts'
import type { ServerEvent } from '../../../routing/event-stream.ts'
import { checking, type Handlers, locationOf } from '../../../routing/handler.ts'
import { AGENT_CAPS } from '../../agent/operations/agent-caps.ts'
import type { INSIGHT_OPERATIONS } from '../../analytics/operations/insights.ts'
import { type GetInsightsDeps, getInsights, listRows } from '../../dashboard/get-insights.ts'
import { type GetOverviewDeps, getOverview } from '../../dashboard/get-overview.ts'
import type { OVERVIEW_OPERATIONS } from '../../dashboard/operations/overview.ts'
import { checkProject } from '../../feedback/query.ts'
import {
  getPublishedSite,
  type PublishedSiteDeps,
  publishedTimes,
} from '../../hosting/serve/published-site.ts'
import { askForCheck, listProjectDomains } from '../domains/domain-checks.ts'
import type { DOMAIN_OPERATIONS, ProjectDomain } from '../operations/domains.ts'
import { PROJECT_OPERATIONS, type ProjectSummary, type UpdateProjectBody } from '../operations/projects.ts'
import { createProject, findProject, listAllProjects } from '../projects.ts'
import { updateProject } from '../update-project.ts'
import { type GetSourceLinesDeps, getSourceLines, sourceLinesFaults } from './get-source-lines.ts'
import { type ProjectViewDeps, toDetail, toSummary } from './project-view.ts'

export type ProjectDeps = ProjectViewDeps &
  PublishedSiteDeps &
  GetSourceLinesDeps &
  GetOverviewDeps &
  GetInsightsDeps & { watch: ProjectWatch }

type Operations = typeof PROJECT_OPERATIONS &
  typeof OVERVIEW_OPERATIONS &
  typeof INSIGHT_OPERATIONS &
  typeof DOMAIN_OPERATIONS

export function projectHandlers(deps: ProjectDeps): Handlers<Operations> {
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
    async createProject({ tx, caller: { organizationId, id: actor }, body }) {
      const wanted = { ...body, organizationId, actor, rules: deps.memberRules }
      const project = await createProject(tx, wanted)
      const headers = locationOf(deps, PROJECT_OPERATIONS.getProject, { projectId: project.id })
      return { body: await toDetail(deps, tx, project, null), headers }
    },
    async getProject({ db, caller: { organizationId }, params }) {
      const project = await findProject(db, params.projectId, organizationId)
      if (project === null) throw new AppError('not_found')
      const times = await publishedTimes(db, organizationId)
      return { body: await toDetail(deps, db, project, times.get(project.id) ?? null) }
    },
    updateProject: checking(
      ({ body }) => agentFaults(deps, body),
      async ({ tx, caller: { organizationId, id: actor }, params, body }) => {
        const change = { ...params, organizationId, actor, body, rules: deps.memberRules }
        const project = await updateProject(tx, change)
        const times = await publishedTimes(tx, organizationId)
        return { body: await toDetail(deps, tx, project, times.get(params.projectId) ?? null) }
      },
    ),
    async checkDomain({ tx, caller, params }) {
      const project = await findProject(tx, params.projectId, caller.organizationId)
      if (!project?.domains.includes(params.domain)) throw new AppError('not_found')
      await askForCheck(tx, params, deps.provesDomains)
      const domains = await listProjectDomains(tx, project, deps.provesDomains)
      return { body: domains.find(({ domain }) => domain === params.domain) as ProjectDomain }
    },
    getOverview: (call) => getOverview(deps, call),
    getInsights: (call) => getInsights(deps, call),
    listInsightRows: (call) => listRows(deps, call),
    getPublishedSite: async ({ db, caller: { organizationId }, params, query }) => ({
      body: await getPublishedSite(deps, db, { organizationId, ...params }, query),
    }),
    getSourceLines: checking(
      ({ query }) => sourceLinesFaults(query),
      (call) => getSourceLines(deps, call),
    ),
    async streamProjectEvents({ db, caller: { organizationId }, params, signal, lastEventId }) {
      await checkProject(db, { organizationId, ...params })
      return eventsOf(deps.watch, params.projectId, { signal, isBack: lastEventId !== undefined })
    },
  }
}

/** What the operator leaves to a project. */
function agentFaults({ agent }: ProjectViewDeps, body: unknown): Fault[] {
  const { agent: choice } = (body ?? {}) as Partial<UpdateProjectBody>
  if (typeof choice !== 'object' || choice === null) return []
  const above = AGENT_CAPS.filter((name) => (choice[name] ?? 0) > agent.caps[name])
  return [
    ...modelFaults(choice.model, '/agent/model'),
    ...above.map((name) => faultAt(`/agent/${name}`, worded(FORM_FAULTS.agentCap, agent.caps[name]))),
  ]
}

/**
 * Nothing is kept for who was away, or has read just before a change: they are told to look at everything anew.
 */
async function* eventsOf(
  watch: ProjectWatch,
  projectId: string,
  { signal, isBack }: { signal: AbortSignal; isBack: boolean },
): AsyncGenerator<ServerEvent> {
  const { changes, hasJustChanged } = await watch.follow(projectId, signal)
  yield { event: 'ready', data: { mayHaveMissed: isBack || hasJustChanged } }
  for await (const data of changes) yield { event: 'change', data }
}
