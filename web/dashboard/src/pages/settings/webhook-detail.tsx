/** Details of a webhook: settings, deliveries, test and deletion. */

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'preact/hooks'
import type { Webhook, WebhookList } from '../../../../../src/features/webhooks/operations/webhooks.ts'
import { octavo } from '../../api/octavo.ts'
import { useCommands } from '../../app/commands.ts'
import { toCacheChange, useOptimisticMutation } from '../../app/optimistic.ts'
import { queryClient } from '../../app/query-client.ts'
import { toast, toastFailure, toastWithUndo } from '../../app/toasts.ts'
import { UnsavedGuard } from '../../app/unsaved.tsx'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/card.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { CopyId } from '../../ui/copy.tsx'
import { Form, SaveOrDiscard } from '../../ui/form.tsx'
import { useGo } from '../../ui/link.tsx'
import { Section } from '../../ui/page.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import { Switch } from '../../ui/switch.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { rich, t } from '../../words/words.ts'
import { WebhookDeliveries } from './webhook-deliveries.tsx'
import { EventChoice, WEBHOOK_FIELDS } from './webhook-dialog.tsx'
import { WEBHOOKS_KEY } from './webhooks-key.ts'

export function WebhookDetail({ hook, here }: { hook: Webhook; here: string }) {
  const toggle = useToggle(hook)
  const test = useTest(hook)
  const [asks, setAsks] = useState(false)
  useCommands([
    {
      id: 'webhook-test',
      label: t('Send a test'),
      icon: 'send',
      keys: 't',
      isOff: !hook.enabled,
      run: () => test.mutate(),
    },
    { id: 'webhook-delete', label: t('Delete the webhook'), icon: 'trash-2', run: () => setAsks(true) },
  ])
  return (
    <div class="min-h-0 flex-1 overflow-y-auto px-6 py-5 max-md:px-4">
      <Head hook={hook} isTesting={test.isPending} onTest={() => test.mutate()} />
      {!hook.enabled && hook.disabledReason !== null && (
        <Notice tone="danger" title={t('Octavo switched it off')}>
          <PlainText text={hook.disabledReason} /> {t('Turn it on again once the receiver works.')}
        </Notice>
      )}
      <Section title={t('Settings')}>
        <Switch
          label={t('On')}
          about={t('While it is off, events are not kept for it.')}
          isOn={hook.enabled}
          onChange={(enabled) => toggle.mutate(enabled)}
        />
        <HookForm hook={hook} />
      </Section>
      <Section title={t('Deliveries')}>
        <WebhookDeliveries hook={hook} />
      </Section>
      <Section
        title={t('Delete')}
        about={t('It receives nothing more, and its deliveries are deleted. This cannot be undone.')}
      >
        <Button icon="trash-2" onClick={() => setAsks(true)}>
          {t('Delete the webhook …')}
        </Button>
      </Section>
      {asks && <DeleteDialog hook={hook} here={here} onClose={() => setAsks(false)} />}
    </div>
  )
}

function Head({ hook, isTesting, onTest }: { hook: Webhook; isTesting: boolean; onTest: () => void }) {
  return (
    <div class="mb-6 flex flex-wrap items-start gap-3">
      <div class="min-w-0 flex-1">
        <h2 class="line-clamp-3 font-mono text-13 font-medium break-words" title={hook.url}>
          <PlainText text={hook.url} />
        </h2>
        <CopyId id={hook.webhookId} label={t('Copy the id of the webhook')} />
      </div>
      <Button size="small" icon="send" isBusy={isTesting} disabled={!hook.enabled} onClick={onTest}>
        {t('Send a test')}
      </Button>
    </div>
  )
}

