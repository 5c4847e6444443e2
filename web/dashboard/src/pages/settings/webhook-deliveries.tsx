/** Delivery log: requests, responses, and redelivery of one or all failed deliveries. */

import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import type {
  DeliveryStatus,
  Webhook,
  WebhookDelivery,
} from '../../../../../src/features/webhooks/operations/webhooks.ts'
import { internalQuery } from '../../api/internal.ts'
import { octavo } from '../../api/octavo.ts'
import { ActionButton } from '../../app/action.tsx'
import { useQueryParameters } from '../../app/query-parameters.ts'
import { toast } from '../../app/toasts.ts'
import { StatusDot } from '../../ui/badge.tsx'
import { SegmentedControl } from '../../ui/choice.tsx'
import { CodeBlock } from '../../ui/code-block.tsx'
import { CopyId } from '../../ui/copy.tsx'
import { Icon } from '../../ui/icon.tsx'
import { MoreButton } from '../../ui/more-button.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import { Loaded, Skeleton, SkeletonRows } from '../../ui/states.tsx'
import { RelativeTime } from '../../ui/time.tsx'
import { plural, rich, t } from '../../words/words.ts'
import { describeDelivery, formatPayload } from './webhook-labels.ts'

const PENDING_POLL_INTERVAL_MS = 1500
const IDLE_POLL_INTERVAL_MS = 15_000

const FILTERS = [
  { value: 'all', label: t('All') },
  { value: 'pending', label: t('Waiting') },
  { value: 'delivered', label: t('Delivered') },
  { value: 'dead', label: t('Dead') },
] as const

const EMPTY_TEXTS = {
  all: t('Nothing has been sent yet. A test shows whether deliveries arrive.'),
  pending: t('No deliveries with this status.'),
  delivered: t('No deliveries with this status.'),
  dead: t('No failed deliveries.'),
}

export function WebhookDeliveries({ hook }: { hook: Webhook }) {
  const [parameters, change] = useQueryParameters()
  const status = (['pending', 'delivered', 'dead'] as const).find((one) => one === parameters.status)
  const pages = useDeliveries(hook.webhookId, status)
  const deliveries = pages.data?.pages.flatMap((page) => page.deliveries) ?? []
  const hasDead = deliveries.some((one) => one.status === 'dead')
  return (
    <>
      <div class="mb-3 flex flex-wrap items-center justify-between gap-3">
        <SegmentedControl
          label={t('Show')}
          choices={FILTERS}
          value={status ?? 'all'}
          onChange={(next) => change({ status: next === 'all' ? undefined : next }, { replace: true })}
        />
        {hasDead && hook.enabled && (
          <ActionButton
            icon="rotate-ccw"
            run={() => octavo.replayWebhook(hook.webhookId)}
            done={(answer) => toast({ kind: 'done', title: replayedMessage(answer) })}
            {...REPLAY_ACTION}
          >
            {t('Replay all dead')}
          </ActionButton>
        )}
      </div>
      <Loaded query={pages} skeleton={<SkeletonRows count={4} />} isSmall>
        {() =>
          deliveries.length === 0 ? (
            <p class="border-y border-line py-6 text-center text-13 text-soft">
              {EMPTY_TEXTS[status ?? 'all']}
            </p>
          ) : (
            <ol class="border-t border-line" aria-label={t('Deliveries')}>
              {deliveries.map((delivery) => (
                <DeliveryRow
                  key={delivery.deliveryId}
                  delivery={delivery}
                  hook={hook}
                  isOpen={parameters.delivery === delivery.deliveryId}
                  onOpen={(isOpen) =>
                    change({ delivery: isOpen ? delivery.deliveryId : undefined }, { replace: true })
                  }
                />
              ))}
            </ol>
          )
        }
      </Loaded>
      <MoreButton pages={pages} label={t('Show older ones')} />
    </>
  )
}

function replayedMessage({ replayed, hasMore }: { replayed: number; hasMore: boolean }): string {
  return hasMore
    ? plural(
        replayed,
        '{count} delivery will be tried again; more are dead, do it once more',
        '{count} deliveries will be retried. More are dead: replay again',
      )
    : plural(replayed, '{count} delivery will be tried again', '{count} deliveries will be retried')
}

