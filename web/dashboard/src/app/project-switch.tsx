import { useQuery } from '@tanstack/react-query'
import { roleHasPermission } from '../../../../src/base/api/roles.ts'
import { setOrganization } from '../api/send.ts'
import { Icon } from '../ui/icon.tsx'
import { useGo } from '../ui/link.tsx'
import { Menu, type MenuItem, type MenuTriggerProps } from '../ui/menu.tsx'
import { t } from '../words/words.ts'
import { findProjectSummary, projectsQuery, resolveHomePath } from './current-project.ts'
import { type Membership, useOrganization, useSession } from './session.ts'

/** Shows the current project and switches to others, along with the organization if it differs. */
export function ProjectSwitch({
  projectId,
  isFolded = false,
}: {
  projectId: string | undefined
  isFolded?: boolean
}) {
  const { organizations } = useSession()
  const go = useGo()
  const organization = useOrganization()
  const { data } = useQuery({ ...projectsQuery(), enabled: organization !== undefined })
  const project = findProjectSummary(data, projectId)
  const switchOrganization = async (other: Membership) => {
    setOrganization(other.id)
    const home = await resolveOrganizationHome(other.id)
    await go(home)
  }
  const items: MenuItem[] = [
    { heading: t('Projects') },
    ...(data?.projects ?? []).map(
      (one): MenuItem => ({
        label: one.name,
        about: one.domains[0] ?? one.id,
        href: `/p/${one.id}`,
        isChecked: one.id === projectId,
      }),
    ),
    ...(organization && roleHasPermission(organization.role, 'projects')
      ? [
          'line' as const,
          { label: t('New project'), icon: 'plus' as const, href: `/o/${organization.id}/projects/new` },
        ]
      : []),
    ...(organizations.length > 1
      ? [
          'line' as const,
          { heading: t('Organizations') },
          ...organizations.map(
            (other): MenuItem => ({
              label: other.name,
              isChecked: other.id === organization?.id,
              run: () => void switchOrganization(other),
            }),
          ),
        ]
      : []),
  ]
  return (
    <Menu
      label={t('Projects')}
      class="max-h-[85vh]! w-80 max-md:w-[calc(100vw-72px)]"
      items={items}
      trigger={(props) => (
        <SwitchButton {...props} name={project?.name ?? organization?.name ?? 'Octavo'} isFolded={isFolded} />
      )}
    />
  )
}

function SwitchButton({ name, isFolded, ...props }: MenuTriggerProps & { name: string; isFolded: boolean }) {
  return (
    <button
      type="button"
      {...props}
      aria-label={isFolded ? t('Project: {name}', { name }) : undefined}
      title={name}
      class="flex min-h-10 w-full items-center gap-2 rounded-sm px-2 text-left hover:bg-hover aria-expanded:bg-pressed"
    >
      <span
        class="flex size-6 shrink-0 items-center justify-center rounded-sm bg-accent-9 text-12 font-semibold text-on-accent"
        aria-hidden="true"
      >
        {firstLetter(name)}
      </span>
      {!isFolded && (
        <>
          <span
            dir="auto"
            class="line-clamp-2 min-w-0 flex-1 py-1 text-left text-14 leading-tight font-semibold break-words"
          >
            {name}
          </span>
          <Icon name="chevrons-up-down" size={14} class="text-faint" />
        </>
      )}
    </button>
  )
}

async function resolveOrganizationHome(organizationId: string): Promise<string> {
  const home = await resolveHomePath()
  setOrganization(organizationId)
  return home ?? '/'
}

function firstLetter(name: string): string {
  return [...name.trim()][0]?.toUpperCase() ?? 'O'
}
