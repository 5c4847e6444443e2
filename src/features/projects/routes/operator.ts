/** Operator routes: find projects of all organizations, vouch for domains, move projects. */

import { AppError } from '../../../base/errors/errors.ts'
import { parseHostname } from '../../../base/hostname.ts'
import type { Queries, Tx } from '../../../database/database.ts'
import type { Caller } from '../../../routing/caller.ts'
import type { Handlers } from '../../../routing/handler.ts'
import { siteOrigin } from '../../hosting/serve/site-origin.ts'
import { vouchForDomain } from '../domains/domain-claims.ts'
import { moveProject } from '../lifecycle/move-project.ts'
import type { OPERATOR_PROJECT_OPERATIONS, OperatorProject } from '../operations/operator.ts'
import type { ProjectRules } from '../project-fields.ts'
import { addDomain, findProject, findProjectsByDomain, listProjects, type Project } from '../projects.ts'

interface OperatorProjectDeps {
  publicUrl: () => string
  projectRules: (caller: Pick<Caller, 'kind'>) => ProjectRules
}

export function operatorProjectHandlers(
  deps: OperatorProjectDeps,
): Handlers<typeof OPERATOR_PROJECT_OPERATIONS> {
  return {
    async findProjects({ db, caller: { organizationId }, query: { named } }) {
      const found = named === undefined ? await listProjects(db, organizationId) : await find(db, named)
      return { body: { projects: found.map((project) => toOperatorProject(deps, project, named)) } }
    },
    async vouchForDomain({ tx, caller, params: { projectId }, body: { domain: text, takesOver = false } }) {
      const parsed = parseHostname(text)
      if ('problem' in parsed)
        throw new AppError('invalid_request', { details: [{ ...parsed.problem, field: '/domain' }] })
      const { hostname: domain } = parsed
      const project = await requireProject(tx, projectId, caller.organizationId)
      const newDomains = { state: 'pending', proof: null } as const
      const rules = { ...deps.projectRules(caller), newDomains }
      if (!project.domains.includes(domain)) await addDomain(tx, { project, domain, actor: caller.id, rules })
      await vouchForDomain(tx, { projectId, domain, isTaken: takesOver, actor: caller.id })
      return { body: { projectId, domain } }
    },
    async moveProject({ tx, caller: { organizationId: from, id: actor }, params: { projectId }, body }) {
      const { organizationId: to } = body
      await requireProject(tx, projectId, from)
      if (from === to) throw new AppError('transfer_to_itself')
      const moved = await moveProject(tx, { projectId, from, to, actor, isOperator: true })
      return { body: { ...moved, organizationId: to } }
    },
  }
}

async function find(db: Queries, named: string): Promise<Project[]> {
  if (!named.startsWith('prj_')) return await findProjectsByDomain(db, named.toLowerCase())
  const project = await findProject(db, named)
  return project === null ? [] : [project]
}

async function requireProject(tx: Tx, projectId: string, organizationId: string): Promise<Project> {
  const project = await findProject(tx, projectId, organizationId)
  if (project === null) throw new AppError('not_found')
  return project
}

function toOperatorProject(
  { publicUrl }: OperatorProjectDeps,
  project: Project,
  named?: string,
): OperatorProject {
  const { plan: _plan, folderGranted: _granted, features: _features, ...shown } = project
  const { domains, servedDomains } = project
  const domain = domains.find((one) => one === named?.toLowerCase()) ?? servedDomains[0] ?? domains[0]
  return {
    ...shown,
    projectId: project.id,
    url: domain === undefined ? null : siteOrigin(publicUrl(), domain),
    createdAt: project.createdAt.toISOString(),
    archivedAt: project.archivedAt?.toISOString() ?? null,
    updatedAt: project.updatedAt.toISOString(),
  }
}
