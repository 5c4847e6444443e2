/** A project as the dashboard sees it. */

import type { Queries } from '../../../database/database.ts'
import type { AgentSetup } from '../../agent/setup.ts'
import type { Assistant } from '../../assistant/assistant.ts'
import { siteOrigin } from '../../hosting/serve/site-origin.ts'
import { listProjectDomains } from '../domains/domain-checks.ts'
import type { ProjectDetail, ProjectSummary } from '../operations/projects.ts'
import type { ProjectRules } from '../project-fields.ts'
import type { Project } from '../projects.ts'

export interface ProjectViewDeps {
  /** Null: no model answers readers. */
  assistant: () => Assistant | null
  publicUrl: () => string
  agent: AgentSetup
  /** What members may make projects of. */
  memberRules: ProjectRules
  /** Whether the domains that members name are served only once they are proved. */
  provesDomains: boolean
}

export function toSummary(
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

export async function toDetail(
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
    // One of them may have been proved since the project was read.
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
