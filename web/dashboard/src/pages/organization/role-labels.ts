import type { Role } from '../../../../../src/base/api/roles.ts'
import { t } from '../../words/words.ts'

export const ROLE_NAMES: Record<Role, string> = {
  viewer: t('Viewer'),
  editor: t('Editor'),
  admin: t('Admin'),
  owner: t('Owner'),
}

export const ROLE_DESCRIPTIONS: Record<Role, string> = {
  viewer: t('Can view projects, feedback, jobs and exports.'),
  editor: t('Also works on feedback, starts agent jobs and exports, publishes, and creates API keys.'),
  admin: t('Also manages projects and their settings, webhooks and members, and can view the audit log.'),
  owner: t('Also appoints owners, and changes the name and the plan.'),
}

export function roleChangedMessage(name: string, role: Role): string {
  return {
    viewer: t('{name} is now a viewer', { name }),
    editor: t('{name} is now an editor', { name }),
    admin: t('{name} is now an admin', { name }),
    owner: t('{name} is now an owner', { name }),
  }[role]
}
