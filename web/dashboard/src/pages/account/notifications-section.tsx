/** Notification settings of the current organization: for all projects, with overrides for single projects. */

import { useQuery } from '@tanstack/react-query'
import { useState } from 'preact/hooks'
import {
  levelsOf,
  NOTIFICATION_KINDS,
  type NotificationKind,
  type NotificationLevel,
} from '../../../../../src/features/notifications/operations/notification-kinds.ts'
import type {
  ChooseNotificationsBody,
  NotificationSettings,
} from '../../../../../src/features/notifications/operations/notifications.ts'
import { internal, internalKey, internalQuery } from '../../api/internal.ts'
import { projectsQuery } from '../../app/current-project.ts'
import { toCacheChange, useOptimisticMutation } from '../../app/optimistic.ts'
import { useMembership } from '../../app/session.ts'
import { Card } from '../../ui/card.tsx'
import { Select } from '../../ui/input.tsx'
import { Section } from '../../ui/page.tsx'
import { Loaded, SkeletonRows } from '../../ui/states.tsx'
import { t, translateSentence } from '../../words/words.ts'
import { NotificationMailCard, PaceSelect } from './notification-mail.tsx'

type Choice = NotificationSettings['choices'][number]

const LEVEL_LABELS: Record<NotificationLevel, string> = {
  off: t('Off'),
  own: t('Mine'),
  all: t('All', { context: 'notifications' }),
}
/** Select value for all projects, and for no choice. */
const NONE = ''

/** Only rendered for members of an organization; others have no notifications. */
export function NotificationsSection() {
  const { name } = useMembership()
  const [projectId, setProjectId] = useState<string | null>(null)
  const settings = useQuery(internalQuery('getNotificationSettings'))
  const projects = useQuery(projectsQuery()).data?.projects ?? []
  return (
    <Section
      id="notifications"
      title={t('Notifications')}
      about={t(
        'What you are told of in {name}. “Mine” is what you began, and what no person did: a push, an automation.',
        { name },
      )}
      actions={
        projects.length > 1 && (
          <Select
            aria-label={t('Projects')}
            size="small"
            isFluid
            class="w-56"
            value={projectId ?? NONE}
            onChange={(id) => setProjectId(id === NONE ? null : id)}
            options={[
              { value: NONE, label: t('All projects') },
              ...projects.map(({ id, name: label }) => ({ value: id, label })),
            ]}
          />
        )
      }
    >
      <Loaded query={settings} skeleton={<SkeletonRows count={5} />}>
        {(data) => (
          <>
            {data.mail !== null && <NotificationMailCard mail={data.mail} />}
            <Card>
              {data.kinds.map((kind) => (
                <KindRow key={kind} kind={kind} settings={data} projectId={projectId} />
              ))}
            </Card>
          </>
        )}
      </Loaded>
    </Section>
  )
}

function KindRow({
  kind,
  settings,
  projectId,
}: {
  kind: NotificationKind
  settings: NotificationSettings
  projectId: string | null
}) {
  const choose = useSaveChoice()
  const { isPersonal, usual, label: sentence } = NOTIFICATION_KINDS[kind]
  const label = translateSentence(sentence)
  const levels = levelsOf(kind)
  const general = findChosenLevel(settings, kind, null) ?? usual
  const chosen = projectId === null ? general : findChosenLevel(settings, kind, projectId)
  const labelOf = (level: NotificationLevel) =>
    isPersonal || level === 'off' ? LEVEL_LABELS[level] : t('On')
  const options = levels.map((value) => ({ value: value as string, label: labelOf(value) }))
  return (
    <div class="flex flex-wrap items-center gap-x-2 gap-y-1 border-b border-line px-4 py-2 last:border-b-0">
      <span class="min-w-0 flex-1 text-13">{label}</span>
      {projectId === null && settings.mail !== null && !settings.mail.isOff && (
        <PaceSelect kind={kind} label={label} mail={settings.mail} />
      )}
      <Select
        aria-label={label}
        size="small"
        class="w-28"
        isFluid
        value={chosen ?? NONE}
        onChange={(value) =>
          choose.mutate({ kind, projectId, level: levels.find((level) => level === value) ?? null })
        }
        options={
          projectId === null
            ? options
            : [{ value: NONE, label: t('As for all ({choice})', { choice: labelOf(general) }) }, ...options]
        }
      />
    </div>
  )
}

function findChosenLevel(
  { choices }: NotificationSettings,
  kind: NotificationKind,
  projectId: string | null,
): NotificationLevel | null {
  return choices.find((one) => one.kind === kind && one.projectId === projectId)?.level ?? null
}

function useSaveChoice() {
  return useOptimisticMutation({
    send: (body: ChooseNotificationsBody) => internal('chooseNotifications', { body }),
    changes: (choice) => [
      toCacheChange<NotificationSettings>(internalKey('getNotificationSettings'), (settings) => ({
        ...settings,
        choices: applyChoice(settings.choices, choice),
      })),
    ],
    failed: t('The choice was not saved'),
    invalidates: () => [internalKey('getNotificationSettings')],
  })
}

function applyChoice(
  choices: readonly Choice[],
  { kind, projectId, level }: ChooseNotificationsBody,
): Choice[] {
  const others = choices.filter((one) => one.kind !== kind || one.projectId !== projectId)
  return level === null ? others : [...others, { kind, projectId, level }]
}
