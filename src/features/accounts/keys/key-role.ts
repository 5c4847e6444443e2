/** Role that limits a key in addition to its scopes. */
import { lowerRole, type Role } from '../../../base/api/roles.ts'

/**
 * Returns the current role of the key's creator; a key that was taken over is also limited to the role it had
 * before. Null for a key that the operator created on the command line, which is limited only by its scopes.
 */
export function keyRole(key: { maker_role: Role | null; role_limit: Role | null }): Role | null {
  const { maker_role: maker, role_limit: limit } = key
  return maker === null || limit === null ? maker : lowerRole(maker, limit)
}
