/** Notification settings of the current organization: for all projects, with overrides for single projects. */

import { useQuery } from '@tanstack/react-query'
import { useState } from 'preact/hooks'
import {
  levelsOf,
  MAIL_FREQUENCIES,
  type MailFrequency,
  NOTIFICATION_KINDS,
  type NotificationKind,
  type NotificationLevel,
} from '../../../../../src/features/notifications/operations/notification-kinds.ts'
import type { NotificationSettings } from '../../../../../src/features/notifications/operations/notifications.ts'
import { internal, internalQuery } from '../../api/internal.ts'
import { projectsQuery } from '../../app/current-project.ts'
import { isConfirmed } from '../../app/dialogs.tsx'
import { queryClient } from '../../app/query-client.ts'
import { useMembership } from '../../app/session.ts'
import { isSame, textOf } from '../../forms/draft.ts'
import type { Draft, Entry, FieldSpec, Value } from '../../forms/field-spec.ts'
import { hasChanges } from '../../forms/save-bar.tsx'
import { SettingsForm } from '../../forms/settings-form.tsx'
import { Select } from '../../ui/input.tsx'
import { Section } from '../../ui/page.tsx'
import { Loaded, SkeletonRows } from '../../ui/states.tsx'
import { t, translateMessage } from '../../words/words.ts'

const LEVEL_LABELS: Record<NotificationLevel, string> = {
  off: t('Off'),
  own: t('Mine'),
  all: t('All', { context: 'notifications' }),
}
const FREQUENCY_CHOICES = MAIL_FREQUENCIES.map((value) => ({
  value,
  label: { now: t('Email instantly'), daily: t('Email daily'), off: t('No email') }[value],
}))
const HOURS = Array.from({ length: 24 }, (_, hour) => ({
  value: String(hour),
  label: `${String(hour).padStart(2, '0')}:00`,
}))

/** Time zone of the browser, used for the daily email unless the user chooses another. */
const LOCAL_TIME_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone

const settingsQuery = () => internalQuery('getNotificationSettings')

/** Only rendered for members of an organization; others have no notifications. */
export function NotificationsSection() {
  const { name } = useMembership()
  /** Empty for all projects. */
  const [projectId, setProjectId] = useState('')
  const settings = useQuery(settingsQuery())
  const projects = useQuery(projectsQuery()).data?.projects ?? []
  const choose = async (id: string) => {
    const question = {
      title: t('Discard the changes?'),
      action: t('Discard'),
      text: t('Your changes on this page will be lost.'),
    }
    if (!hasChanges() || (await isConfirmed(question))) setProjectId(id)
  }
  return (
    <Section
      id="notifications"
      title={t('Notifications for {name}', { name })}
      about={t(
        '“Mine” covers what you started and what started automatically, such as by a push or an automation.',
      )}
      actions={
        projects.length > 1 && (
          <Select
            aria-label={t('Projects')}
            size="small"
            isFluid
            class="w-56"
            value={projectId}
            onChange={(id) => void choose(id)}
            options={[
              { value: '', label: t('All projects') },
              ...projects.map(({ id, name: label }) => ({ value: id, label })),
            ]}
          />
        )
      }
    >
      <Loaded query={settings} skeleton={<SkeletonRows count={5} />}>
        {(data) => (
          <SettingsForm
            key={projectId}
            stored={data}
            read={(stored) => readSettings(stored, projectId)}
            fields={(draft, stored) => notificationFields(draft, stored, projectId)}
            save={(_, { draft, base }) => saveSettings(draft, base, projectId)}
          />
        )}
      </Loaded>
    </Section>
  )
}

const MAIL_FIELDS = ['isOn', 'digestHour', 'timeZone']

function readSettings({ kinds, choices, mail }: NotificationSettings, projectId: string) {
  const chosen = (kind: NotificationKind) =>
    choices.find((one) => one.kind === kind && (one.projectId ?? '') === projectId)?.level
  return {
    isOn: mail?.isOff === false,
    digestHour: mail?.digestHour,
    // The first change of the delivery hour also stores the browser's time zone.
    timeZone: mail?.timeZone ?? LOCAL_TIME_ZONE,
    ...Object.fromEntries(
      kinds.flatMap((kind) => [
        [`level/${kind}`, chosen(kind) ?? (projectId === '' ? NOTIFICATION_KINDS[kind].usual : '')],
        [`pace/${kind}`, mail?.paces.find((one) => one.kind === kind)?.pace ?? 'off'],
      ]),
    ),
  }
}

