/** Email preferences for notifications of the current organization. Shown when the server can send email. */

import type { NotificationKind } from '../../../../../src/features/notifications/operations/notification-kinds.ts'
import {
  MAIL_FREQUENCIES,
  type MailFrequency,
} from '../../../../../src/features/notifications/operations/notification-kinds.ts'
import type {
  ChangeNotificationMailBody,
  NotificationMail,
  NotificationSettings,
} from '../../../../../src/features/notifications/operations/notifications.ts'
import { internal, internalKey } from '../../api/internal.ts'
import { toCacheChange, useOptimisticMutation } from '../../app/optimistic.ts'
import { Select } from '../../ui/input.tsx'
import { Switch } from '../../ui/switch.tsx'
import { rich, t } from '../../words/words.ts'

const PACE_LABELS: Record<MailFrequency, string> = {
  now: t('Mail at once'),
  daily: t('Mail daily'),
  off: t('No mail'),
}
const HOURS = Array.from({ length: 24 }, (_, hour) => ({
  value: String(hour),
  label: `${String(hour).padStart(2, '0')}:00`,
}))

/** Time zone of the browser, used for the daily email unless the user chooses another. */
const LOCAL_TIME_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone

export function NotificationMailCard({ mail }: { mail: NotificationMail }) {
  const change = useChangeMail()
  return (
    <div class="mb-4">
      <Switch
        label={t('Mail to {address}', { address: mail.address })}
        about={t('Only what you have not read here by then. Each mail has a link that turns them off.')}
        isOn={!mail.isOff}
        onChange={(isOn) => change.mutate({ isOff: !isOn })}
      />
      {!mail.isOff && (
        <div class="flex flex-wrap items-center gap-2 pb-2 pl-10.5 text-13 text-soft">
          <DailyTime mail={mail} onChange={change.mutate} />
        </div>
      )}
    </div>
  )
}

function DailyTime({
  mail: { digestHour, timeZone },
  onChange,
}: {
  mail: NotificationMail
  onChange: (change: ChangeNotificationMailBody) => void
}) {
  const zone = timeZone ?? 'UTC'
  const zones = [...new Set([zone, LOCAL_TIME_ZONE, 'UTC'])]
  return rich('Daily mail at {hour} {zone}', {
    hour: (
      <Select
        aria-label={t('Hour of the daily mail')}
        size="small"
        value={String(digestHour)}
        options={HOURS}
        onChange={(hour) =>
          // The first chosen hour also stores the browser's time zone.
          onChange({ digestHour: Number(hour), ...(timeZone === null ? { timeZone: LOCAL_TIME_ZONE } : {}) })
        }
      />
    ),
    zone: (
      <Select
        aria-label={t('Time zone of the daily mail')}
        size="small"
        value={zone}
        options={zones.map((value) => ({ value, label: value.replaceAll('_', ' ') }))}
        onChange={(chosen) => onChange({ timeZone: chosen })}
      />
    ),
  })
}

export function PaceSelect({
  kind,
  label,
  mail,
}: {
  kind: NotificationKind
  label: string
  mail: NotificationMail
}) {
  const change = useChangeMail()
  const pace = mail.paces.find((one) => one.kind === kind)?.pace ?? 'off'
  return (
    <Select
      aria-label={t('{label}: mail', { label })}
      size="small"
      class="w-34"
      isFluid
      value={pace}
      options={MAIL_FREQUENCIES.map((value) => ({ value, label: PACE_LABELS[value] }))}
      onChange={(next) => change.mutate({ kind, pace: next as MailFrequency })}
    />
  )
}

function useChangeMail() {
  return useOptimisticMutation({
    send: (body: ChangeNotificationMailBody) => internal('changeNotificationMail', { body }),
    changes: (change) => [
      toCacheChange<NotificationSettings>(internalKey('getNotificationSettings'), (settings) => ({
        ...settings,
        mail: settings.mail === null ? null : applyChange(settings.mail, change),
      })),
    ],
    failed: t('The choice was not saved'),
    invalidates: () => [internalKey('getNotificationSettings')],
  })
}

function applyChange(
  mail: NotificationMail,
  { kind, pace, ...change }: ChangeNotificationMailBody,
): NotificationMail {
  const paces =
    kind === undefined || pace === undefined
      ? mail.paces
      : mail.paces.map((one) => (one.kind === kind ? { kind, pace } : one))
  return { ...mail, ...change, paces }
}
