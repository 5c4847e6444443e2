import { useLocation } from '@tanstack/react-router'
import type { ComponentChildren } from 'preact'
import { IconButton } from '../ui/button.tsx'
import { classes } from '../ui/classes.ts'
import { Icon } from '../ui/icon.tsx'
import { Keys } from '../ui/kbd.tsx'
import { Link } from '../ui/link.tsx'
import { Tooltip } from '../ui/tooltip.tsx'
import { t } from '../words/words.ts'
import { AccountMenu } from './account-menu.tsx'
import { NotificationBell } from './bell.tsx'
import { useOrganizationNavigation, useProjectNavigation } from './current-project.ts'
import { isActiveItem, type NavigationItem } from './navigation.ts'
import { ProjectSwitch } from './project-switch.tsx'
import { useRailFold } from './rail-fold.ts'
import { useMembership, useSession } from './session.ts'

interface RailProps {
  projectId: string | undefined
  onSearch: () => void
  onShortcuts: () => void
}

export function Rail({ projectId, onSearch, onShortcuts }: RailProps) {
  const { organizations } = useSession()
  const { isFolded, mayUnfold, toggle } = useRailFold()
  const navigationItems = useProjectNavigation(projectId)
  return (
    <aside
      class={classes(
        'flex shrink-0 flex-col border-r border-line bg-rail max-md:hidden print:hidden',
        isFolded ? 'w-14' : 'w-[220px]',
      )}
      aria-label={t('Navigation')}
    >
      <div class="p-2">
        <ProjectSwitch projectId={projectId} isFolded={isFolded} />
        <NameTooltip name={t('Search')} isFolded={isFolded}>
          <button
            type="button"
            aria-label={isFolded ? t('Search') : undefined}
            class={classes(
              'mt-2 flex h-(--control) w-full items-center gap-2 rounded-sm border border-line bg-raised px-2 text-13 text-faint shadow-low hover:border-line-strong hover:text-soft',
              isFolded && 'justify-center',
            )}
            onClick={onSearch}
          >
            <Icon name="search" size={isFolded ? 16 : 14} />
            {!isFolded && (
              <>
                <span class="flex-1 text-left">{t('Search')}</span>
                <Keys keys="mod+k" />
              </>
            )}
          </button>
        </NameTooltip>
      </div>
      <nav class="min-h-0 flex-1 overflow-x-hidden overflow-y-auto px-2 pb-2" aria-label={t('Pages')}>
        {projectId !== undefined && <RailLinks navigationItems={navigationItems} isFolded={isFolded} />}
        {organizations.length > 0 && <OrganizationNavigation isFolded={isFolded} />}
      </nav>
      <div
        class={classes('flex items-center gap-1 border-t border-line p-2', isFolded && 'flex-col-reverse')}
      >
        <div class="min-w-0 flex-1">
          <AccountMenu isFolded={isFolded} onShortcuts={onShortcuts} />
        </div>
        <NotificationBell />
        {mayUnfold && (
          <IconButton
            icon={isFolded ? 'panel-left-open' : 'panel-left-close'}
            size="small"
            label={isFolded ? t('Expand the navigation') : t('Collapse the navigation')}
            keys="["
            onClick={toggle}
          />
        )}
      </div>
    </aside>
  )
}

interface NameTooltipProps {
  name: string
  isFolded: boolean
  children: ComponentChildren
}

function NameTooltip({ name, isFolded, children }: NameTooltipProps) {
  return isFolded ? (
    <Tooltip text={name} isBlock>
      {children}
    </Tooltip>
  ) : (
    children
  )
}

function OrganizationNavigation({ isFolded }: { isFolded: boolean }) {
  const { name } = useMembership()
  const navigationItems = useOrganizationNavigation()
  return (
    <>
      {isFolded ? (
        <hr class="mx-2 my-3" />
      ) : (
        <h2 class="mt-5 mb-1 truncate px-2 text-12 font-medium text-faint" title={name}>
          {name}
        </h2>
      )}
      <RailLinks navigationItems={navigationItems} isFolded={isFolded} />
    </>
  )
}

function RailLinks({
  navigationItems,
  isFolded,
}: {
  navigationItems: readonly NavigationItem[]
  isFolded: boolean
}) {
  const { pathname } = useLocation()
  return (
    <ul class="space-y-px">
      {navigationItems.map((navigationItem) => {
        const isHere = isActiveItem(navigationItem, pathname)
        return (
          <li key={navigationItem.href}>
            <NameTooltip name={navigationItem.label} isFolded={isFolded}>
              <Link
                look="none"
                href={navigationItem.href}
                aria-current={isHere ? 'page' : undefined}
                title={isFolded ? undefined : `${navigationItem.label} (g ${navigationItem.key})`}
                class={classes(
                  'flex h-(--control) w-full items-center gap-2.5 rounded-sm px-2 text-13 transition-colors outline-offset-[-2px]',
                  isFolded && 'justify-center',
                  isHere ? 'bg-pressed font-medium text-text' : 'text-soft hover:bg-hover hover:text-text',
                )}
              >
                <Icon name={navigationItem.icon} class={isHere ? 'text-accent-11' : ''} />
                <span class={isFolded ? 'sr-only' : ''}>{navigationItem.label}</span>
              </Link>
            </NameTooltip>
          </li>
        )
      })}
    </ul>
  )
}
