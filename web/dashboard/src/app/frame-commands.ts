import { useQuery } from '@tanstack/react-query'
import { roleHasPermission } from '../../../../src/base/api/roles.ts'
import { useGo } from '../ui/link.tsx'
import { t } from '../words/words.ts'
import { type Command, useCommands } from './commands.ts'
import { projectsQuery, useOrganizationNavigation, useProjectNavigation } from './current-project.ts'
import { ACCOUNT_ITEM, type NavigationItem } from './navigation.ts'
import { setScheme } from './scheme.ts'
import { useOrganization } from './session.ts'
import { signOut } from './sign-out.ts'
import { undoLast } from './toasts.ts'

const SCHEMES = [
  { scheme: 'system', label: t('Use the system theme'), icon: 'monitor' },
  { scheme: 'light', label: t('Use the light theme'), icon: 'sun' },
  { scheme: 'dark', label: t('Use the dark theme'), icon: 'moon' },
] as const

const GENERAL: readonly Command[] = [
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
    id: 'undo',
    label: t('Undo the last change'),
    group: 'general',
    icon: 'undo-2',
    keys: 'mod+z',
    run: undoLast,
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

/** Registers the global commands: navigation, switching projects and the color scheme, signing out. */
export function useFrameCommands(projectId: string | undefined): void {
  const go = useGo()
  const organization = useOrganization()
  const { data } = useQuery({ ...projectsQuery(), enabled: organization !== undefined })

  const goTo = ({ label, icon, href, key }: NavigationItem): Command => ({
    id: `go-${key}`,
    label,
    group: 'go',
    icon,
    keys: `g ${key}`,
    words: t('go open'),
    run: () => void go(href),
  })
  const navigationItems = [...useProjectNavigation(projectId), ...useOrganizationNavigation(), ACCOUNT_ITEM]

  useCommands(
    [
      ...navigationItems.map(goTo),
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
      ...(organization && roleHasPermission(organization.role, 'projects')
        ? [
            {
              id: 'new-project',
              label: t('New project'),
              group: 'projects',
              icon: 'plus',
              run: () => void go(`/o/${organization.id}/projects/new`),
            } satisfies Command,
          ]
        : []),
      ...GENERAL,
    ],
    { isBase: true },
  )
}
