/** All notifications of the organization, newest first. */

import { useInfiniteQuery } from '@tanstack/react-query'
import type { Notification } from '../../../../../src/features/notifications/operations/notifications.ts'
import type { Preload } from '../../app/pages.tsx'
import { queryClient } from '../../app/query-client.ts'
import { useQueryParameters } from '../../app/query-parameters.ts'
import { useMembership } from '../../app/session.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { SegmentedControl } from '../../ui/choice.tsx'
import { MoreButton } from '../../ui/more-button.tsx'
import { PageBody, PageHeader } from '../../ui/page.tsx'
import { EmptyState, Loaded, SkeletonRows } from '../../ui/states.tsx'
import { t } from '../../words/words.ts'
import { type NotificationFilter, notificationPages, useReadAll } from './notification-queries.ts'
import { NotificationRows } from './notification-rows.tsx'

export const preload: Preload = ({ search }) => {
  void queryClient.prefetchInfiniteQuery(notificationPages(parseFilter(search.only)))
}

/** Polling interval, because pages outside a project receive no live events. */
const POLL_INTERVAL_MS = 60_000

const FILTERS = [
  { value: 'all', label: t('All', { context: 'notifications' }) },
  { value: 'unread', label: t('Unread') },
] as const

function parseFilter(text: string | undefined): NotificationFilter {
  return text === 'unread' ? 'unread' : 'all'
}

export function NotificationsPage() {
  const { name } = useMembership()
  const [parameters, change] = useQueryParameters()
  const only = parseFilter(parameters.only)
  const pages = useInfiniteQuery({ ...notificationPages(only), refetchInterval: POLL_INTERVAL_MS })
  const readAll = useReadAll()
  const notifications = pages.data?.pages.flatMap((page) => page.notifications) ?? []
  const [newest] = notifications
  const hasUnread = (pages.data?.pages[0]?.unread ?? 0) > 0
  return (
    <>
      <PageHeader
        title={t('Notifications')}
        about={name}
        actions={
          <>
            {hasUnread && newest !== undefined && (
              <Button
                size="small"
                icon="check-check"
                isBusy={readAll.isPending}
                onClick={() => readAll.mutate(newest)}
              >
                <span class="max-md:sr-only">{t('Mark all as read')}</span>
              </Button>
            )}
            <ButtonLink size="small" icon="settings-2" href="/account#notifications">
              <span class="max-md:sr-only">{t('Notification settings')}</span>
            </ButtonLink>
          </>
        }
      />
      <PageBody isForm>
        <div class="mb-4">
          <SegmentedControl
            label={t('Show')}
            choices={FILTERS}
            value={only}
            onChange={(next) => change({ only: next === 'all' ? undefined : next }, { replace: true })}
          />
        </div>
        <Loaded query={pages} skeleton={<SkeletonRows count={6} />}>
          {() => <Rows notifications={notifications} only={only} />}
        </Loaded>
        <MoreButton pages={pages} label={t('Show older ones')} />
      </PageBody>
    </>
  )
}

function Rows({ notifications, only }: { notifications: readonly Notification[]; only: NotificationFilter }) {
  if (notifications.length > 0)
    return (
      <Card>
        <NotificationRows notifications={notifications} />
      </Card>
    )
  return only === 'unread' ? (
    <EmptyState icon="check-check" title={t('You have read everything')} />
  ) : (
    <EmptyState icon="bell" title={t('No notifications yet')}>
      <p>
        {t(
          'You are notified here when one of your jobs is ready for review, an export is ready or a deployment fails.',
        )}
      </p>
    </EmptyState>
  )
}
