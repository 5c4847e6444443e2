/** Queries and mutations of notifications. */

import { useMutation } from '@tanstack/react-query'
import type {
  Notification,
  NotificationList,
} from '../../../../../src/features/notifications/operations/notifications.ts'
import { internal, internalKey, internalPages } from '../../api/internal.ts'
import { toCacheChange, useOptimisticMutation } from '../../app/optimistic.ts'
import { queryClient } from '../../app/query-client.ts'
import { toastFailure } from '../../app/toasts.ts'
import { t } from '../../words/words.ts'

export type NotificationFilter = 'all' | 'unread'

export function notificationPages(only: NotificationFilter) {
  return internalPages('listNotifications', only === 'unread' ? { query: { only } } : {})
}

interface Pages {
  pages: NotificationList[]
  pageParams: unknown[]
}

/**
 * Marks notifications as read or unread. They stay in the list of unread notifications until it is refetched.
 */
export function useMarkRead() {
  return useOptimisticMutation({
    send: ({ ids, isRead }: { ids: readonly string[]; isRead: boolean }) =>
      internal('markNotifications', { body: { notificationIds: [...ids], isRead } }),
    changes: ({ ids, isRead }) => [
      toCacheChange<Pages>(internalKey('listNotifications'), (data) => applyRead(data, new Set(ids), isRead)),
    ],
    failed: t('The notification was not marked'),
    done: setUnreadCount,
  })
}

export function useReadAll() {
  return useMutation({
    mutationFn: (newest: Notification) =>
      internal('readAllNotifications', { body: { until: newest.updatedAt } }),
    onSuccess: (answer) => {
      setUnreadCount(answer)
      return queryClient.invalidateQueries({ queryKey: internalKey('listNotifications') })
    },
    onError: (error) => toastFailure(t('The notifications were not marked'), error),
  })
}

function setUnreadCount(answer: { unread: number }): void {
  queryClient.setQueryData(internalKey('countUnread'), answer)
}

function applyRead(data: Pages, ids: ReadonlySet<string>, isRead: boolean): Pages {
  return {
    ...data,
    pages: data.pages.map((page) => ({
      ...page,
      notifications: page.notifications.map((one) =>
        ids.has(one.notificationId) ? { ...one, isRead } : one,
      ),
    })),
  }
}
