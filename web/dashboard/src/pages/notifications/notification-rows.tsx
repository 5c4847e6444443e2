/** Rows of notifications: a click opens the subject and marks the row as read. */

import { NOTIFICATION_KINDS } from '../../../../../src/features/notifications/operations/notification-kinds.ts'
import type { Notification } from '../../../../../src/features/notifications/operations/notifications.ts'
import { IconButton } from '../../ui/button.tsx'
import { classes } from '../../ui/classes.ts'
import { Icon } from '../../ui/icon.tsx'
import type { IconName } from '../../ui/icon-names.ts'
import { Link } from '../../ui/link.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import { RelativeTime } from '../../ui/time.tsx'
import { language, t, translateMessage } from '../../words/words.ts'
import { useMarkRead } from './notification-queries.ts'

const ICONS: Record<Notification['kind'], IconName> = {
  review_waiting: 'git-pull-request',
  question_waiting: 'circle-help',
  job_failed: 'bot',
  export_ready: 'package',
  export_failed: 'package',
  deployment_failed: 'rocket',
  deployment_recovered: 'rocket',
  feedback_spike: 'inbox',
  feedback_assigned: 'user-plus',
  automation_stopped: 'zap',
  domain_proof_missing: 'globe',
  domain_lost: 'globe',
  transfer_offered: 'arrow-right',
}
/** Notification texts are English and include names; other languages show the translated kind first. */
const isTranslated = language !== 'en'
const TONES = { good: 'text-success', bad: 'text-danger', neutral: 'text-soft' }

export function NotificationRows({
  notifications,
  onFollow,
}: {
  notifications: readonly Notification[]
  onFollow?: () => void
}) {
  return (
    <ol aria-label={t('Notifications')}>
      {notifications.map((one) => (
        <Row key={one.notificationId} one={one} onFollow={onFollow} />
      ))}
    </ol>
  )
}

function Row({ one, onFollow }: { one: Notification; onFollow: (() => void) | undefined }) {
  const mark = useMarkRead()
  const { notificationId, kind, text, projectName, path, isRead, updatedAt } = one
  const set = (next: boolean) => mark.mutate({ ids: [notificationId], isRead: next })
  const label = isRead ? t('Mark as unread') : t('Mark as read')
  return (
    <li class="group relative flex items-start border-b border-line last:border-b-0">
      <Link
        look="none"
        href={path}
        class="flex min-w-0 flex-1 items-start gap-3 rounded-sm py-2.5 pr-2 pl-3 outline-offset-[-2px] hover:bg-hover"
        onClick={() => {
          if (!isRead) set(true)
          onFollow?.()
        }}
      >
        <Icon name={ICONS[kind]} class={classes('mt-0.5 shrink-0', TONES[NOTIFICATION_KINDS[kind].tone])} />
        <span class="min-w-0 flex-1">
          <span
            class={classes(
              'line-clamp-3 text-13 break-words',
              isRead ? 'text-soft' : 'font-medium text-text',
            )}
          >
            {!isRead && <span class="sr-only">{t('Unread:')} </span>}
            {isTranslated ? translateMessage(NOTIFICATION_KINDS[kind].label) : <PlainText text={text} />}
          </span>
          {isTranslated && (
            <span class="mt-0.5 line-clamp-3 text-12 break-words text-soft" lang="en" dir="auto">
              <PlainText text={text} />
            </span>
          )}
          <span class="mt-0.5 flex gap-1 text-12 text-soft">
            <span dir="auto" class="truncate">
              <PlainText text={projectName} />
            </span>
            <span class="shrink-0">
              · <RelativeTime at={updatedAt} />
            </span>
          </span>
        </span>
        <span
          data-dot
          class={classes('mt-1.5 size-2 shrink-0 rounded-full', isRead ? 'bg-transparent' : 'bg-accent-9')}
        />
      </Link>
      <IconButton
        icon={isRead ? 'circle-dot' : 'check'}
        size="small"
        label={label}
        class="m-1.5 shrink-0"
        onClick={() => set(!isRead)}
      />
    </li>
  )
}
