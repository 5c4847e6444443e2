/** Account administration from the command line; each change is one transaction with its audit row. */

import type { KeyKind } from '../../base/api/operation.ts'
import type { WidgetChoice } from '../../base/api/widgets.ts'
import { AppError, type ErrorCode } from '../../base/errors/errors.ts'
import { parseHostname } from '../../base/hostname.ts'
import {
  type ApiKey,
  type CreatedApiKey,
  createApiKey,
  listApiKeys,
  revokeApiKey,
} from '../../features/accounts/keys/api-keys.ts'
import {
  createOrganization,
  listOrganizations,
  type Organization,
  setPlan,
} from '../../features/accounts/organizations/organizations.ts'
import type { AgentChoice } from '../../features/agent/operations/agent.ts'
import { vouchForDomain } from '../../features/projects/domains/domain-claims.ts'
import type { GivenProjectFields } from '../../features/projects/project-fields.ts'
import {
  addDomain,
  createProject,
  findProject,
  findProjectsByDomain,
  listProjects,
  type Project,
  setAgentChoice,
  setWidgets,
} from '../../features/projects/projects.ts'
import { operatorRules } from '../config/project-rules.ts'
import type { DatabaseContext } from '../database-context.ts'
import { programCall } from './program-call.ts'

/** Error for a request from the command line that cannot be fulfilled; each detail is a sentence. */
export class AdministrationError extends Error {
  override name = 'AdministrationError'
  constructor(details: readonly string[]) {
    super(details.map((detail) => (detail.endsWith('.') ? detail : `${detail}.`)).join('\n'))
  }
}

/** Turns a domain error into an AdministrationError; `sentences` override the messages for the command line. */
export async function withAdministrationErrors<T>(
  work: () => Promise<T>,
  sentences: { readonly [Code in ErrorCode]?: string | ((said: string) => string) } = {},
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const { code, message, details, headers } = error
    const said = details.length > 0 ? details.map((fault) => fault.message) : [message]
    const rewrite = sentences[code] ?? ((sentence: string) => sentence)
    const wait = headers['Retry-After'] === undefined ? '' : `: wait ${headers['Retry-After']} seconds`
    throw new AdministrationError(
      typeof rewrite === 'string' ? [rewrite + wait] : said.map((sentence) => rewrite(sentence) + wait),
    )
  }
}

export const ACTOR = 'cli'

export type Administration = Pick<DatabaseContext, 'database' | 'config'>

export async function addOrganization(
  { database }: Administration,
  input: { name: string; plan?: string },
): Promise<Organization> {
  return withAdministrationErrors(() =>
    database.transaction((tx) => createOrganization(tx, { ...input, actor: ACTOR })),
  )
}

export function listAllOrganizations({ database }: Administration): Promise<Organization[]> {
  return listOrganizations(database.queries)
}

export async function changePlan(
  { database }: Administration,
  organizationId: string,
  plan: string,
): Promise<Organization> {
  return withAdministrationErrors(
    () => database.transaction((tx) => setPlan(tx, { organizationId, plan, actor: ACTOR })),
    {
      not_found: `There is no organization ${organizationId}`,
    },
  )
}

/** Returns the named organization, or the only one. */
export async function chooseOrganization(
  context: Administration,
  id: string | undefined,
): Promise<Organization> {
  const organizations = await listAllOrganizations(context)
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
  input: {
    organizationId: string
    name: string
    kind?: KeyKind
    scopes?: readonly string[]
    expiresInDays?: number | null
    allowList?: readonly string[]
    projectIds?: readonly string[]
  },
): Promise<CreatedApiKey> {
  const limit = config.limits.newKeys
  return withAdministrationErrors(
    () => database.transaction((tx) => createApiKey(tx, { ...input, actor: ACTOR, makerId: null, limit })),
    {
      not_found: `There is no organization ${input.organizationId}`,
      rate_limited: 'This organization has made its keys of the hour',
    },
  )
}

export function listKeys({ database }: Administration, organizationId: string): Promise<ApiKey[]> {
  return listApiKeys(database.queries, organizationId)
}

export async function revokeKey({ database }: Administration, keyId: string): Promise<ApiKey> {
  return database.transaction(async (tx) => {
    const revoked = await revokeApiKey(tx, { keyId, actor: ACTOR })
    if (revoked === null) throw new AdministrationError([`There is no key ${keyId}`])
    return revoked
  })
}

export async function addProject(
  { database, config }: Administration,
  input: GivenProjectFields & { organizationId: string },
): Promise<Project> {
  const rules = operatorRules(config)
  return withAdministrationErrors(
    () => database.transaction((tx) => createProject(tx, { ...input, actor: ACTOR, rules })),
    {
      not_found: `There is no organization ${input.organizationId}`,
    },
  )
}

export function listOrganizationProjects(
  { database }: Administration,
  organizationId: string,
): Promise<Project[]> {
  return listProjects(database.queries, organizationId)
}

/** Finds a project. `text` is its id or one of its host names. */
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

/** Host name at which readers find the site, or will once it is verified. */
export function mainDomain({ servedDomains, domains }: Project): string {
  return servedDomains[0] ?? (domains[0] as string)
}

/** Marks a domain of a project as verified by the operator, adding it if it is missing. */
export async function vouchForProjectDomain(
  context: Administration,
  { project: text, domain, takesOver }: { project: string; domain: string; takesOver: boolean },
): Promise<{ project: Project; domain: string }> {
  const project = await chooseProject(context, text)
  const parsed = parseHostname(domain)
  if ('problem' in parsed) throw new AdministrationError([parsed.problem])
  const { hostname } = parsed
  const rules = { ...operatorRules(context.config), newDomains: { state: 'pending', proof: null } as const }
  const domainClaim = { projectId: project.id, domain: hostname, isTaken: takesOver, actor: ACTOR }
  await context.database.transaction(async (tx) => {
    if (!project.domains.includes(hostname))
      await withAdministrationErrors(() => addDomain(tx, { project, domain: hostname, actor: ACTOR, rules }))
    await withAdministrationErrors(() => vouchForDomain(tx, domainClaim), {
      not_found: `The project ${project.id} was changed meanwhile: try it again`,
      domain_taken: (said) => `${said}: --take takes it from there`,
    })
  })
  return { project, domain: hostname }
}

/** Changes widget settings. Undefined values in `change` revert to docs.json; omitted ones stay unchanged. */
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

/** Changes agent settings. Undefined values in `change` revert to the operator's; omitted ones stay unchanged. */
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
