/** Records an event about which users are notified, in the transaction that causes the event. */
import { CompiledQuery } from 'kysely'
import { createId } from '../../base/ids.ts'
import { toStorableText } from '../../base/text/storable.ts'
import type { Tx } from '../../database/database.ts'
import {
  type NotificationFacts,
  type NotificationKind,
  notificationPath,
  notificationText,
} from './operations/notification-kinds.ts'

export interface NewNotification {
  kind: NotificationKind
  projectId: string
  /** Organization to notify. Defaults to the project's organization. An unknown id notifies nobody. */
  organizationId?: string
  subject: string
  /**
   * Owner of the event: a member, or a key on behalf of its creator. Any other value, including null, means that
   * all users with the permission are notified.
   */
  owner?: string | null
  facts?: NotificationFacts
  /**
   * Skips the event if the same kind was recorded for the same subject within this number of hours. The caller
   * must hold a lock that serializes such calls.
   */
  onceInHours?: number
}

const MAX_FACT_CHARACTERS = 200

// The view excludes deleted projects, so they cause no notifications. The webhook event is stored only if an
// endpoint is subscribed to it.
const INSERT = `
  WITH project AS (
    SELECT projects.id, organizations.id AS organization_id, projects.name
    FROM projects JOIN organizations ON organizations.id = coalesce($11, projects.organization_id)
    WHERE projects.id = $2 AND NOT EXISTS (
      SELECT FROM notification_events AS earlier
      WHERE earlier.project_id = $2 AND earlier.kind = $3 AND earlier.subject = $4
        AND earlier.created_at > clock_timestamp() - make_interval(hours => $7))
  ), event AS (
    INSERT INTO notification_events (id, organization_id, project_id, kind, subject, facts, owner_id)
    SELECT $1, organization_id, id, $3, $4, $5::jsonb,
      CASE WHEN $6 LIKE 'usr\\_%' THEN $6 ELSE (SELECT maker_id FROM api_keys WHERE api_keys.id = $6) END
    FROM project
  )
  INSERT INTO webhook_events (id, organization_id, project_id, type, data)
  SELECT $8, organization_id, id, 'notification.' || $3, jsonb_build_object('projectId', id,
    'notification', jsonb_build_object('kind', $3::text, 'projectName', name, 'text', $9::text, 'path', replace($10::text, '{organizationId}', organization_id)))
  FROM project
  WHERE EXISTS (
    SELECT FROM webhook_endpoints AS endpoint
    WHERE endpoint.organization_id = project.organization_id AND endpoint.enabled
      AND 'notification.' || $3 = ANY(endpoint.events)
      AND (endpoint.project_id IS NULL OR endpoint.project_id = project.id))`

export async function recordNotification(
  tx: Tx,
  { kind, projectId, organizationId, subject, owner = null, facts = {}, onceInHours = 0 }: NewNotification,
): Promise<void> {
  const storedFacts = shortenFacts({
    ...facts,
    ...(facts.reason !== undefined && { reason: firstSentence(facts.reason) }),
  })
  const text = notificationText({ kind, facts: storedFacts, count: 1 })
  const path = notificationPath({ kind, organizationId: '{organizationId}', projectId, subject, count: 1 })
  const values = [createId('nev'), projectId, kind, subject, JSON.stringify(storedFacts), owner, onceInHours]
  await tx.executeQuery(
    CompiledQuery.raw(INSERT, [...values, createId('evt'), text, path, organizationId ?? null]),
  )
}

/** Returns only the first line, because further lines list details that are shown with the object. */
function firstSentence(reason: string): string {
  return reason.split('\n', 1).join('')
}

/** Shortens each value to one line, because models and readers can write any text. */
function shortenFacts(facts: NotificationFacts): NotificationFacts {
  return Object.fromEntries(
    Object.entries(facts).map(([name, value]) => [
      name,
      typeof value === 'string' ? shortenText(value) : value,
    ]),
  )
}

function shortenText(text: string): string {
  const line = toStorableText(text.slice(0, MAX_FACT_CHARACTERS * 4))
    .replace(/[\s\p{Cc}\p{Cf}]+/gu, ' ')
    .trim()
  const letters = [...line]
  return letters.length <= MAX_FACT_CHARACTERS
    ? line
    : `${letters.slice(0, MAX_FACT_CHARACTERS - 1).join('')}…`
}
