/** Labels for events and deliveries of webhooks. */

import {
  NOTIFICATION_KINDS,
  SHARED_KINDS,
  type SharedKind,
} from '../../../../../src/features/notifications/operations/notification-kinds.ts'
import type {
  DeliveryStatus,
  EventType,
  Webhook,
  WebhookDelivery,
  WebhookFormat,
} from '../../../../../src/features/webhooks/operations/webhooks.ts'
import type { Tone } from '../../ui/badge.tsx'
import { t, translateMessage } from '../../words/words.ts'

const NOTIFICATION_LABELS = Object.fromEntries(
  SHARED_KINDS.map((kind) => [`notification.${kind}`, translateMessage(NOTIFICATION_KINDS[kind].label)]),
) as Record<`notification.${SharedKind}`, string>

export const EVENT_LABELS: Record<EventType, string> = {
  'feedback.created': t('New feedback from a reader or an agent'),
  'feedback.updated': t('Feedback changed status'),
  'agent_job.completed': t('An agent job finished'),
  'agent_job.failed': t('An agent job failed'),
  'static_export.completed': t('A bundle is ready'),
  'static_export.failed': t('An export failed'),
  'deployment.published': t('A version of the site went live'),
  ...NOTIFICATION_LABELS,
}
const EVENTS = Object.keys(EVENT_LABELS) as EventType[]
const isNotification = (type: EventType) => type.startsWith('notification.')

/** Notification events that duplicate a regular event. */
const DUPLICATE_EVENTS: readonly EventType[] = [
  'notification.job_failed',
  'notification.export_ready',
  'notification.export_failed',
]

/** Events supported by each format, followed by the default selection. */
export const EVENTS_BY_FORMAT: Record<WebhookFormat, readonly EventType[]> = {
  events: EVENTS,
  slack: EVENTS.filter(isNotification),
}
export const DEFAULT_EVENTS_BY_FORMAT: Record<WebhookFormat, readonly EventType[]> = {
  events: EVENTS.filter((type) => !isNotification(type)),
  slack: EVENTS_BY_FORMAT.slack,
}

const GROUPS = {
  'feedback.': t('Feedback'),
  'agent_job.': t('Agent jobs'),
  'static_export.': t('Exports'),
  'deployment.': t('Site'),
  'notification.': t('Notifications'),
} as const

/**
 * Returns the non-empty groups of events in display order. Duplicate events are only offered when they were already
 * selected through the API.
 */
export function groupEvents(
  format: WebhookFormat,
  chosen: readonly EventType[],
): { title: string; events: EventType[] }[] {
  const offered = EVENTS_BY_FORMAT[format].filter(
    (type) => format !== 'events' || !DUPLICATE_EVENTS.includes(type) || chosen.includes(type),
  )
  return Object.entries(GROUPS).flatMap(([prefix, title]) => {
    const events = offered.filter((type) => type.startsWith(prefix))
    return events.length === 0 ? [] : [{ title, events }]
  })
}

const DELIVERY_LABELS: Record<DeliveryStatus, { label: string; tone: Tone; isLive?: boolean }> = {
  pending: { label: t('Waiting'), tone: 'accent', isLive: true },
  delivered: { label: t('Delivered'), tone: 'success' },
  dead: { label: t('Dead'), tone: 'danger' },
}

export function describeDelivery({ status, attempts }: Pick<WebhookDelivery, 'status' | 'attempts'>) {
  if (status === 'pending' && attempts > 0)
    return { label: t('Trying again'), tone: 'warning' as const, isLive: true }
  return DELIVERY_LABELS[status]
}

export function describeWebhook({ enabled, disabledReason, failures }: Webhook): {
  label: string
  tone: Tone
} {
  if (!enabled)
    return {
      label: disabledReason === null ? t('Off') : t('Switched off'),
      tone: disabledReason === null ? 'neutral' : 'danger',
    }
  return failures > 0 ? { label: t('Failing'), tone: 'warning' } : { label: t('On'), tone: 'success' }
}

export function formatPayload(payload: string): string {
  try {
    return JSON.stringify(JSON.parse(payload), null, 2)
  } catch {
    return payload
  }
}
