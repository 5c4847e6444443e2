/** Form for a new webhook. */

import { useState } from 'preact/hooks'
import type {
  CreatedWebhook,
  EventType,
  WebhookFormat,
} from '../../../../../src/features/webhooks/operations/webhooks.ts'
import { octavo } from '../../api/octavo.ts'
import { queryClient } from '../../app/query-client.ts'
import { RadioGroup } from '../../ui/choice.tsx'
import { FieldSet } from '../../ui/field.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { Checkbox } from '../../ui/switch.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { t } from '../../words/words.ts'
import { DEFAULT_EVENTS_BY_FORMAT, EVENT_LABELS, EVENTS_BY_FORMAT, groupEvents } from './webhook-labels.ts'
import { WEBHOOKS_KEY } from './webhooks-key.ts'

const EXAMPLES: Record<WebhookFormat, string> = {
  events: 'https://example.com/hooks/octavo',
  slack: 'https://hooks.slack.com/services/…',
}

export const WEBHOOK_FIELDS = ['url', 'events', 'description'] as const

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
  const [url, setUrl] = useState('')
  const [description, setDescription] = useState('')
  const [format, setFormat] = useState<WebhookFormat>('events')
  const [events, setEvents] = useState(DEFAULT_EVENTS_BY_FORMAT[format])
  const [scope, setScope] = useState<Scope>('project')
  const chooseFormat = (next: WebhookFormat) => {
    setFormat(next)
    setEvents(DEFAULT_EVENTS_BY_FORMAT[next])
  }
  const make = async () => {
    const hook = await octavo.createWebhook({
      url: url.trim(),
      format,
      events: [...events],
      ...(scope === 'project' ? { projectId } : {}),
      ...(description.trim() === '' ? {} : { description: description.trim() }),
    })
    await queryClient.invalidateQueries({ queryKey: WEBHOOKS_KEY })
    onMade(hook)
  }
  return (
    <FormDialog
      title={t('Add a webhook')}
      action={t('Add the webhook')}
      fields={WEBHOOK_FIELDS}
      noValidate
      onSubmit={make}
      onClose={onClose}
    >
      {(faults) => (
        <>
          <FormatChoice format={format} onChange={chooseFormat} />
          <AddressField format={format} url={url} onUrl={setUrl} fault={faults.url} />
          <EventChoice format={format} events={events} onChange={setEvents} fault={faults.events} />
          <ProjectChoice scope={scope} onChange={setScope} />
          <TextField
            label={t('Note')}
            isOptional
            error={faults.description}
            maxLength={200}
            value={description}
            placeholder={t("Tells the team's chat")}
            onText={setDescription}
          />
        </>
      )}
    </FormDialog>
  )
}

function FormatChoice({
  format,
  onChange,
}: {
  format: WebhookFormat
  onChange: (format: WebhookFormat) => void
}) {
  return (
    <FieldSet label={t('Receiver')}>
      <RadioGroup
        label={t('Receiver')}
        value={format}
        onChange={onChange}
        choices={[
          { value: 'events', label: t('A program'), about: t('Signed JSON of each event.') },
          {
            value: 'slack',
            label: t('A chat'),
            about: t('Sentences with a link, as Slack, Mattermost and Rocket.Chat take them.'),
          },
        ]}
      />
    </FieldSet>
  )
}

function AddressField({
  format,
  url,
  onUrl,
  fault,
}: {
  format: WebhookFormat
  url: string
  onUrl: (url: string) => void
  fault: string | undefined
}) {
  const isChat = format === 'slack'
  return (
    <TextField
      label={t('Address')}
      hint={
        isChat
          ? t(
              'An incoming webhook of the chat. Whoever has it can write there: it is kept secret, and never shown again.',
            )
          : t('On the public internet, without user name and password.')
      }
      error={fault}
      type="url"
      isMono
      value={url}
      placeholder={EXAMPLES[format]}
      onText={onUrl}
    />
  )
}

type Scope = 'project' | 'all'

function ProjectChoice({ scope, onChange }: { scope: Scope; onChange: (scope: Scope) => void }) {
  return (
    <FieldSet label={t('Projects')}>
      <RadioGroup
        label={t('Projects')}
        value={scope}
        onChange={onChange}
        choices={[
          { value: 'project', label: t('This project') },
          { value: 'all', label: t('All projects of the organization') },
        ]}
      />
    </FieldSet>
  )
}

export function EventChoice({
  format,
  events,
  onChange,
  fault,
}: {
  format: WebhookFormat
  events: readonly EventType[]
  onChange: (events: readonly EventType[]) => void
  fault: string | undefined
}) {
  return (
    <FieldSet label={t('Events')} error={fault}>
      <div class="rounded-md border border-line px-3 py-1">
        {groupEvents(format, events).map(({ title, events: group }) => (
          <div key={title} class="py-1">
            <p class="pt-1 text-12 font-medium text-soft">{title}</p>
            {group.map((event) => (
              <Checkbox
                key={event}
                label={EVENT_LABELS[event]}
                about={<code class="font-mono text-12">{event}</code>}
                isOn={events.includes(event)}
                onChange={(isOn) =>
                  onChange(
                    EVENTS_BY_FORMAT[format].filter((one) => (one === event ? isOn : events.includes(one))),
                  )
                }
              />
            ))}
          </div>
        ))}
      </div>
    </FieldSet>
  )
}
