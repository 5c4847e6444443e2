/** Projects: listed, looked at, made, changed. */
import { askForCheck, listProjectDomains } from '../../../accounts/domain-checks.ts'
import { createProject as create, findProject, listProjects as list } from '../../../accounts/projects.ts'
import { updateProject as update } from '../../../accounts/update-project.ts'
import { AGENT_CAPS } from '../../../contract/agent-caps.ts'
import type { UpdateProjectBody } from '../../../contract/dashboard-projects.ts'
import type { ProjectDomain } from '../../../contract/domains.ts'
import { AppError } from '../../../contract/errors.ts'
import { type Fault, faultAt } from '../../../contract/fault.ts'
import { publishedTimes } from '../../../hosting/published-site.ts'
import { PROVIDER_NAMES, parseModelName } from '../../../model/providers.ts'
import type { DashboardAnswerOf, DashboardCallOf } from '../../handler.ts'
import type { ShapeRule } from '../../operation-route.ts'
import { type ProjectViewDeps, toDetail, toSummary } from './project-view.ts'

export async function listProjects(
  deps: ProjectViewDeps,
  { db, caller: { organizationId } }: DashboardCallOf<'listProjects'>,
): DashboardAnswerOf<'listProjects'> {
  const [projects, times] = await Promise.all([list(db, organizationId), publishedTimes(db, organizationId)])
  return {
    body: { projects: projects.map((project) => toSummary(deps, project, times.get(project.id) ?? null)) },
  }
}

export async function getProject(
  deps: ProjectViewDeps,
  { db, caller: { organizationId }, params }: DashboardCallOf<'getProject'>,
): DashboardAnswerOf<'getProject'> {
  const project = await findProject(db, params.projectId, organizationId)
  if (project === null) throw new AppError('not_found')
  const times = await publishedTimes(db, organizationId)
  return { body: await toDetail(deps, db, project, times.get(project.id) ?? null) }
}

export async function createProject(
  deps: ProjectViewDeps,
  { tx, caller, body }: DashboardCallOf<'createProject'>,
): DashboardAnswerOf<'createProject'> {
  const { organizationId, id: actor } = caller
  const project = await create(tx, { ...body, organizationId, actor, rules: deps.memberRules })
  return {
    body: await toDetail(deps, tx, project, null),
    headers: { Location: `${deps.publicUrl()}/internal/projects/${project.id}` },
  }
}

export async function updateProject(
  deps: ProjectViewDeps,
  { tx, caller, params, body }: DashboardCallOf<'updateProject'>,
): DashboardAnswerOf<'updateProject'> {
  const { organizationId, id: actor } = caller
  const project = await update(tx, { ...params, organizationId, actor, body, rules: deps.memberRules })
  const times = await publishedTimes(tx, organizationId)
  return { body: await toDetail(deps, tx, project, times.get(params.projectId) ?? null) }
}

export async function checkDomain(
  { provesDomains }: ProjectViewDeps,
  { tx, caller, params }: DashboardCallOf<'checkDomain'>,
): DashboardAnswerOf<'checkDomain'> {
  const project = await findProject(tx, params.projectId, caller.organizationId)
  if (!project?.domains.includes(params.domain)) throw new AppError('not_found')
  await askForCheck(tx, params, provesDomains)
  const domains = await listProjectDomains(tx, project, provesDomains)
  return { body: domains.find(({ domain }) => domain === params.domain) as ProjectDomain }
}

/** Beside the schema: what the operator leaves to a project. */
export function projectRules({ agent }: ProjectViewDeps) {
  return {
    updateProject({ body }) {
      const { agent: choice } = (body ?? {}) as Partial<UpdateProjectBody>
      if (typeof choice !== 'object' || choice === null) return []
      const above = AGENT_CAPS.filter((name) => (choice[name] ?? 0) > agent.caps[name])
      return [
        ...modelFaults(choice.model),
        ...above.map((name) =>
          faultAt(`/agent/${name}`, `must be at most ${agent.caps[name]}, which is what the operator allows`),
        ),
      ]
    },
  } satisfies Record<string, ShapeRule>
}

/** A recorded conversation is for tests of the operator's own, and no choice here. */
const MODEL_FAULT = faultAt(
  '/agent/model',
  `must be a provider and a model, such as anthropic:claude-sonnet-4-5; the providers are ${PROVIDER_NAMES.filter((name) => name !== 'replay').join(', ')}`,
)

function modelFaults(model: unknown): Fault[] {
  if (typeof model !== 'string' || model === '') return []
  try {
    const { provider } = parseModelName(model)
    return provider === 'replay'
      ? [faultAt('/agent/model', 'must name a model, not a recorded conversation')]
      : []
  } catch (error) {
    if (error instanceof RangeError) return [MODEL_FAULT]
    throw error
  }
}
