/** Creates organizations, API keys and projects for tests. */

import { sql } from 'kysely'
import { loadConfig } from '../../src/app/config/config.ts'
import { operatorRules } from '../../src/app/config/project-rules.ts'
import type { Plan } from '../../src/base/api/plans.ts'
import type { Database, Queries } from '../../src/database/database.ts'
import { createApiKey, type NewApiKey } from '../../src/features/accounts/keys/api-keys.ts'
import { createOrganization } from '../../src/features/accounts/organizations/organizations.ts'
import type { AgentChoice } from '../../src/features/agent/operations/agent.ts'
import { createProject, type Project } from '../../src/features/projects/projects.ts'

/** Project rules without restrictions on names, as on the command line. */
export const OPERATOR = operatorRules(loadConfig({}, {}).config)

export async function addOrganization(
  database: Database,
  plan: Plan = 'enterprise',
  name = 'Acme',
): Promise<string> {
  const made = await database.transaction((tx) => createOrganization(tx, { name, plan, actor: 'test' }))
  return made.id
}

/** The returned text is used as `Authorization: Bearer <text>`. */
export async function addKey(
  database: Database,
  organizationId: string,
  more: Partial<NewApiKey> = {},
): Promise<{ id: string; text: string }> {
  const made = await database.transaction((tx) =>
    createApiKey(tx, {
      organizationId,
      name: 'a key',
      actor: 'test',
      makerId: null,
      limit: { count: 1000, seconds: 60 },
      ...more,
    }),
  )
  return { id: made.key.id, text: made.text }
}

export async function addProject(
  database: Database,
  organizationId: string,
  domain: string,
  repository = '/srv/docs',
): Promise<Project> {
  return database.transaction((tx) =>
    createProject(tx, {
      organizationId,
      name: domain,
      domains: [domain],
      source: { kind: 'folder', repository },
      rules: OPERATOR,
      actor: 'test',
    }),
  )
}

/** Sets the given fields; undefined restores the default. */
export async function setProject(
  db: Queries,
  projectId: string,
  choice: { agent: { [Name in keyof AgentChoice]: AgentChoice[Name] | undefined } } | { widgets: object },
): Promise<void> {
  for (const [column, change] of Object.entries(choice)) {
    const json = JSON.stringify(change, (_name, value) => value ?? null)
    await sql`UPDATE projects SET ${sql.ref(column)} = jsonb_strip_nulls(${sql.ref(column)} || ${json}::jsonb)
      WHERE id = ${projectId}`.execute(db)
  }
}
