/** The keys of a member who goes: revoked, or taken over by who removes them, in the same transaction. */

import { lowerRole, type Role } from '../../../base/api/roles.ts'
import { recordAudit } from '../../../database/audit.ts'
import type { Tx } from '../../../database/database.ts'
import type { MemberKeys } from '../operations/people.ts'
import { revokeApiKey } from './api-keys.ts'

export interface LeavingMember {
  organizationId: string
  userId: string
  role: Role
}

/**
 * Takes every key that is not revoked yet. One that is taken over may no more than it could: whoever knows its text must
 * not come to more by it. Answers how many there were.
 */
export async function endMemberKeys(
  tx: Tx,
  { organizationId, userId, role }: LeavingMember,
  { keys, actor }: { keys: MemberKeys; actor: string },
): Promise<number> {
  const found = await tx
    .selectFrom('api_keys')
    .select(['id', 'name', 'role_limit'])
    .where('organization_id', '=', organizationId)
    .where('maker_id', '=', userId)
    .where('revoked_at', 'is', null)
    .orderBy('id')
    .forUpdate()
    .execute()
  for (const { id, name, role_limit: limit } of found) {
    if (keys === 'revoke') {
      await revokeApiKey(tx, { keyId: id, organizationId, actor })
      continue
    }
    const roleLimit = limit === null ? role : lowerRole(limit, role)
    await tx
      .updateTable('api_keys')
      .set({ maker_id: actor, role_limit: roleLimit })
      .where('id', '=', id)
      .execute()
    await recordAudit(tx, {
      organizationId,
      actor,
      action: 'api_key.handed_over',
      subject: id,
      details: { name, from: userId, to: actor, role: roleLimit },
    })
  }
  return found.length
}
