/** What one wants to be told of, in the organization that is looked at: of all projects, and of one where that differs. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'preact/hooks'
import {
  NOTIFICATION_KINDS,
  type NotificationKind,
  type NotificationLevel,
} from '../../../../../src/contract/notification-kinds.ts'
import type { NotificationSettings } from '../../../../../src/contract/notifications.ts'
import { internal, internalKey, internalQuery } from '../../api/internal.ts'
import { changeOf, useOptimisticMutation } from '../../app/optimistic.ts'
import { projectsQuery } from '../../app/places.ts'
import { useMembership } from '../../app/session.ts'
import { Card } from '../../ui/card.tsx'
import { Select } from '../../ui/input.tsx'
import { Section } from '../../ui/page.tsx'
import { Loaded, SkeletonRows } from '../../ui/states.tsx'

type Channel = 'dashboard' | 'mail'
type Choice = NotificationSettings['choices'][number]

const CHANNELS: Record<Channel, string> = { dashboard: 'In the dashboard', mail: 'By mail' }
const LEVELS: Record<NotificationLevel, string> = { off: 'Off', own: 'Mine', all: 'All' }
/** Stands for all projects, and for what is not chosen. */
const NONE = ''

/** Of who belongs to no organization there is nothing to tell. */
export function NotificationsSection() {
  const { name } = useMembership()
  const [projectId, setProjectId] = useState<string | null>(null)
  const settings = useQuery(internalQuery('getNotificationSettings'))
  const projects = useQuery(projectsQuery()).data?.projects ?? []
  return (
    <Section
      id="notifications"
      title="Notifications"
      about={`What you are told of in ${name}. “Mine” is what you began, and what no person did: a push, an automation.`}
      actions={
        projects.length > 1 && (
          <Select
            aria-label="Projects"
            size="small"
            value={projectId ?? NONE}
            onChange={(id) => setProjectId(id === NONE ? null : id)}
            options={[
              { value: NONE, label: 'All projects' },
              ...projects.map(({ id, name: label }) => ({ value: id, label })),
            ]}
          />
        )
      }
    >
      <Loaded query={settings} skeleton={<SkeletonRows count={5} />}>
        {(data) => (
          <Card>
            {data.kinds.map((kind) => (
              <KindRow key={kind} kind={kind} settings={data} projectId={projectId} />
            ))}
          </Card>
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
  const channels: Channel[] = settings.hasMail ? ['dashboard', 'mail'] : ['dashboard']
  return (
    <div class="flex flex-wrap items-center gap-x-6 gap-y-2 border-b border-line px-4 py-2 last:border-b-0">
      <span class="min-w-40 flex-1 text-13">{NOTIFICATION_KINDS[kind].label}</span>
      <span class="flex flex-wrap gap-x-4 gap-y-2">
        {channels.map((channel) => (
          <LevelSelect
            key={channel}
            kind={kind}
            channel={channel}
            settings={settings}
            projectId={projectId}
            isNamed={settings.hasMail}
          />
        ))}
      </span>
    </div>
  )
}

function LevelSelect({
  kind,
  channel,
  settings,
  projectId,
  isNamed,
}: {
  kind: NotificationKind
  channel: Channel
  settings: NotificationSettings
  projectId: string | null
  isNamed: boolean
}) {
  const choose = useChoose()
  const { isPersonal, usual, label } = NOTIFICATION_KINDS[kind]
  const general = chosenOf(settings, kind, null)?.[channel] ?? usual[channel]
  const chosen = projectId === null ? general : (chosenOf(settings, kind, projectId)?.[channel] ?? null)
  const levels: NotificationLevel[] = isPersonal ? ['off', 'own', 'all'] : ['off', 'all']
  const options = levels.map((value) => ({
    value: value as string,
    label: isPersonal ? LEVELS[value] : value === 'off' ? 'Off' : 'On',
  }))
  const asAll = options.find(({ value }) => value === general)?.label ?? 'On'
  return (
    <label class="flex items-center gap-2 text-12 text-soft">
      <span class={isNamed ? '' : 'sr-only'}>{CHANNELS[channel]}</span>
      <Select
        aria-label={`${label}, ${CHANNELS[channel].toLowerCase()}`}
        size="small"
        class="w-28"
        isFluid
        value={chosen ?? NONE}
        onChange={(value) =>
          choose.mutate({
            kind,
            projectId,
            channel,
            level: value === NONE ? null : (levels.find((level) => level === value) ?? null),
          })
        }
        options={projectId === null ? options : [{ value: NONE, label: `As for all (${asAll})` }, ...options]}
      />
    </label>
  )
}

function chosenOf({ choices }: NotificationSettings, kind: NotificationKind, projectId: string | null) {
  return choices.find((one) => one.kind === kind && one.projectId === projectId)
}

interface NewChoice {
  kind: NotificationKind
  projectId: string | null
  channel: Channel
  level: NotificationLevel | null
}

function useChoose() {
  return useOptimisticMutation({
    send: ({ kind, projectId, channel, level }: NewChoice) =>
      internal('chooseNotifications', { body: { kind, projectId, [channel]: level } }),
    changes: (choice) => [
      changeOf<NotificationSettings>(internalKey('getNotificationSettings'), (settings) => ({
        ...settings,
        choices: withChoice(settings.choices, choice),
      })),
    ],
    failed: 'The choice was not saved',
    renews: () => [internalKey('getNotificationSettings')],
  })
}

function withChoice(choices: readonly Choice[], { kind, projectId, channel, level }: NewChoice): Choice[] {
  const known = choices.find((one) => one.kind === kind && one.projectId === projectId)
  const next = { ...(known ?? { kind, projectId, dashboard: null, mail: null }), [channel]: level }
  return [...choices.filter((one) => one !== known), next]
}
