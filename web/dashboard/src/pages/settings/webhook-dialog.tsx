/** The form of a webhook, for a new one. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'preact/hooks'
import type { CreatedWebhook, EventType } from '../../../../../src/contract/webhooks.ts'
import { explain, faultsByField } from '../../api/errors.ts'
import { octavo } from '../../api/send.ts'
import { Button } from '../../ui/button.tsx'
import { RadioGroup } from '../../ui/choice.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field, FieldSet, FormError } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'
import { Checkbox } from '../../ui/switch.tsx'
import { EVENT_WORDS, EVENTS } from './webhook-words.ts'
import { WEBHOOKS_KEY } from './webhooks-key.ts'

const FIELDS = ['url', 'events', 'description'] as const

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
  const [scope, setScope] = useState<'project' | 'all'>('project')
  const queries = useQueryClient()
  const make = useMutation({
    mutationFn: () =>
      octavo.createWebhook({
        url: url.trim(),
        events: [...events],
        ...(scope === 'project' ? { projectId } : {}),
        ...(description.trim() === '' ? {} : { description: description.trim() }),
      }),
    onSuccess: async (hook) => {
      await queries.invalidateQueries({ queryKey: WEBHOOKS_KEY })
      onMade(hook)
    },
    // The answer holds the secret: it is not kept in any cache.
    gcTime: 0,
  })
  const { byField, others } = faultsByField(make.error, FIELDS)
  return (
    <Dialog
      title="Add a webhook"
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" type="submit" form="webhook-form" isBusy={make.isPending}>
            Add it
          </Button>
        </>
      }
    >
      <form
        id="webhook-form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          if (!make.isPending) make.mutate()
        }}
      >
        {make.isError && (others.length > 0 || Object.keys(byField).length === 0) && (
          <FormError title={explain(make.error).title} details={others} />
        )}
        <Field
          label="Address"
          hint="On the public internet, without user name and password."
          error={byField.url}
        >
          {(field) => (
            <Input
              {...field}
              type="url"
              isMono
              value={url}
              placeholder="https://example.com/hooks/octavo"
              onInput={(event) => setUrl(event.currentTarget.value)}
            />
          )}
        </Field>
        <EventChoice events={events} onChange={setEvents} fault={byField.events} />
        <FieldSet label="Of which projects">
          <RadioGroup
            label="Of which projects"
            value={scope}
            onChange={setScope}
            choices={[
              { value: 'project', label: 'This project' },
              { value: 'all', label: 'All projects of the organization' },
            ]}
          />
        </FieldSet>
        <Field label="Note" isOptional error={byField.description}>
          {(field) => (
            <Input
              {...field}
              maxLength={200}
              value={description}
              placeholder="Tells the team's chat"
              onInput={(event) => setDescription(event.currentTarget.value)}
            />
          )}
        </Field>
      </form>
    </Dialog>
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
    <FieldSet label="What it is told">
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
      {fault !== undefined && <p class="mt-1.5 text-13 text-danger">{fault}</p>}
    </FieldSet>
  )
}
