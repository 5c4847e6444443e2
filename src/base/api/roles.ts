/** Who of the people of an organization may do what. The server decides by this table, the dashboard shows by it. */

/** `dashboard` is the internal API of the dashboard, in a table of its own. */
export type Area =
  | 'analytics'
  | 'agent'
  | 'static-export'
  | 'deployments'
  | 'discovery'
  | 'webhooks'
  | 'projects'
  | 'dashboard'

/** From the least to the most: each may do all that those before it may. */
export const ROLES = ['viewer', 'editor', 'admin', 'owner'] as const
export type Role = (typeof ROLES)[number]

/** The least role for each thing that is done. */
export const PERMISSIONS = {
  /** Looking at projects, feedback, jobs, exports, the published site, plan and use. */
  read: 'viewer',
  /** Status, notes and bulk changes of feedback. */
  feedback: 'editor',
  /** Agent jobs: start, message, cancel, archive, decide. */
  agent: 'editor',
  /** Exports: start, cancel, links to bundles. */
  exports: 'editor',
  /** Bringing the source up to date and publishing. */
  deployments: 'editor',
  /** API keys: list, make, revoke. */
  apiKeys: 'editor',
  /** Projects and their settings. */
  projects: 'admin',
  /** Tokens for git hosts: list, add, replace, delete. */
  gitAccess: 'admin',
  /** Webhooks: all of them, reading too, since their addresses may hold secrets. */
  webhooks: 'admin',
  /** Members and invitations below the role of owner. */
  members: 'admin',
  audit: 'admin',
  /** Making owners, and taking that role away. */
  owners: 'owner',
  /** Deleting projects and what readers have said, for good, and bringing a project back. */
  deletion: 'owner',
  /** Giving projects to other organizations, and taking theirs. */
  transfers: 'owner',
  /** Name and plan of the organization. */
  organization: 'owner',
  /** What holds for the whole server: of owners, those alone who are operators. */
  instance: 'owner',
} as const satisfies Record<string, Role>
export type Permission = keyof typeof PERMISSIONS

/** The one that may less. */
export function lowerRole(one: Role, other: Role): Role {
  return ROLES.indexOf(one) < ROLES.indexOf(other) ? one : other
}

export function mayDo(role: Role, permission: Permission): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(PERMISSIONS[permission])
}

/** What a change in each part of the public API needs; reading needs `read`, but for webhooks. */
const AREA_PERMISSIONS: Record<Exclude<Area, 'dashboard'>, Permission> = {
  analytics: 'feedback',
  agent: 'agent',
  'static-export': 'exports',
  deployments: 'deployments',
  discovery: 'read',
  webhooks: 'webhooks',
  projects: 'deletion',
}

/** What a member needs for an operation of the public API, and whoever made the key that it is called with. */
export function permissionOf(operation: { area: Area; method: string; needs?: Permission }): Permission {
  const { area, method, needs } = operation
  if (needs !== undefined) return needs
  if (area === 'dashboard') return 'read'
  return method === 'GET' && area !== 'webhooks' ? 'read' : AREA_PERMISSIONS[area]
}

/** The scopes that a member of the role has where keys have theirs. */
export function scopesOf(role: Role): ('read' | 'write')[] {
  return role === 'viewer' ? ['read'] : ['read', 'write']
}
