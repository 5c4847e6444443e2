/** Details of a webhook: settings, deliveries, test and deletion. */

import type { Webhook } from '../../../../../src/features/webhooks/operations/webhooks.ts'
import { octavo } from '../../api/octavo.ts'
import { ActionButton } from '../../app/action.tsx'
import { useCommands } from '../../app/commands.ts'
import { confirmFirst } from '../../app/dialogs.tsx'
import { queryClient } from '../../app/query-client.ts'
import { toast } from '../../app/toasts.ts'
import { SaveBar } from '../../forms/save-bar.tsx'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/card.tsx'
import { CopyId } from '../../ui/copy.tsx'
import { useGo } from '../../ui/link.tsx'
import { Section } from '../../ui/page.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import { rich, t } from '../../words/words.ts'
import { WebhookDeliveries } from './webhook-deliveries.tsx'
import { WebhookSettingsForm } from './webhook-form.tsx'
import { WEBHOOKS_KEY } from './webhooks-key.ts'

export function WebhookDetail({ hook, here }: { hook: Webhook; here: string }) {
  const { webhookId, url, enabled, disabledReason } = hook
  const remove = useDeletion(hook, here)
  useCommands([{ id: 'webhook-delete', label: t('Delete the webhook'), icon: 'trash-2', run: remove }])
  return (
    <div class="min-h-0 flex-1 overflow-y-auto px-6 py-5 max-md:px-4">
      <div class="mb-6 flex flex-wrap items-start gap-3">
        <div class="min-w-0 flex-1">
          <h2 class="line-clamp-3 font-mono text-13 font-medium break-words" title={url}>
            <PlainText text={url} />
          </h2>
          <CopyId id={webhookId} label={t('Copy the webhook ID')} />
        </div>
        <ActionButton
          icon="send"
          disabled={!enabled}
          {...(enabled && {
            command: { id: 'webhook-test', label: t('Send a test'), icon: 'send', keys: 't' } as const,
          })}
          run={() => octavo.testWebhook(webhookId)}
          done={t('A test is on its way')}
          failed={t('No test was sent')}
          refreshes={['listWebhookDeliveries']}
        >
          {t('Send a test')}
        </ActionButton>
      </div>
      {!enabled && disabledReason !== null && (
        <Notice tone="danger" title={t('Octavo turned off this webhook')}>
          <PlainText text={disabledReason} /> {t('Turn it on again once the receiver works.')}
        </Notice>
      )}
      <Section title={t('Settings')}>
        <WebhookSettingsForm hook={hook} />
      </Section>
      <Section title={t('Deliveries')}>
        <WebhookDeliveries hook={hook} />
      </Section>
      <Section
        title={t('Delete')}
        about={t('It receives no more events, and its deliveries are deleted. This cannot be undone.')}
      >
        <Button icon="trash-2" onClick={remove}>
          {t('Delete the webhook …')}
        </Button>
      </Section>
      <SaveBar />
    </div>
  )
}

function useDeletion({ webhookId, url }: Webhook, here: string): () => void {
  const go = useGo()
  return () =>
    confirmFirst({
      title: t('Delete this webhook?'),
      name: URL.parse(url)?.host ?? url,
      action: t('Delete the webhook'),
      text: (
        <p>
          {rich('{address} receives no more events, and its waiting deliveries are deleted.', {
            address: (
              <span class="font-mono text-13 break-words">
                <PlainText text={url} />
              </span>
            ),
          })}
        </p>
      ),
      run: async () => {
        await octavo.deleteWebhook(webhookId)
        await go(here, { replace: true })
        toast({ kind: 'done', title: t('The webhook is deleted') })
        void queryClient.invalidateQueries({ queryKey: WEBHOOKS_KEY })
      },
    })
}