function DeleteDialog({ hook, here, onClose }: { hook: Webhook; here: string; onClose: () => void }) {
  const queries = useQueryClient()
  const go = useGo()
  const remove = async () => {
    await octavo.deleteWebhook(hook.webhookId)
    await go(here, { replace: true })
    toast({ kind: 'done', title: t('The webhook is deleted') })
    void queries.invalidateQueries({ queryKey: WEBHOOKS_KEY })
  }
  return (
    <ConfirmDialog
      title={t('Delete this webhook?')}
      name={parseHost(hook.url)}
      action={t('Delete the webhook')}
      onClose={onClose}
      onConfirm={remove}
    >
      <p>
        {rich('{address} receives nothing more, and what waited for it is gone.', {
          address: (
            <span class="font-mono text-13 break-words">
              <PlainText text={hook.url} />
            </span>
          ),
        })}
      </p>
    </ConfirmDialog>
  )
}

function useTest({ webhookId }: Webhook) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: () => octavo.testWebhook(webhookId),
    onSuccess: () => {
      toast({ kind: 'done', title: t('A test is on its way') })
      void queries.invalidateQueries({ queryKey: ['listWebhookDeliveries', webhookId] })
    },
    onError: (error) => toastFailure(t('No test was sent'), error),
  })
}

function parseHost(url: string): string {
  return URL.parse(url)?.host ?? url
}

/** Enables or disables a webhook optimistically; the same switch undoes it. */
function useToggle({ webhookId }: Webhook) {
  return useOptimisticMutation({
    send: (enabled: boolean) => octavo.updateWebhook(webhookId, { enabled }),
    changes: (enabled) => [
      toCacheChange<WebhookList>([...WEBHOOKS_KEY], (list) => ({
        ...list,
        webhooks: list.webhooks.map((one) => (one.webhookId === webhookId ? { ...one, enabled } : one)),
      })),
    ],
    failed: t('The webhook was not changed'),
    invalidates: () => [[...WEBHOOKS_KEY]],
  })
}

function HookForm({ hook }: { hook: Webhook }) {
  // The URL of a chat webhook is a secret: it can be replaced, but is not shown.
  const isSecret = hook.format === 'slack'
  const first = { url: isSecret ? '' : hook.url, events: hook.events, description: hook.description ?? '' }
  const [draft, setDraft] = useState(first)
  const isDirty = JSON.stringify(draft) !== JSON.stringify(first)
  const store = async ({ url, events, description }: typeof first) => {
    const saved = await octavo.updateWebhook(hook.webhookId, {
      ...(isSecret && url === '' ? {} : { url: url.trim() }),
      events: [...events],
      description: description.trim() === '' ? null : description.trim(),
    })
    await queryClient.invalidateQueries({ queryKey: WEBHOOKS_KEY })
    setDraft({ url: isSecret ? '' : saved.url, events: saved.events, description: saved.description ?? '' })
  }
  const save = async () => {
    if (!isDirty) return
    await store(draft)
    toastWithUndo(t('Saved'), () => {
      store(first).catch((error: unknown) => toastFailure(t('The change was not undone'), error))
    })
  }
  return (
    <Form noValidate class="mt-3" fields={WEBHOOK_FIELDS} onSubmit={save}>
      {({ faults, isBusy }) => (
        <>
          <UnsavedGuard isDirty={isDirty} />
          <TextField
            label={isSecret ? t('Another address') : t('Address')}
            isOptional={isSecret}
            hint={isSecret ? t('It takes the place of the one that is kept.') : undefined}
            error={faults.url}
            type="url"
            isMono
            value={draft.url}
            onText={(url) => setDraft({ ...draft, url })}
          />
          <EventChoice
            format={hook.format}
            events={draft.events}
            onChange={(events) => setDraft({ ...draft, events: [...events] })}
            fault={faults.events}
          />
          <TextField
            label={t('Note')}
            isOptional
            error={faults.description}
            maxLength={200}
            value={draft.description}
            onText={(description) => setDraft({ ...draft, description })}
          />
          <SaveOrDiscard isDirty={isDirty} isBusy={isBusy} onDiscard={() => setDraft(first)} />
        </>
      )}
    </Form>
  )
}
