/** A project as the dashboard sees it. */
import type { ProjectRules } from '../../../accounts/project-fields.ts'
import type { Project } from '../../../accounts/projects.ts'
import type { AgentSetup } from '../../../agent/setup.ts'
import type { ProjectDetail, ProjectSummary } from '../../../contract/dashboard-projects.ts'
import { siteOrigin } from '../../../hosting/site-origin.ts'

export interface ProjectViewDeps {
  publicUrl: () => string
  agent: AgentSetup
  /** What members may make projects of. */
  memberRules: ProjectRules
}

export function toSummary(
  { publicUrl }: Pick<ProjectViewDeps, 'publicUrl'>,
  project: Project,
  publishedAt: Date | null,
): ProjectSummary {
  const { id, siteId, name, domains, createdAt } = project
  const [domain] = domains
  return {
    id,
    siteId,
    name,
    domains,
    url: domain === undefined ? null : siteOrigin(publicUrl(), domain),
    publishedAt: publishedAt?.toISOString() ?? null,
    createdAt: createdAt.toISOString(),
  }
}

export function toDetail(
  deps: Pick<ProjectViewDeps, 'publicUrl' | 'agent'>,
  project: Project,
  publishedAt: Date | null,
): ProjectDetail {
  const { source, defaultDeployment, features, widgets, agent, updatedAt } = project
  const { export: _always, ...chosen } = features
  const { modelName, caps } = deps.agent
  return {
    ...toSummary(deps, project, publishedAt),
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
