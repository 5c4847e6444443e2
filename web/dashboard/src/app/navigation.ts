/** Entries of the sidebar. Entries without a page are not shown. */

import type { Permission } from '../../../../src/base/api/roles.ts'
import type { IconName } from '../ui/icon-names.ts'
import { t } from '../words/words.ts'

export interface NavigationItem {
  label: string
  icon: IconName
  href: string
  /** Key to press after `g`. */
  key: string
  permission?: Permission
  /** Active only for exactly this URL, not for those below it. */
  isExact?: boolean
  isOfAssistant?: boolean
}

export function listProjectNavigation(projectId: string): NavigationItem[] {
  const base = `/p/${projectId}`
  return [
    { label: t('Overview'), icon: 'activity', href: base, key: 'o', isExact: true },
    { label: t('Feedback'), icon: 'inbox', href: `${base}/feedback`, key: 'f' },
    { label: t('Agent'), icon: 'bot', href: `${base}/agent`, key: 'a' },
    { label: t('Exports'), icon: 'package', href: `${base}/exports`, key: 'e' },
    { label: t('Deployments'), icon: 'rocket', href: `${base}/deployments`, key: 'd' },
    { label: t('Site'), icon: 'globe', href: `${base}/site`, key: 's' },
    { label: t('Statements'), icon: 'link', href: `${base}/statements`, key: 't' },
    { label: t('Insights'), icon: 'chart-line', href: `${base}/insights`, key: 'i' },
    {
      label: t('Assistant'),
      icon: 'message-square',
      href: `${base}/assistant`,
      key: 'q',
      isOfAssistant: true,
    },
    { label: t('Settings'), icon: 'settings', href: `${base}/settings`, key: ',' },
  ]
}

/** Returns the sidebar entries of an organization. `isOperator` refers to the current user. */
export function listOrganizationNavigation(organizationId: string, isOperator: boolean): NavigationItem[] {
  const base = `/o/${organizationId}`
  return [
    { label: t('API keys'), icon: 'key-round', href: `${base}/keys`, key: 'k', permission: 'apiKeys' },
    { label: t('Git access'), icon: 'git-branch', href: `${base}/git`, key: 'g', permission: 'gitAccess' },
    { label: t('Members'), icon: 'users', href: `${base}/members`, key: 'm' },
    { label: t('Plan and limits'), icon: 'credit-card', href: `${base}/plan`, key: 'p' },
    { label: t('Audit log'), icon: 'scroll-text', href: `${base}/audit`, key: 'l', permission: 'audit' },
    ...(isOperator ? [serverItem(base)] : []),
  ]
}

export const ACCOUNT_ITEM: NavigationItem = {
  label: t('Your account'),
  icon: 'user',
  href: '/account',
  key: 'y',
}

function serverItem(base: string): NavigationItem {
  return { label: t('Server'), icon: 'server', href: `${base}/server`, key: 'v', permission: 'instance' }
}

export function isActiveItem(item: NavigationItem, pathname: string): boolean {
  const path = pathname.replace(/\/$/, '')
  return path === item.href || (item.isExact !== true && path.startsWith(`${item.href}/`))
}