function useDeliveries(webhookId: string, status: DeliveryStatus | undefined) {
  return useInfiniteQuery({
    queryKey: ['listWebhookDeliveries', webhookId, status ?? 'all'],
    queryFn: ({ pageParam }: { pageParam: string | null }) =>
      octavo.listWebhookDeliveries(webhookId, {
        ...(status === undefined ? {} : { status }),
        ...(pageParam === null ? {} : { cursor: pageParam }),
      }),
    initialPageParam: null as string | null,
    getNextPageParam: (page: { nextCursor: string | null }) => page.nextCursor,
    refetchInterval: ({ state }) =>
      state.data?.pages.some((page) => page.deliveries.some((one) => one.status === 'pending'))
        ? PENDING_POLL_INTERVAL_MS
        : IDLE_POLL_INTERVAL_MS,
  })
}

const REPLAY_ACTION = {
  failed: t('The delivery was not replayed'),
  refreshes: ['listWebhookDeliveries'],
} as const

function DeliveryRow({
  delivery,
  hook,
  isOpen,
  onOpen,
}: {
  delivery: WebhookDelivery
  hook: Webhook
  isOpen: boolean
  onOpen: (isOpen: boolean) => void
}) {
  return (
    <li class="border-b border-line">
      <button
        type="button"
        aria-expanded={isOpen}
        class="flex min-h-(--row) w-full items-center gap-3 rounded-sm px-2 text-left text-13 max-md:gap-2 outline-offset-[-2px] hover:bg-hover"
        onClick={() => onOpen(!isOpen)}
      >
        <span class="w-28 shrink-0 max-md:w-26">
          <StatusDot {...describeDelivery(delivery)} />
        </span>
        <span class="min-w-0 flex-1 truncate font-mono text-12">
          <PlainText text={delivery.type} />
        </span>
        {delivery.responseStatus !== null && (
          <span class="shrink-0 text-soft tabular-nums">{delivery.responseStatus}</span>
        )}
        <span class="shrink-0 text-12 text-soft">
          <RelativeTime at={delivery.createdAt} isShort />
        </span>
        <Icon name={isOpen ? 'chevron-up' : 'chevron-down'} size={14} class="text-faint" />
      </button>
      {isOpen && <Delivery delivery={delivery} hook={hook} />}
    </li>
  )
}

function Delivery({ delivery, hook }: { delivery: WebhookDelivery; hook: Webhook }) {
  const params = { webhookId: hook.webhookId, deliveryId: delivery.deliveryId }
  const detail = useQuery({
    ...internalQuery('getWebhookDelivery', { params }),
    staleTime: Number.POSITIVE_INFINITY,
  })
  return (
    <div class="space-y-3 px-2 pt-1 pb-4 text-13">
      <div class="flex flex-wrap items-center gap-x-4 gap-y-2 text-soft">
        <span>{plural(delivery.attempts, '{count} try', '{count} attempts')}</span>
        {delivery.lastAttemptAt !== null && (
          <span>{rich('last attempt {when}', { when: <RelativeTime at={delivery.lastAttemptAt} /> })}</span>
        )}
        {delivery.status === 'pending' && delivery.nextAttemptAt !== null && (
          <span>{rich('next attempt {when}', { when: <RelativeTime at={delivery.nextAttemptAt} /> })}</span>
        )}
        <CopyId id={delivery.deliveryId} label={t('Copy the delivery ID')} />
        {delivery.status !== 'pending' && (
          <ActionButton
            icon="rotate-ccw"
            class="ml-auto"
            disabled={!hook.enabled}
            run={() => octavo.replayWebhookDelivery(hook.webhookId, delivery.deliveryId)}
            done={t('The delivery is sent again')}
            {...REPLAY_ACTION}
          >
            {t('Replay')}
          </ActionButton>
        )}
      </div>
      {delivery.error !== null && (
        <p class="break-words text-danger">
          <PlainText text={delivery.error} />
        </p>
      )}
      {delivery.responseExcerpt !== null && delivery.responseExcerpt !== '' && (
        <CodeBlock title={t('Response')} text={delivery.responseExcerpt} />
      )}
      <Loaded query={detail} skeleton={<Skeleton class="h-24 w-full rounded-sm" />} isSmall>
        {({ payload }) => <CodeBlock title={t('Request body')} text={formatPayload(payload)} />}
      </Loaded>
    </div>
  )
}