function notificationFields(
  draft: Draft,
  settings: NotificationSettings,
  projectId: string,
): readonly Entry[] {
  const { mail, kinds } = settings
  const hasMail = mail !== null && projectId === ''
  const isHidden = !hasMail || draft.isOn !== true
  const zones = [...new Set([textOf(draft, 'timeZone') || LOCAL_TIME_ZONE, LOCAL_TIME_ZONE, 'UTC'])]
  return [
    {
      name: 'isOn',
      kind: 'switch',
      label: t('Email to {address}', { address: mail?.address ?? '' }),
      help: t('Only unread items are sent. Each email has an unsubscribe link.'),
      isHidden: !hasMail,
    },
    {
      name: 'digestHour',
      kind: 'select',
      label: t('Time of the daily email'),
      isHidden,
      choices: HOURS,
    },
    {
      name: 'timeZone',
      kind: 'select',
      label: t('Time zone of the daily email'),
      isHidden,
      choices: zones.map((value) => ({ value, label: value.replaceAll('_', ' ') })),
    },
    ...kinds.flatMap((kind) => kindFields(kind, settings, projectId, !isHidden)),
  ]
}

/** Returns the fields for a kind of notification, on one line: its level, and when it is sent by email. */
function kindFields(
  kind: NotificationKind,
  settings: NotificationSettings,
  projectId: string,
  hasMail: boolean,
): FieldSpec[] {
  const { isPersonal, label: sentence } = NOTIFICATION_KINDS[kind]
  const label = translateMessage(sentence)
  const labelOf = (level: NotificationLevel) =>
    isPersonal || level === 'off' ? LEVEL_LABELS[level] : t('On')
  const general = readSettings(settings, '') as unknown as Record<string, NotificationLevel>
  const usual = labelOf(general[`level/${kind}`] ?? 'off')
  const levels = [
    ...(projectId === ''
      ? []
      : [{ value: '', label: t('Same as all projects ({choice})', { choice: usual }) }]),
    ...levelsOf(kind).map((value) => ({ value, label: labelOf(value) })),
  ]
  const pace = `pace/${kind}`
  const select = (name: string, options: typeof levels, value: Value, onChange: (value: string) => void) => (
    <Select
      aria-label={name}
      size="small"
      class="w-34"
      isFluid
      value={String(value)}
      options={options}
      onChange={onChange}
    />
  )
  return [
    {
      name: `level/${kind}`,
      kind: 'own',
      label,
      view: ({ value, onChange, state: { draft, set } }) => (
        <div class="flex flex-wrap items-center gap-x-2 gap-y-1 border-b border-line py-2 last:border-b-0">
          <span class="min-w-0 flex-1 text-13">{label}</span>
          {hasMail &&
            select(t('{label}: email', { label }), FREQUENCY_CHOICES, draft[pace] ?? 'off', (next) =>
              set({ [pace]: next }),
            )}
          {select(label, levels, value, onChange)}
        </div>
      ),
    },
    { name: pace, kind: 'own', label: t('{label}: email', { label }), isHidden: !hasMail },
  ]
}

async function saveSettings(
  draft: Draft,
  base: NotificationSettings,
  projectId: string,
): Promise<NotificationSettings> {
  const before = readSettings(base, projectId) as Record<string, unknown>
  const isChanged = (name: string) => !isSame(String(draft[name]), String(before[name] ?? ''))
  for (const kind of base.kinds) {
    const level = textOf(draft, `level/${kind}`) as NotificationLevel
    const pace = textOf(draft, `pace/${kind}`) as MailFrequency
    if (isChanged(`level/${kind}`))
      await internal('chooseNotifications', {
        body: { kind, projectId: projectId || null, level: level || null },
      })
    if (isChanged(`pace/${kind}`)) await internal('changeNotificationMail', { body: { kind, pace } })
  }
  if (MAIL_FIELDS.some(isChanged))
    await internal('changeNotificationMail', {
      body: {
        isOff: draft.isOn !== true,
        digestHour: Number(draft.digestHour),
        timeZone: textOf(draft, 'timeZone'),
      },
    })
  return await queryClient.fetchQuery({ ...settingsQuery(), staleTime: 0 })
}
