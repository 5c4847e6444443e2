/** What a key may beside its scopes. */
import { lowerRole, type Role } from '../../../base/api/roles.ts'

/**
 * The role of its maker at this moment, and of a key that was taken over no more than it had before. Null for one of the
 * command line: the operator made it, and it may what its scopes say.
 */
export function keyRole(key: { maker_role: Role | null; role_limit: Role | null }): Role | null {
  const { maker_role: maker, role_limit: limit } = key
  return maker === null || limit === null ? maker : lowerRole(maker, limit)
}
