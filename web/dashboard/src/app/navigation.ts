/** The places of the rail. Those without a page yet are not shown. */

import type { Permission } from '../../../../src/base/api/roles.ts'
import type { IconName } from '../ui/icon-names.ts'
import { t } from '../words/words.ts'

export interface Place {
  label: string
  icon: IconName
  href: string
  /** Behind `g`. */
  key: string
  permission?: Permission
  /** Only this address, not those below. */
  isExact?: boolean
  /** Only where this server answers readers. */
  isOfAssistant?: boolean
}

export function projectPlaces(projectId: string): Place[] {
  const base = `/p/${projectId}`
  return [
    { label: t('Overview'), icon: 'activity', href: base, key: 'o', isExact: true },
    { label: t('Feedback'), icon: 'inbox', href: `${base}/feedback`, key: 'f' },
    { label: t('Agent'), icon: 'bot', href: `${base}/agent`, key: 'a' },
    { label: t('Exports'), icon: 'package', href: `${base}/exports`, key: 'e' },
    { label: t('Deployments'), icon: 'rocket', href: `${base}/deployments`, key: 'd' },
    { label: t('Site'), icon: 'globe', href: `${base}/site`, key: 's' },
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

/** `isOperator`: of who looks. */
export function organizationPlaces(organizationId: string, isOperator: boolean): Place[] {
  const base = `/o/${organizationId}`
  return [
    { label: t('API keys'), icon: 'key-round', href: `${base}/keys`, key: 'k', permission: 'apiKeys' },
    { label: t('Git access'), icon: 'git-branch', href: `${base}/git`, key: 'g', permission: 'gitAccess' },
    { label: t('Members'), icon: 'users', href: `${base}/members`, key: 'm' },
    { label: t('Plan and limits'), icon: 'credit-card', href: `${base}/plan`, key: 'p' },
    { label: t('Audit log'), icon: 'scroll-text', href: `${base}/audit`, key: 'l', permission: 'audit' },
    ...(isOperator ? [server(base)] : []),
  ]
}

/** Of whoever is signed in. */
export const ACCOUNT: Place = { label: t('Your account'), icon: 'user', href: '/account', key: 'y' }

function server(base: string): Place {
  return { label: t('Server'), icon: 'server', href: `${base}/server`, key: 'v', permission: 'instance' }
}

export function isAt(place: Place, pathname: string): boolean {
  const path = pathname.replace(/\/$/, '')
  return path === place.href || (place.isExact !== true && path.startsWith(`${place.href}/`))
}
