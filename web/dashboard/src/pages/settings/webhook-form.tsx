/** Forms to create a webhook and to edit its settings. */

import type {
  CreatedWebhook,
  EventType,
  Webhook,
  WebhookFormat,
} from '../../../../../src/features/webhooks/operations/webhooks.ts'
import { octavo } from '../../api/octavo.ts'
import { queryClient } from '../../app/query-client.ts'
import { listOf } from '../../forms/draft.ts'
import type { FieldSpec } from '../../forms/field-spec.ts'
import { FieldsDialog } from '../../forms/fields-form.tsx'
import { SettingsForm } from '../../forms/settings-form.tsx'
import { t } from '../../words/words.ts'
import { DEFAULT_EVENTS_BY_FORMAT, EVENT_LABELS, groupEvents } from './webhook-labels.ts'
import { WEBHOOKS_KEY } from './webhooks-key.ts'

const EXAMPLES: Record<WebhookFormat, string> = {
  events: 'https://example.com/hooks/octavo',
  slack: 'https://hooks.slack.com/services/…',
}

const refresh = () => queryClient.invalidateQueries({ queryKey: WEBHOOKS_KEY })

/** Creates a webhook. Not cached, because the response contains the secret. */
export function WebhookDialog({
  projectId,
  onClose,
  onMade,
}: {
  projectId: string
  onClose: () => void
  onMade: (hook: CreatedWebhook) => void
}) {
  return (
    <FieldsDialog
      operation="createWebhook"
      title={t('Add a webhook')}
      action={t('Add the webhook')}
      noValidate
      initial={{ format: 'events', events: DEFAULT_EVENTS_BY_FORMAT.events, scope: 'project' }}
      fields={(draft) => {
        const format = draft.format === 'slack' ? 'slack' : 'events'
        return [
          {
            name: 'format',
            kind: 'radio',
            label: t('Receiver'),
            choices: [
              { value: 'events', label: t('A program'), about: t('Signed JSON of each event.') },
              {
                value: 'slack',
                label: t('A chat'),
                about: t('Messages with a link, for Slack, Mattermost and Rocket.Chat.'),
              },
            ],
            onChange: (next) => ({ events: DEFAULT_EVENTS_BY_FORMAT[next as WebhookFormat] }),
          },
          {
            ...urlField(format),
            help:
              format === 'slack'
                ? t(
                    'Incoming webhook URL of the chat. Anyone with it can post there, so it is stored as a secret and never shown again.',
                  )
                : t('A public URL without username and password.'),
          },
          eventsField(format, listOf(draft, 'events') as EventType[]),
          {
            name: 'scope',
            kind: 'radio',
            label: t('Projects'),
            choices: [
              { value: 'project', label: t('This project') },
              { value: 'all', label: t('All projects of the organization') },
            ],
          },
          NOTE,
        ]
      }}
      onSubmit={async ({ scope, ...body }) => {
        const hook = await octavo.createWebhook({
          ...body,
          ...(scope === 'project' && { projectId }),
        } as never)
        await refresh()
        onMade(hook)
      }}
      onClose={onClose}
    />
  )
}

export function WebhookSettingsForm({ hook }: { hook: Webhook }) {
  // The URL of a chat webhook is a secret: it can be replaced, but is not shown.
  const isSecret = hook.format === 'slack'
  return (
    <SettingsForm<Webhook>
      operation="updateWebhook"
      stored={hook}
      read={(one) => ({ ...one, ...(isSecret && { url: '' }) })}
      canUndo={!isSecret}
      question={(draft, before) =>
        draft.enabled === false && before.enabled === true
          ? {
              title: t('Turn the webhook off?'),
              action: t('Turn off'),
              text: t('Events that happen while it is off are not delivered later.'),
            }
          : null
      }
      fields={(draft) => [
        {
          name: 'enabled',
          label: t('On'),
          help: t('While it is off, events are not stored for it.'),
        },
        {
          ...urlField(hook.format),
          ...(isSecret && {
            label: t('Another URL'),
            help: t('It replaces the stored one.'),
            isOptional: true,
          }),
        },
        eventsField(hook.format, listOf(draft, 'events') as EventType[]),
        NOTE,
      ]}
      save={async (changes) => {
        const saved = await octavo.updateWebhook(hook.webhookId, changes)
        await refresh()
        return saved
      }}
    />
  )
}

const urlField = (format: WebhookFormat): FieldSpec => ({
  name: 'url',
  label: t('URL'),
  isMono: true,
  example: EXAMPLES[format],
  input: { type: 'url' },
})

const NOTE: FieldSpec = {
  name: 'description',
  label: t('Note'),
  placeholder: t('Notifies the team’s chat'),
}

function eventsField(format: WebhookFormat, chosen: readonly EventType[]): FieldSpec {
  return {
    name: 'events',
    kind: 'checks',
    label: t('Events'),
    choices: groupEvents(format, chosen).flatMap(({ title, events }) =>
      events.map((event, index) => ({
        value: event,
        label: EVENT_LABELS[event],
        about: <code class="font-mono text-12">{event}</code>,
        ...(index === 0 && { heading: title }),
      })),
    ),
  }
}
