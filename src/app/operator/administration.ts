/** First organization, keys and projects of a server, for the first start, demos and benchmarks. */
import { OPERATOR_ACTOR as actor } from '../../database/audit.ts'
import { type CreatedApiKey, createApiKey } from '../../features/accounts/keys/api-keys.ts'
import { createOrganization, type Organization } from '../../features/accounts/organizations/organizations.ts'
import type { ProjectFieldsInput } from '../../features/projects/project-fields.ts'
import { createProject, type Project } from '../../features/projects/projects.ts'
import { operatorRules } from '../config/project-rules.ts'
import type { DatabaseContext } from '../database-context.ts'

type Administration = Pick<DatabaseContext, 'database' | 'config'>

export async function addOrganization(
  { database }: Administration,
  input: { name: string; plan?: string },
): Promise<Organization> {
  return database.transaction((tx) => createOrganization(tx, { ...input, actor }))
}

export async function addKey(
  { database, config }: Administration,
  input: { organizationId: string; name: string },
): Promise<CreatedApiKey> {
  const limit = config.limits.newKeys
  return database.transaction((tx) => createApiKey(tx, { ...input, actor, makerId: null, limit }))
}

export async function addProject(
  { database, config }: Administration,
  input: ProjectFieldsInput & { organizationId: string },
): Promise<Project> {
  const rules = operatorRules(config)
  return database.transaction((tx) => createProject(tx, { ...input, actor, rules }))
}
