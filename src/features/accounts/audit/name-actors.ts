/** Resolves the actor ids stored in rows to names. */

import type { Queries } from '../../../database/database.ts'
import type { WorkPerson } from '../../dashboard/operations/work.ts'

/** A null id resolves to null; the name is null when the person or the key has been deleted. */
export async function createActorLookup(
  queries: Queries,
  organizationId: string,
  ids: readonly (string | null)[],
): Promise<(id: string | null) => WorkPerson> {
  const known = [...new Set(ids.filter((id) => id !== null))]
  if (known.length === 0) return () => null
  const keys = await queries
    .selectFrom('api_keys')
    .select(['id', 'name'])
    .where('organization_id', '=', organizationId)
    .where('id', 'in', known)
    .execute()
  const users = await queries.selectFrom('users').select(['id', 'name']).where('id', 'in', known).execute()
  const keyNames = new Map(keys.map(({ id, name }) => [id, name]))
  const automations = await queries
    .selectFrom('automations')
    .select(['id', 'name'])
    .where('organization_id', '=', organizationId)
    .where('id', 'in', known)
    .execute()
  const automationNames = new Map(automations.map(({ id, name }) => [id, name]))
  const userNames = new Map(users.map(({ id, name }) => [id, name]))
  return (id) => {
    if (id === null) return null
    if (id.startsWith('aut_')) return { id, kind: 'automation', name: automationNames.get(id) ?? null }
    const isKey = keyNames.has(id) || id.startsWith('key_')
    return { id, kind: isKey ? 'key' : 'member', name: keyNames.get(id) ?? userNames.get(id) ?? null }
  }
}
