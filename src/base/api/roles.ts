/** Permissions of the members of an organization, enforced by the server and reflected by the dashboard. */

/** Areas of the API. `dashboard` is the internal API, which has a separate table. */
export type Area =
  | 'analytics'
  | 'agent'
  | 'static-export'
  | 'deployments'
  | 'discovery'
  | 'webhooks'
  | 'projects'
  | 'dashboard'

/** In ascending order: each role includes the permissions of those before it. */
export const ROLES = ['viewer', 'editor', 'admin', 'owner'] as const
export type Role = (typeof ROLES)[number]

export const PERMISSIONS = {
  /** View projects, feedback, jobs, exports, the published site, plan and usage. */
  read: 'viewer',
  /** Set status and notes of feedback, also in bulk. */
  feedback: 'editor',
  /** Agent jobs: start, message, cancel, archive, decide. */
  agent: 'editor',
  /** Exports: start, cancel, links to bundles. */
  exports: 'editor',
  /** Update the source and publish. */
  deployments: 'editor',
  /** API keys: list, create, revoke. */
  apiKeys: 'editor',
  /** Projects and their settings. */
  projects: 'admin',
  /** Tokens for git hosts: list, add, replace, delete. */
  gitAccess: 'admin',
  /** Every webhook operation, including reading, because webhook URLs may contain secrets. */
  webhooks: 'admin',
  /** Members and invitations below the role of owner. */
  members: 'admin',
  audit: 'admin',
  /** Grant and revoke the role of owner. */
  owners: 'owner',
  /** Permanently delete projects and reader feedback, and restore projects. */
  deletion: 'owner',
  /** Transfer projects to and from other organizations. */
  transfers: 'owner',
  /** Name and plan of the organization. */
  organization: 'owner',
  /** Settings of the whole server; only for owners who are also operators. */
  instance: 'owner',
  /** Reserved for the operator at the command line of the server's machine; no member has it. */
  machine: 'owner',
} as const satisfies Record<string, Role>
export type Permission = keyof typeof PERMISSIONS

export function lowerRole(one: Role, other: Role): Role {
  return ROLES.indexOf(one) < ROLES.indexOf(other) ? one : other
}

export function roleHasPermission(role: Role, permission: Permission): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(PERMISSIONS[permission])
}

/** Permissions for changes in each area of the public API. Reading needs `read`, except for webhooks. */
const AREA_PERMISSIONS: Record<Exclude<Area, 'dashboard'>, Permission> = {
  analytics: 'feedback',
  agent: 'agent',
  'static-export': 'exports',
  deployments: 'deployments',
  discovery: 'read',
  webhooks: 'webhooks',
  projects: 'deletion',
}

export function requiredPermission(operation: {
  area: Area
  method: string
  needs?: Permission
}): Permission {
  const { area, method, needs } = operation
  if (needs !== undefined) return needs
  if (area === 'dashboard') return 'read'
  return method === 'GET' && area !== 'webhooks' ? 'read' : AREA_PERMISSIONS[area]
}

export function listRoleScopes(role: Role): ('read' | 'write')[] {
  return role === 'viewer' ? ['read'] : ['read', 'write']
}
