import { useLocation } from '@tanstack/react-router'
import { mayDo } from '../../../../src/contract/roles.ts'
import { classes } from '../ui/classes.ts'
import { Icon } from '../ui/icon.tsx'
import { Keys } from '../ui/kbd.tsx'
import { Link } from '../ui/link.tsx'
import { AccountMenu } from './account-menu.tsx'
import { isAt, organizationPlaces, type Place, projectPlaces } from './navigation.ts'
import { ProjectSwitch } from './project-switch.tsx'
import { useMembership, useSession } from './session.ts'

export function Rail({
  projectId,
  onSearch,
  onShortcuts,
}: {
  projectId: string | undefined
  onSearch: () => void
  onShortcuts: () => void
}) {
  const { organizations } = useSession()
  return (
    <aside
      class="flex w-[220px] shrink-0 flex-col border-r border-line bg-rail max-md:hidden"
      aria-label="Navigation"
    >
      <div class="p-2">
        <ProjectSwitch projectId={projectId} />
        <button
          type="button"
          class="mt-2 flex h-(--control) w-full items-center gap-2 rounded-sm border border-line bg-raised px-2 text-13 text-faint shadow-low hover:border-line-strong hover:text-soft"
          onClick={onSearch}
        >
          <Icon name="search" size={14} />
          <span class="flex-1 text-left">Search</span>
          <Keys keys="mod+k" />
        </button>
      </div>
      <nav class="min-h-0 flex-1 overflow-y-auto px-2 pb-2" aria-label="Pages">
        {projectId !== undefined && <Places places={projectPlaces(projectId)} />}
        {organizations.length > 0 && <OrganizationPlaces />}
      </nav>
      <div class="border-t border-line p-2">
        <AccountMenu onShortcuts={onShortcuts} />
      </div>
    </aside>
  )
}

function OrganizationPlaces() {
  const { id, name, role } = useMembership()
  const places = organizationPlaces(id).filter(({ permission }) => !permission || mayDo(role, permission))
  return (
    <>
      <h2 class="mt-5 mb-1 truncate px-2 text-12 font-medium text-faint" title={name}>
        {name}
      </h2>
      <Places places={places} />
    </>
  )
}

function Places({ places }: { places: readonly Place[] }) {
  const { pathname } = useLocation()
  return (
    <ul class="space-y-px">
      {places.map((place) => {
        const isHere = isAt(place, pathname)
        return (
          <li key={place.href}>
            <Link
              look="none"
              href={place.href}
              aria-current={isHere ? 'page' : undefined}
              title={`${place.label} (g ${place.key})`}
              class={classes(
                'flex h-(--control) items-center gap-2.5 rounded-sm px-2 text-13 transition-colors outline-offset-[-2px]',
                isHere ? 'bg-pressed font-medium text-text' : 'text-soft hover:bg-hover hover:text-text',
              )}
            >
              <Icon name={place.icon} class={isHere ? 'text-accent-11' : ''} />
              {place.label}
            </Link>
          </li>
        )
      })}
    </ul>
  )
}
