/** Email preferences for notifications of the current organization. Shown when the server can send email. */

import type { NotificationKind } from '../../../../../src/features/notifications/operations/notification-kinds.ts'
import {
  MAIL_PACES,
  type MailPace,
} from '../../../../../src/features/notifications/operations/notification-kinds.ts'
import type {
  ChangeNotificationMailBody,
  NotificationMail,
  NotificationSettings,
} from '../../../../../src/features/notifications/operations/notifications.ts'
import { internal, internalKey } from '../../api/internal.ts'
import { changeOf, useOptimisticMutation } from '../../app/optimistic.ts'
import { Select } from '../../ui/input.tsx'
import { Switch } from '../../ui/switch.tsx'
import { rich, t } from '../../words/words.ts'

const PACES: Record<MailPace, string> = {
  now: t('Mail at once'),
  daily: t('Mail daily'),
  off: t('No mail'),
}
const HOURS = Array.from({ length: 24 }, (_, hour) => ({
  value: String(hour),
  label: `${String(hour).padStart(2, '0')}:00`,
}))

/** Time zone of the browser, used for the daily email unless the user chooses another. */
const HERE = Intl.DateTimeFormat().resolvedOptions().timeZone

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
  const zones = [...new Set([zone, HERE, 'UTC'])]
  return rich('Daily mail at {hour} {zone}', {
    hour: (
      <Select
        aria-label={t('Hour of the daily mail')}
        size="small"
        value={String(digestHour)}
        options={HOURS}
        onChange={(hour) =>
          // The first chosen hour also stores the browser's time zone.
          onChange({ digestHour: Number(hour), ...(timeZone === null ? { timeZone: HERE } : {}) })
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
      options={MAIL_PACES.map((value) => ({ value, label: PACES[value] }))}
      onChange={(next) => change.mutate({ kind, pace: next as MailPace })}
    />
  )
}

function useChangeMail() {
  return useOptimisticMutation({
    send: (body: ChangeNotificationMailBody) => internal('changeNotificationMail', { body }),
    changes: (change) => [
      changeOf<NotificationSettings>(internalKey('getNotificationSettings'), (settings) => ({
        ...settings,
        mail: settings.mail === null ? null : withChange(settings.mail, change),
      })),
    ],
    failed: t('The choice was not saved'),
    renews: () => [internalKey('getNotificationSettings')],
  })
}

function withChange(
  mail: NotificationMail,
  { kind, pace, ...change }: ChangeNotificationMailBody,
): NotificationMail {
  const paces =
    kind === undefined || pace === undefined
      ? mail.paces
      : mail.paces.map((one) => (one.kind === kind ? { kind, pace } : one))
  return { ...mail, ...change, paces }
}
