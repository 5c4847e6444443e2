/** Popover of the bell with the newest notifications. */

import { useInfiniteQuery } from '@tanstack/react-query'
import type { RefObject } from 'preact'
import { Button } from '../../ui/button.tsx'
import { Link } from '../../ui/link.tsx'
import { Popover } from '../../ui/popover.tsx'
import { Loaded, SkeletonRows } from '../../ui/states.tsx'
import { t } from '../../words/words.ts'
import { notificationPages, useReadAll } from './notification-queries.ts'
import { NotificationRows } from './notification-rows.tsx'

const MAX_SHOWN_NOTIFICATIONS = 15

interface NotificationPopoverProps {
  anchor: RefObject<HTMLElement>
  organizationId: string
  onClose: () => void
}

export function NotificationPopover({ anchor, organizationId, onClose }: NotificationPopoverProps) {
  const pages = useInfiniteQuery(notificationPages('all'))
  const readAll = useReadAll()
  const notifications = pages.data?.pages[0]?.notifications ?? []
  const [newest] = notifications
  return (
    <Popover
      anchor={anchor}
      onClose={onClose}
      side="top"
      label={t('Notifications')}
      class="flex w-[min(400px,calc(100vw-24px))] flex-col overflow-hidden! p-0!"
    >
      <div class="flex items-center justify-between gap-2 border-b border-line py-1.5 pr-1.5 pl-3">
        <h2 autofocus tabIndex={-1} class="text-14 font-semibold outline-none">
          {t('Notifications')}
        </h2>
        {notifications.some(({ isRead }) => !isRead) && newest !== undefined && (
          <Button
            look="quiet"
            size="small"
            icon="check-check"
            isBusy={readAll.isPending}
            onClick={() => readAll.mutate(newest)}
          >
            {t('Mark all as read')}
          </Button>
        )}
      </div>
      <div class="min-h-0 flex-1 overflow-y-auto">
        <Loaded query={pages} skeleton={<SkeletonRows count={4} />} isSmall>
          {() =>
            notifications.length === 0 ? (
              <p class="px-3 py-10 text-center text-13 text-soft">
                {t('Nothing yet. Updates on your work appear here.')}
              </p>
            ) : (
              <NotificationRows
                notifications={notifications.slice(0, MAX_SHOWN_NOTIFICATIONS)}
                onFollow={onClose}
              />
            )
          }
        </Loaded>
      </div>
      <div class="flex items-center justify-between gap-4 border-t border-line px-3 py-2 text-13">
        <Link href={`/o/${organizationId}/notifications`} onClick={onClose}>
          {t('All notifications')}
        </Link>
        <Link href="/account#notifications" onClick={onClose}>
          {t('Notification settings')}
        </Link>
      </div>
    </Popover>
  )
}
