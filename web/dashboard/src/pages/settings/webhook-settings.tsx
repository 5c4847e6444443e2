/** Webhooks: endpoints, events, delivery results and redelivery. */

import { useQuery } from '@tanstack/react-query'
import { useState } from 'preact/hooks'
import type { CreatedWebhook, Webhook } from '../../../../../src/features/webhooks/operations/webhooks.ts'
import { octavo } from '../../api/octavo.ts'
import { useCommands } from '../../app/commands.ts'
import { useProjectId } from '../../app/current-project.ts'
import { useEscapeTo } from '../../app/frame.tsx'
import { useQueryParameters } from '../../app/query-parameters.ts'
import { StatusDot } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { classes } from '../../ui/classes.ts'
import { CopyField } from '../../ui/copy.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Link } from '../../ui/link.tsx'
import { PageBody } from '../../ui/page.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import { SplitView } from '../../ui/split-view.tsx'
import { EmptyState, Loaded, SkeletonRows } from '../../ui/states.tsx'
import { plural, rich, t } from '../../words/words.ts'
import { WebhookDetail } from './webhook-detail.tsx'
import { WebhookDialog } from './webhook-dialog.tsx'
import { describeWebhook } from './webhook-labels.ts'
import { WEBHOOKS_KEY } from './webhooks-key.ts'

export function WebhookSettings() {
  const projectId = useProjectId()
  const [parameters, change] = useQueryParameters()
  // An organization has at most 50, so one page is enough.
  const query = useQuery({ queryKey: WEBHOOKS_KEY, queryFn: () => octavo.listWebhooks({ limit: 100 }) })
  // Contains a secret that is shown once, so it is not stored anywhere else.
  const [made, setMade] = useState<CreatedWebhook | null>(null)
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
            <Head onNew={webhooks.length > 0 ? open : null} />
            <Loaded query={query} skeleton={<SkeletonRows count={3} />}>
              {() => <WebhookRows webhooks={webhooks} chosen={chosen} here={here} onNew={open} />}
            </Loaded>
          </PageBody>
        }
        detail={
          chosen === undefined ? null : <WebhookDetail key={chosen.webhookId} hook={chosen} here={here} />
        }
      />
      {parameters.new !== undefined && made === null && (
        <WebhookDialog
          projectId={projectId}
          onClose={() => change({ new: undefined }, { replace: true })}
          onMade={(hook) => {
            if (hook.secret !== null) setMade(hook)
            change({ new: undefined, webhook: hook.webhookId }, { replace: true })
          }}
        />
      )}
      {made !== null && made.secret !== null && <Secret secret={made.secret} onClose={() => setMade(null)} />}
    </>
  )
}

/** `onNew` is null when the empty state has the create button. */
function Head({ onNew }: { onNew: (() => void) | null }) {
  return (
    <div class="mb-4 flex flex-wrap items-center justify-between gap-3">
      <p class="max-w-md text-13 text-soft">
        {t('Octavo tells your server or your chat what happens, and retries for three days.')}
      </p>
      {onNew !== null && (
        <Button size="small" icon="plus" onClick={onNew}>
          {t('Add a webhook')}
        </Button>
      )}
    </div>
  )
}

function WebhookRows({
  webhooks,
  chosen,
  here,
  onNew,
}: {
  webhooks: readonly Webhook[]
  chosen: Webhook | undefined
  here: string
  onNew: () => void
}) {
  if (webhooks.length === 0) return <NoWebhooks onNew={onNew} />
  return (
    <ol class="border-t border-line" aria-label={t('Webhooks')}>
      {webhooks.map((hook) => (
        <WebhookRow key={hook.webhookId} hook={hook} here={here} isChosen={hook === chosen} />
      ))}
    </ol>
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
          'Give an https address and choose its events: new feedback, agent jobs and exports that end, versions that go live. A ticket system or a build can act on it, and a chat can show it.',
        )}
      </p>
    </EmptyState>
  )
}

function WebhookRow({ hook, here, isChosen }: { hook: Webhook; here: string; isChosen: boolean }) {
  return (
    <li class="border-b border-line">
      <Link
        look="none"
        href={`${here}?webhook=${hook.webhookId}`}
        aria-current={isChosen ? 'true' : undefined}
        class={classes(
          'flex min-h-(--row) items-center gap-x-3 gap-y-0.5 -mx-2 rounded-sm px-2 py-1.5 outline-offset-[-2px] max-md:flex-wrap max-md:py-2',
          isChosen ? 'bg-selected' : 'hover:bg-hover',
        )}
      >
        <span class="shrink-0 text-13 max-md:order-1 max-md:text-12 md:w-24">
          <StatusDot {...describeWebhook(hook)} />
        </span>
        <span class="min-w-0 flex-1 max-md:basis-full">
          <span class="block truncate font-mono text-13">
            <PlainText text={hook.url} />
          </span>
          {hook.description !== null && (
            <span class="block truncate text-12 text-soft">
              <PlainText text={hook.description} />
            </span>
          )}
        </span>
        <span class="shrink-0 text-12 text-soft max-md:order-2">
          {hook.projectId === null ? t('all projects') : t('this project')} ·{' '}
          {plural(hook.events.length, '{count} event', '{count} events')}
        </span>
      </Link>
    </li>
  )
}

function Secret({ secret, onClose }: { secret: string; onClose: () => void }) {
  return (
    <Dialog
      title={t('The signing secret')}
      about={t(
        'Shown only once: your server needs it to verify that a message is from Octavo. If you lose it, delete the webhook and create a new one.',
      )}
      onClose={onClose}
      actions={
        <Button look="primary" onClick={onClose}>
          {t('I have saved it')}
        </Button>
      }
    >
      <CopyField label={t('Signing secret')} text={secret} />
      <p class="mt-3 text-13 text-soft">
        {rich(
          'Messages are signed by the Standard Webhooks specification, in the headers {id}, {timestamp} and {signature}.',
          {
            id: <code class="font-mono">webhook-id</code>,
            timestamp: <code class="font-mono">webhook-timestamp</code>,
            signature: <code class="font-mono">webhook-signature</code>,
          },
        )}
      </p>
    </Dialog>
  )
}
