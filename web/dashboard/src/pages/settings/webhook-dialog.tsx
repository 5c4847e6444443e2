/** The form of a webhook, for a new one. */

import { useState } from 'preact/hooks'
import type { CreatedWebhook, EventType } from '../../../../../src/contract/webhooks.ts'
import { octavo } from '../../api/send.ts'
import { queryClient } from '../../app/query-client.ts'
import { RadioGroup } from '../../ui/choice.tsx'
import { FieldSet } from '../../ui/field.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { Checkbox } from '../../ui/switch.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { EVENT_WORDS, EVENTS } from './webhook-words.ts'
import { WEBHOOKS_KEY } from './webhooks-key.ts'

export const WEBHOOK_FIELDS = ['url', 'events', 'description'] as const

/** The answer holds the secret: it is kept in no cache. */
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
  const [events, setEvents] = useState<readonly EventType[]>(EVENTS)
  const [scope, setScope] = useState<Scope>('project')
  const make = async () => {
    const hook = await octavo.createWebhook({
      url: url.trim(),
      events: [...events],
      ...(scope === 'project' ? { projectId } : {}),
      ...(description.trim() === '' ? {} : { description: description.trim() }),
    })
    await queryClient.invalidateQueries({ queryKey: WEBHOOKS_KEY })
    onMade(hook)
  }
  return (
    <FormDialog
      title="Add a webhook"
      action="Add it"
      fields={WEBHOOK_FIELDS}
      noValidate
      onSubmit={make}
      onClose={onClose}
    >
      {(faults) => (
        <>
          <TextField
            label="Address"
            hint="On the public internet, without user name and password."
            error={faults.url}
            type="url"
            isMono
            value={url}
            placeholder="https://example.com/hooks/octavo"
            onText={setUrl}
          />
          <EventChoice events={events} onChange={setEvents} fault={faults.events} />
          <ProjectChoice scope={scope} onChange={setScope} />
          <TextField
            label="Note"
            isOptional
            error={faults.description}
            maxLength={200}
            value={description}
            placeholder="Tells the team's chat"
            onText={setDescription}
          />
        </>
      )}
    </FormDialog>
  )
}

type Scope = 'project' | 'all'

function ProjectChoice({ scope, onChange }: { scope: Scope; onChange: (scope: Scope) => void }) {
  return (
    <FieldSet label="Projects">
      <RadioGroup
        label="Projects"
        value={scope}
        onChange={onChange}
        choices={[
          { value: 'project', label: 'This project' },
          { value: 'all', label: 'All projects of the organization' },
        ]}
      />
    </FieldSet>
  )
}

export function EventChoice({
  events,
  onChange,
  fault,
}: {
  events: readonly EventType[]
  onChange: (events: readonly EventType[]) => void
  fault: string | undefined
}) {
  return (
    <FieldSet label="Events" error={fault}>
      <div class="rounded-md border border-line px-3 py-1">
        {EVENTS.map((event) => (
          <Checkbox
            key={event}
            label={EVENT_WORDS[event]}
            about={<code class="font-mono text-12">{event}</code>}
            isOn={events.includes(event)}
            onChange={(isOn) =>
              onChange(EVENTS.filter((one) => (one === event ? isOn : events.includes(one))))
            }
          />
        ))}
      </div>
    </FieldSet>
  )
}
