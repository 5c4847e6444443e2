/** Role that limits a key beside its scopes. */
import { lowerRole, type Role } from '../../../base/api/roles.ts'

/**
 * Returns the current role of the maker; a key that was taken over is also limited to the role it had before. Null
 * for a key from the command line, which the operator created and only its scopes limit.
 */
export function keyRole(key: { maker_role: Role | null; role_limit: Role | null }): Role | null {
  const { maker_role: maker, role_limit: limit } = key
  return maker === null || limit === null ? maker : lowerRole(maker, limit)
}
