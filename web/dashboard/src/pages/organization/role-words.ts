/** The roles in words. */
import type { Role } from '../../../../../src/contract/roles.ts'

export const ROLE_NAMES: Record<Role, string> = {
  viewer: 'Viewer',
  editor: 'Editor',
  admin: 'Admin',
  owner: 'Owner',
}

export const ROLE_WORDS: Record<Role, string> = {
  viewer: 'Looks at projects, feedback, jobs and exports. Changes nothing.',
  editor: 'Also works on feedback, starts agent jobs and exports, publishes, and makes API keys.',
  admin: 'Also manages projects and their settings, webhooks, members, and sees the audit log.',
  owner: 'Also appoints owners, and changes the name and the plan.',
}
