/** What the command line may do to accounts; each change in one transaction with its audit row. */
import { type ApiKey, createApiKey, listApiKeys, revokeApiKey } from '../accounts/api-keys.ts'
import { vouchForDomain } from '../accounts/domain-claims.ts'
import { parseHostname } from '../accounts/hostname.ts'
import {
  createOrganization,
  listOrganizations,
  type Organization,
  setPlan,
} from '../accounts/organizations.ts'
import type { GivenProjectFields } from '../accounts/project-fields.ts'
import {
  addDomain,
  createProject,
  findProject,
  findProjectsByDomain,
  listProjects,
  type Project,
  setAgentChoice,
  setWidgets,
} from '../accounts/projects.ts'
import type { AgentChoice } from '../contract/agent.ts'
import type { WidgetChoice } from '../contract/widgets.ts'
import type { DatabaseContext } from './database-context.ts'
import { programCall } from './program-call.ts'
import { operatorRules } from './project-rules.ts'

/** The person at the command line asked for something that cannot be; each detail is a sentence. */
export class AdministrationError extends Error {
  override name = 'AdministrationError'
  constructor(details: readonly string[]) {
    super(details.map((detail) => (detail.endsWith('.') ? detail : `${detail}.`)).join('\n'))
  }
}

export const ACTOR = 'cli'

export type Administration = Pick<DatabaseContext, 'database' | 'config'>

export async function addOrganization(
  { database }: Administration,
  wanted: { name: string; plan?: string },
): Promise<Organization> {
  return database.transaction(async (tx) => {
    const created = await createOrganization(tx, { ...wanted, actor: ACTOR })
    if (!created.ok) throw new AdministrationError(created.details)
    return created.organization
  })
}

export function allOrganizations({ database }: Administration): Promise<Organization[]> {
  return listOrganizations(database.queries)
}

export async function changePlan(
  { database }: Administration,
  organizationId: string,
  plan: string,
): Promise<Organization> {
  return database.transaction(async (tx) => {
    const changed = await setPlan(tx, { organizationId, plan, actor: ACTOR })
    if (changed.ok) return changed.organization
    throw new AdministrationError(
      changed.reason === 'invalid' ? changed.details : [`There is no organization ${organizationId}`],
    )
  })
}

/** The one that is named, or the only one there is. */
export async function chooseOrganization(
  context: Administration,
  id: string | undefined,
): Promise<Organization> {
  const organizations = await allOrganizations(context)
  const chosen = id === undefined ? organizations[0] : organizations.find((candidate) => candidate.id === id)
  if (id === undefined && organizations.length > 1)
    throw new AdministrationError([
      `Say which organization with --org: ${organizations.map((one) => `${one.id} (${one.name})`).join(', ')}`,
    ])
  if (!chosen)
    throw new AdministrationError([
      id === undefined
        ? `There is no organization yet. Make one: ${programCall()} orgs create --name 'My organization'`
        : `There is no organization ${id}`,
    ])
  return chosen
}

export async function addKey(
  { database, config }: Administration,
  wanted: {
    organizationId: string
    name: string
    scopes?: readonly string[]
    expiresInDays?: number | null
    allowList?: readonly string[]
  },
): Promise<{ key: ApiKey; text: string }> {
  return database.transaction(async (tx) => {
    const created = await createApiKey(tx, {
      ...wanted,
      actor: ACTOR,
      makerId: null,
      limit: config.limits.newKeys,
    })
    if (created.ok) return created
    switch (created.reason) {
      case 'invalid':
        throw new AdministrationError(created.details)
      case 'organization_missing':
        throw new AdministrationError([`There is no organization ${wanted.organizationId}`])
      case 'limit':
        throw new AdministrationError([
          `This organization has made its keys of the hour: wait ${created.retryAfterSeconds} seconds`,
        ])
    }
  })
}

export function keysOf({ database }: Administration, organizationId: string): Promise<ApiKey[]> {
  return listApiKeys(database.queries, organizationId)
}

export async function endKey({ database }: Administration, keyId: string): Promise<ApiKey> {
  return database.transaction(async (tx) => {
    const revoked = await revokeApiKey(tx, { keyId, actor: ACTOR })
    if (revoked === null) throw new AdministrationError([`There is no key ${keyId}`])
    return revoked
  })
}

