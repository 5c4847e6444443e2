/** Labels of the roles. */
import type { Role } from '../../../../../src/base/api/roles.ts'
import { t } from '../../words/words.ts'

export const ROLE_NAMES: Record<Role, string> = {
  viewer: t('Viewer'),
  editor: t('Editor'),
  admin: t('Admin'),
  owner: t('Owner'),
}

export const ROLE_DESCRIPTIONS: Record<Role, string> = {
  viewer: t('Looks at projects, feedback, jobs and exports. Changes nothing.'),
  editor: t('Also works on feedback, starts agent jobs and exports, publishes, and makes API keys.'),
  admin: t('Also manages projects and their settings, webhooks, members, and sees the audit log.'),
  owner: t('Also appoints owners, and changes the name and the plan.'),
}

/** Confirms a changed role. */
export function roleChangedMessage(name: string, role: Role): string {
  return {
    viewer: t('{name} is viewer now', { name }),
    editor: t('{name} is editor now', { name }),
    admin: t('{name} is admin now', { name }),
    owner: t('{name} is owner now', { name }),
  }[role]
}
