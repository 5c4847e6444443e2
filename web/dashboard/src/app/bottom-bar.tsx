import { useLocation } from '@tanstack/react-router'
import { useEffect, useState } from 'preact/hooks'
import { classes } from '../ui/classes.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Icon } from '../ui/icon.tsx'
import type { IconName } from '../ui/icon-names.ts'
import { Link } from '../ui/link.tsx'
import { plural, t } from '../words/words.ts'
import { UnreadBadge, useUnreadCount } from './bell.tsx'
import { useOrganizationNavigation, useProjectNavigation } from './current-project.ts'
import { ACCOUNT_ITEM, isActiveItem, type NavigationItem } from './navigation.ts'
import { ProjectSwitch } from './project-switch.tsx'
import { SCHEMES, type Scheme, schemeStore, setScheme } from './scheme.ts'
import { useOrganization } from './session.ts'
import { signOut } from './sign-out.ts'
import { useStore } from './store.ts'

/** Icon and label of the scheme that the next press selects. */
const THEMES: Record<Scheme, { icon: IconName; label: string }> = {
  system: { icon: 'monitor', label: t('Theme: system') },
  light: { icon: 'sun', label: t('Theme: light') },
  dark: { icon: 'moon', label: t('Theme: dark') },
}
const ITEM =
  'flex h-14 flex-1 flex-col items-center justify-center gap-1 text-12 whitespace-nowrap outline-offset-[-2px]'

export function BottomBar({ projectId, onSearch }: { projectId: string | undefined; onSearch: () => void }) {
  const { pathname } = useLocation()
  const [isOpen, setOpen] = useState(false)
  useEffect(() => setOpen(false), [pathname])
  const navigationItems = useProjectNavigation(projectId).slice(0, 4)
  const unread = useUnreadCount()
  const isElsewhere = !navigationItems.some((navigationItem) => isActiveItem(navigationItem, pathname))
  return (
    <nav
      class="flex shrink-0 border-t border-line bg-rail pb-[env(safe-area-inset-bottom)] md:hidden"
      aria-label={t('Pages')}
    >
      {navigationItems.map((navigationItem) => (
        <Link
          key={navigationItem.href}
          look="none"
          href={navigationItem.href}
          aria-current={isActiveItem(navigationItem, pathname) ? 'page' : undefined}
          class={classes(
            ITEM,
            isActiveItem(navigationItem, pathname) ? 'font-medium text-accent-11' : 'text-soft',
          )}
        >
          <Icon name={navigationItem.icon} size={20} />
          {navigationItem.label}
        </Link>
      ))}
      <button
        type="button"
        class={classes(ITEM, isElsewhere ? 'font-medium text-accent-11' : 'text-soft')}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        <span class="relative">
          <Icon name="menu" size={20} />
          <UnreadBadge unread={unread} class="absolute -top-1.5 -right-3" />
        </span>
        {t('More')}
        {unread > 0 && (
          <span class="sr-only">
            {plural(unread, '{count} unread notification', '{count} unread notifications')}
          </span>
        )}
      </button>
      {isOpen && (
        <More
          projectId={projectId}
          onClose={() => setOpen(false)}
          onSearch={() => {
            setOpen(false)
            onSearch()
          }}
        />
      )}
    </nav>
  )
}

interface MoreProps {
  projectId: string | undefined
  onClose: () => void
  onSearch: () => void
}

function More({ projectId, onClose, onSearch }: MoreProps) {
  const scheme = useStore(schemeStore)
  const unread = useUnreadCount()
  const organization = useOrganization()
  const rest = useProjectNavigation(projectId).slice(4)
  const ofOrganization = useOrganizationNavigation()
  const next = SCHEMES[(SCHEMES.indexOf(scheme) + 1) % SCHEMES.length] ?? 'system'
  return (
    <Dialog title={t('More')} onClose={onClose}>
      <ProjectSwitch projectId={projectId} />
      <ul class="mt-2">
        <Row icon="search" label={t('Search')} onClick={onSearch} />
        {rest.map((navigationItem) => (
          <NavigationRow key={navigationItem.href} navigationItem={navigationItem} />
        ))}
        {ofOrganization.length > 0 && (
          <li class="mt-2 truncate border-t border-line px-2 pt-3 pb-1 text-12 font-medium text-faint">
            {organization?.name}
          </li>
        )}
        {ofOrganization.map((navigationItem) => (
          <NavigationRow key={navigationItem.href} navigationItem={navigationItem} />
        ))}
        <li aria-hidden="true" class="my-2 border-t border-line" />
        {organization && (
          <NavigationRow
            navigationItem={{
              label: t('Notifications'),
              icon: 'bell',
              href: `/o/${organization.id}/notifications`,
              key: 'n',
            }}
            unread={unread}
          />
        )}
        <NavigationRow navigationItem={ACCOUNT_ITEM} />
        <Row {...THEMES[scheme]} onClick={() => setScheme(next)} />
        <Row icon="log-out" label={t('Sign out')} onClick={() => void signOut()} />
      </ul>
    </Dialog>
  )
}

const ROW = 'flex h-11 w-full items-center gap-3 rounded-sm px-2 text-left hover:bg-hover'

function NavigationRow({ navigationItem, unread = 0 }: { navigationItem: NavigationItem; unread?: number }) {
  const isHere = isActiveItem(navigationItem, useLocation().pathname)
  return (
    <li>
      <Link
        look="none"
        href={navigationItem.href}
        aria-current={isHere ? 'page' : undefined}
        class={classes(ROW, isHere && 'bg-pressed font-medium')}
      >
        <Icon name={navigationItem.icon} class={isHere ? 'text-accent-11' : 'text-soft'} />
        <span class="flex-1">{navigationItem.label}</span>
        <UnreadBadge unread={unread} />
        {unread > 0 && <span class="sr-only">{plural(unread, '{count} unread', '{count} unread')}</span>}
      </Link>
    </li>
  )
}

function Row({ icon, label, onClick }: { icon: IconName; label: string; onClick: () => void }) {
  return (
    <li>
      <button type="button" class={ROW} onClick={onClick}>
        <Icon name={icon} class="text-soft" />
        {label}
      </button>
    </li>
  )
}