export async function addProject(
  { database, config }: Administration,
  wanted: GivenProjectFields & { organizationId: string },
): Promise<Project> {
  const rules = operatorRules(config)
  return database.transaction(async (tx) => {
    const created = await createProject(tx, { ...wanted, actor: ACTOR, rules })
    if (created.ok) return created.project
    throw new AdministrationError(
      created.reason === 'organization_missing'
        ? [`There is no organization ${wanted.organizationId}`]
        : created.details,
    )
  })
}

export function projectsOf({ database }: Administration, organizationId: string): Promise<Project[]> {
  return listProjects(database.queries, organizationId)
}

/** `text` is an id or one of its host names. */
export async function chooseProject(
  { database }: Pick<DatabaseContext, 'database'>,
  text: string,
): Promise<Project> {
  const named = text.startsWith('prj_')
    ? await findProject(database.queries, text)
    : await findProjectsByDomain(database.queries, text.toLowerCase())
  const [found, ...others] = [named ?? []].flat()
  if (found === undefined)
    throw new AdministrationError([`There is no project ${text}: ${programCall()} projects list shows them`])
  if (others.length > 0)
    throw new AdministrationError([
      `Several projects wait for the domain ${text}: say which one by its id: ${[found, ...others].map(({ id, name }) => `${id} (${name})`).join(', ')}`,
    ])
  return found
}

/** Where readers find it, or will once that is proved. */
export function mainDomain({ servedDomains, domains }: Project): string {
  return servedDomains[0] ?? (domains[0] as string)
}

/** The operator answers for a domain of a project, which is added where it is missing. */
export async function vouch(
  context: Administration,
  { project: text, domain, isTaken }: { project: string; domain: string; isTaken: boolean },
): Promise<{ project: Project; domain: string }> {
  const project = await chooseProject(context, text)
  const parsed = parseHostname(domain)
  if ('problem' in parsed) throw new AdministrationError([parsed.problem])
  const { hostname } = parsed
  return context.database.transaction(async (tx) => {
    if (!project.domains.includes(hostname)) {
      const rules = {
        ...operatorRules(context.config),
        newDomains: { state: 'pending', proof: null } as const,
      }
      const added = await addDomain(tx, { project, domain: hostname, actor: ACTOR, rules })
      if (!added.ok) throw new AdministrationError(added.details)
    }
    const vouched = await vouchForDomain(tx, {
      projectId: project.id,
      domain: hostname,
      isTaken,
      actor: ACTOR,
    })
    if (vouched.ok) return { project, domain: hostname }
    throw new AdministrationError(
      vouched.reason === 'held'
        ? [`The project ${vouched.projectId} is served at ${hostname}: --take takes it from there`]
        : [`The project ${project.id} was changed meanwhile: try it again`],
    )
  })
}

/** What is undefined in `change` goes back to what docs.json says; what is not named in it stays. */
export async function changeWidgets(
  context: Administration,
  text: string,
  change: { [Setting in keyof WidgetChoice]: boolean | undefined },
): Promise<Project> {
  const { id } = await chooseProject(context, text)
  return context.database.transaction(async (tx) => {
    const project = await findProject(tx, id)
    const chosen = Object.entries({ ...project?.widgets, ...change }).filter(([, isOn]) => isOn !== undefined)
    const changed = await setWidgets(tx, { projectId: id, widgets: Object.fromEntries(chosen), actor: ACTOR })
    if (changed === null) throw new AdministrationError([`There is no project ${text}`])
    return changed
  })
}

/** What is undefined in `change` goes back to what the operator says; what is not named in it stays. */
export async function changeAgentChoice(
  context: Administration,
  text: string,
  change: { [Setting in keyof AgentChoice]: AgentChoice[Setting] | undefined },
): Promise<Project> {
  const { id } = await chooseProject(context, text)
  return context.database.transaction(async (tx) => {
    const project = await findProject(tx, id)
    const chosen = Object.entries({ ...project?.agent, ...change }).filter(([, value]) => value !== undefined)
    const agent: AgentChoice = Object.fromEntries(chosen)
    const changed = await setAgentChoice(tx, { projectId: id, agent, actor: ACTOR })
    if (changed === null) throw new AdministrationError([`There is no project ${text}`])
    return changed
  })
}
