/** Notification bell with the unread count. The list is fetched when it is opened. */

import { useQuery } from '@tanstack/react-query'
import type { RefObject } from 'preact'
import { lazy, Suspense } from 'preact/compat'
import { useRef, useState } from 'preact/hooks'
import { internalQuery } from '../api/internal.ts'
import { currentOrganizationId } from '../api/send.ts'
import { classes } from '../ui/classes.ts'
import { Icon } from '../ui/icon.tsx'
import { plural, t } from '../words/words.ts'

const NotificationPopover = lazy(async () => ({
  default: (await import('../pages/notifications/notification-popover.tsx')).NotificationPopover,
}))

/** Polling interval, because pages outside a project receive no live events. */
const POLL_INTERVAL_MS = 60_000
const MAX_SHOWN_COUNT = 99

export function useUnreadCount(): number {
  const { data } = useQuery({
    ...internalQuery('countUnread'),
    enabled: currentOrganizationId() !== null,
    refetchInterval: POLL_INTERVAL_MS,
  })
  return data?.unread ?? 0
}

export function unreadLabel(unread: number): string {
  return unread === 0
    ? t('Notifications')
    : plural(unread, 'Notifications, {count} unread', 'Notifications, {count} unread')
}

export function NotificationBell() {
  const organizationId = currentOrganizationId()
  const unread = useUnreadCount()
  const [isOpen, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  if (organizationId === null) return null
  return (
    <>
      <button
        ref={button}
        type="button"
        aria-label={unreadLabel(unread)}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        title={t('Notifications')}
        class="relative inline-flex size-8 coarse:size-(--control) shrink-0 items-center justify-center rounded-sm text-soft hover:bg-hover hover:text-text aria-expanded:bg-pressed"
        onClick={() => setOpen(!isOpen)}
      >
        <Icon name="bell" />
        <UnreadBadge unread={unread} class="absolute -top-0.5 -right-0.5" />
      </button>
      {isOpen && (
        <Suspense fallback={null}>
          <NotificationPopover
            anchor={button as RefObject<HTMLElement>}
            organizationId={organizationId}
            onClose={() => setOpen(false)}
          />
        </Suspense>
      )}
    </>
  )
}

/** Hidden from screen readers: the label of the containing element includes the count. */
export function UnreadBadge({ unread, class: className }: { unread: number; class?: string }) {
  if (unread === 0) return null
  return (
    <span
      aria-hidden="true"
      class={classes(
        'inline-flex h-4 min-w-4 items-center justify-center rounded-full bg-accent-9 px-1 text-[10px] leading-none font-semibold text-on-accent tabular-nums',
        className,
      )}
    >
      {unread > MAX_SHOWN_COUNT ? `${MAX_SHOWN_COUNT}+` : unread}
    </span>
  )
}
