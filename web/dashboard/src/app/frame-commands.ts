import { useQuery } from '@tanstack/react-query'
import { mayDo } from '../../../../src/contract/roles.ts'
import { currentOrganization } from '../api/send.ts'
import { useGo } from '../ui/link.tsx'
import { type Command, useCommands } from './commands.ts'
import { organizationPlaces, type Place } from './navigation.ts'
import { projectsQuery, useProjectPlaces } from './places.ts'
import { setScheme } from './scheme.ts'
import { useSession } from './session.ts'
import { signOut } from './sign-out.ts'
import { undoLast } from './toasts.ts'

const SCHEMES = [
  { scheme: 'system', label: 'Use the system theme', icon: 'monitor' },
  { scheme: 'light', label: 'Use the light theme', icon: 'sun' },
  { scheme: 'dark', label: 'Use the dark theme', icon: 'moon' },
] as const

const GENERAL: readonly Command[] = [
  ...SCHEMES.map(
    ({ scheme, label, icon }): Command => ({
      id: `scheme-${scheme}`,
      label,
      group: 'General',
      icon,
      words: 'scheme mode appearance colour color',
      run: () => setScheme(scheme),
    }),
  ),
  {
    id: 'api-description',
    label: 'Description of the public API',
    group: 'For developers',
    icon: 'braces',
    words: 'openapi json reference',
    run: () => void window.open('/openapi.json', '_blank', 'noopener'),
  },
  {
    id: 'undo',
    label: 'Undo the last change',
    group: 'General',
    icon: 'undo-2',
    keys: 'mod+z',
    run: undoLast,
  },
  {
    id: 'sign-out',
    label: 'Sign out',
    group: 'General',
    icon: 'log-out',
    words: 'log out leave',
    run: () => void signOut(),
  },
]

/** What can be done from everywhere: going places, switching projects and the scheme, signing out. */
export function useFrameCommands(projectId: string | undefined): void {
  const go = useGo()
  const { organizations, user } = useSession()
  const organization = organizations.find(({ id }) => id === currentOrganization()) ?? organizations[0]
  const { data } = useQuery({ ...projectsQuery(), enabled: organization !== undefined })

  const goTo = ({ label, icon, href, key }: Place): Command => ({
    id: `go-${label}`,
    label: label.charAt(0).toUpperCase() + label.slice(1),
    group: 'Go to',
    icon,
    keys: `g ${key}`,
    words: 'go open',
    run: () => void go(href),
  })
  const projects = useProjectPlaces(projectId).map(goTo)
  const role = organization?.role
  const ofOrganization = organization
    ? organizationPlaces(organization.id, user?.isOperator === true).filter(
        ({ permission }) => !permission || (role && mayDo(role, permission)),
      )
    : []

  useCommands(
    [
      ...projects,
      ...ofOrganization.map(goTo),
      goTo({ label: 'your account', icon: 'user', href: '/account', key: 'y' }),
      ...(data?.projects ?? []).map(
        (project): Command => ({
          id: `project-${project.id}`,
          label: project.name,
          group: 'Projects',
          icon: 'book-open',
          words: `project switch ${project.domains.join(' ')} ${project.id}`,
          isOff: project.id === projectId,
          run: () => void go(`/p/${project.id}`),
        }),
      ),
      ...(role && mayDo(role, 'projects')
        ? [
            {
              id: 'new-project',
              label: 'New project',
              group: 'Projects',
              icon: 'plus',
              run: () => void go(`/o/${organization?.id}/projects/new`),
            } satisfies Command,
          ]
        : []),
      ...GENERAL,
    ],
    { isBase: true },
  )
}
