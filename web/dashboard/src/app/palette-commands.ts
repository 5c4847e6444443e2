/**
 * Commands that only the palette offers: create, open settings by name, switch projects and theme, sign out.
 */

import { useQuery } from '@tanstack/react-query'
import { type Permission, roleHasPermission } from '../../../../src/base/api/roles.ts'
import { octavo } from '../api/octavo.ts'
import type { IconName } from '../ui/icon-names.ts'
import { useGo } from '../ui/link.tsx'
import { t } from '../words/words.ts'
import { type Command, useCommands } from './commands.ts'
import { projectsQuery } from './current-project.ts'
import { setScheme } from './scheme.ts'
import { type Membership, useOrganization } from './session.ts'
import { signOut } from './sign-out.ts'
import { toastFailure } from './toasts.ts'

const SCHEMES = [
  { scheme: 'system', label: t('Use the system theme'), icon: 'monitor' },
  { scheme: 'light', label: t('Use the light theme'), icon: 'sun' },
  { scheme: 'dark', label: t('Use the dark theme'), icon: 'moon' },
] as const

const GENERAL_COMMANDS: readonly Command[] = [
  ...SCHEMES.map(
    ({ scheme, label, icon }): Command => ({
      id: `scheme-${scheme}`,
      label,
      group: 'general',
      icon,
      words: t('scheme mode appearance colour color'),
      run: () => setScheme(scheme),
    }),
  ),
  {
    id: 'api-description',
    label: t('Description of the public API'),
    group: 'developers',
    icon: 'braces',
    words: t('openapi json reference'),
    run: () => void window.open('/openapi.json', '_blank', 'noopener'),
  },
  {
    id: 'sign-out',
    label: t('Sign out'),
    group: 'general',
    icon: 'log-out',
    words: t('log out leave'),
    run: () => void signOut(),
  },
]

const SETTINGS: readonly [section: string, label: string, words: string, permission?: Permission][] = [
  ['', t('General'), t('name language')],
  ['/source', t('Source'), t('repository branch folder docs git')],
  ['/domains', t('Domains'), t('host name address dns proof')],
  ['/access', t('Access'), t('private password link visitors'), 'projects'],
  ['/features', t('Features'), t('search assistant analytics playground export')],
  ['/widgets', t('Feedback widgets'), t('votes comments thumbs rating')],
  ['/agent', t('Agent'), t('model limits tokens effort pull requests')],
  ['/code', t('Code'), t('repositories of code')],
  ['/webhooks', t('Webhooks'), t('events slack deliveries secret'), 'webhooks'],
  ['/delete', t('Transfer, archive and delete'), t('move remove retire feedback'), 'deletion'],
]

/**
 * Commands that create something. The commands for a project open a page that registers its own command, which then
 * replaces the one listed here.
 */
function listCreateCommands(
  { id, role }: Pick<Membership, 'id' | 'role'>,
  projectId: string | undefined,
  go: (href: string) => Promise<void>,
): Command[] {
  const project = `/p/${projectId}`
  const all: [id: string, label: string, icon: IconName, permission: Permission, href: string][] = [
    ['key-new', t('Create an API key'), 'key-round', 'apiKeys', `/o/${id}/keys?new=1`],
    ['invite', t('Invite a member'), 'user-plus', 'members', `/o/${id}/members?new=1`],
    ['new-project', t('New project'), 'plus', 'projects', `/o/${id}/projects/new`],
    ['export-new', t('Start an export'), 'package', 'exports', `${project}/exports?new=1`],
    ['agent-new', t('Start an agent job'), 'bot', 'agent', `${project}/agent?new=1`],
    ['automation-new', t('Add an automation'), 'zap', 'agent', `${project}/agent/automations?new=1`],
  ]
  const commands = all
    .filter(
      ([, , , permission, href]) =>
        roleHasPermission(role, permission) && (projectId !== undefined || !href.startsWith('/p/')),
    )
    .map(
      ([key, label, icon, , href]): Command => ({
        id: key,
        label,
        group: 'create',
        icon,
        run: () => void go(href),
      }),
    )
  if (projectId === undefined || !roleHasPermission(role, 'deployments')) return commands
  const deploy = async () => {
    try {
      const { deploymentId } = await octavo.startDeployment(projectId)
      await go(`${project}/deployments/${deploymentId}`)
    } catch (error) {
      toastFailure(t('The site was not published'), error)
    }
  }
  return [
    ...commands,
    {
      id: 'deployment-new',
      label: t('Publish the site'),
      group: 'create',
      icon: 'rocket',
      run: () => void deploy(),
    },
  ]
}

export function usePaletteCommands(projectId: string | undefined): void {
  const go = useGo()
  const organization = useOrganization()
  const { data } = useQuery({ ...projectsQuery(), enabled: organization !== undefined })
  const mayDo = (permission: Permission) =>
    organization !== undefined && roleHasPermission(organization.role, permission)
  const settings = projectId === undefined ? [] : SETTINGS
  useCommands(
    [
      ...(organization === undefined ? [] : listCreateCommands(organization, projectId, go)),
      ...(data?.projects ?? []).map(
        (project): Command => ({
          id: `project-${project.id}`,
          label: project.name,
          group: 'projects',
          icon: 'book-open',
          words: `${t('project switch')} ${project.domains.join(' ')} ${project.id}`,
          isOff: project.id === projectId,
          run: () => void go(`/p/${project.id}`),
        }),
      ),
      ...settings
        .filter(([, , , permission]) => permission === undefined || mayDo(permission))
        .map(
          ([section, label, words]): Command => ({
            id: `settings-${section}`,
            label: t('Settings: {section}', { section: label }),
            group: 'settings',
            icon: 'settings',
            words,
            run: () => void go(`/p/${projectId}/settings${section}`),
          }),
        ),
      ...GENERAL_COMMANDS,
    ],
    { isBase: true },
  )
}
