/** Webhooks: endpoints, events, delivery results and redelivery. */

import { useQuery } from '@tanstack/react-query'
import type { Webhook } from '../../../../../src/features/webhooks/operations/webhooks.ts'
import { octavo } from '../../api/octavo.ts'
import { useCommands } from '../../app/commands.ts'
import { useProjectId } from '../../app/current-project.ts'
import { useEscapeTo } from '../../app/frame.tsx'
import { useQueryParameters } from '../../app/query-parameters.ts'
import { showOnce } from '../../app/show-once.tsx'
import { Button } from '../../ui/button.tsx'
import { CopyField } from '../../ui/copy.tsx'
import { PageBody } from '../../ui/page.tsx'
import { SplitView } from '../../ui/split-view.tsx'
import { EmptyState, Loaded, SkeletonRows } from '../../ui/states.tsx'
import { plural, rich, t } from '../../words/words.ts'
import { StateRow } from '../state-row.tsx'
import { WebhookDetail } from './webhook-detail.tsx'
import { WebhookDialog } from './webhook-form.tsx'
import { describeWebhook } from './webhook-labels.ts'
import { WEBHOOKS_KEY } from './webhooks-key.ts'

export function WebhookSettings() {
  const projectId = useProjectId()
  const [parameters, change] = useQueryParameters()
  // An organization has at most 50 webhooks, so one page is enough.
  const query = useQuery({ queryKey: WEBHOOKS_KEY, queryFn: () => octavo.listWebhooks({ limit: 100 }) })
  const webhooks =
    query.data?.webhooks.filter((hook) => hook.projectId === null || hook.projectId === projectId) ?? []
  const chosen = webhooks.find(({ webhookId }) => webhookId === parameters.webhook)
  const here = `/p/${projectId}/settings/webhooks`
  const open = () => change({ new: '1' })
  useEscapeTo(chosen === undefined ? `/p/${projectId}` : here)
  useCommands([{ id: 'webhook-new', label: t('Add a webhook'), icon: 'webhook', keys: 'c', run: open }])
  return (
    <>
      <SplitView
        name="webhooks"
        backHref={here}
        backLabel={t('Webhooks')}
        list={
          <PageBody>
            <div class="mb-4 flex flex-wrap items-center justify-between gap-3">
              <p class="max-w-md text-13 text-soft">
                {t('Send events to your server or chat. Failed deliveries are retried for three days.')}
              </p>
              {webhooks.length > 0 && (
                <Button size="small" icon="plus" onClick={open}>
                  {t('Add a webhook')}
                </Button>
              )}
            </div>
            <Loaded query={query} skeleton={<SkeletonRows count={3} />}>
              {() =>
                webhooks.length === 0 ? (
                  <NoWebhooks onNew={open} />
                ) : (
                  <ol class="border-t border-line" aria-label={t('Webhooks')}>
                    {webhooks.map((hook) => (
                      <StateRow
                        key={hook.webhookId}
                        href={`${here}?webhook=${hook.webhookId}`}
                        isChosen={hook === chosen}
                        state={describeWebhook(hook)}
                        title={hook.url}
                        about={hook.description}
                        isMono
                        end={describeReach(hook)}
                      />
                    ))}
                  </ol>
                )
              }
            </Loaded>
          </PageBody>
        }
        detail={
          chosen === undefined ? null : <WebhookDetail key={chosen.webhookId} hook={chosen} here={here} />
        }
      />
      {parameters.new !== undefined && (
        <WebhookDialog
          projectId={projectId}
          onClose={() => change({ new: undefined }, { replace: true })}
          onMade={(hook) => {
            change({ new: undefined, webhook: hook.webhookId }, { replace: true })
            if (hook.secret !== null) showSecret(hook.secret)
          }}
        />
      )}
    </>
  )
}

function NoWebhooks({ onNew }: { onNew: () => void }) {
  return (
    <EmptyState
      icon="webhook"
      title={t('No webhook yet')}
      actions={
        <Button look="primary" icon="plus" onClick={onNew}>
          {t('Add a webhook')}
        </Button>
      }
    >
      <p>
        {t(
          'Enter an https URL and choose its events: new feedback, finished agent jobs and exports, published versions. A ticket system, a build or a chat can act on them.',
        )}
      </p>
    </EmptyState>
  )
}

function describeReach({ projectId, events }: Webhook): string {
  const count = plural(events.length, '{count} event', '{count} events')
  return `${projectId === null ? t('all projects') : t('this project')} · ${count}`
}

/** Shows the secret, which is stored nowhere else. */
function showSecret(secret: string): void {
  showOnce({
    title: t('The signing secret'),
    about: t(
      'Shown only once: your server needs it to verify that a message is from Octavo. If you lose it, delete the webhook and create a new one.',
    ),
    done: t('I have saved it'),
    content: (
      <>
        <CopyField label={t('Signing secret')} text={secret} />
        <p class="mt-3 text-13 text-soft">
          {rich(
            'Messages are signed as described by Standard Webhooks, in the headers {id}, {timestamp} and {signature}.',
            {
              id: <code class="font-mono">webhook-id</code>,
              timestamp: <code class="font-mono">webhook-timestamp</code>,
              signature: <code class="font-mono">webhook-signature</code>,
            },
          )}
        </p>
      </>
    ),
  })
}
