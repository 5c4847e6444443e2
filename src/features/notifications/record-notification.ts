/** Records an event that people are notified of, in the transaction of its cause: both are committed, or neither. */
import { CompiledQuery } from 'kysely'
import { createId } from '../../base/ids.ts'
import { storableText } from '../../base/text/storable.ts'
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
  /** That is told; left out: the one that the project is of. Nobody is when there is none of that id. */
  organizationId?: string
  /** Id of the thing that it is about. */
  subject: string
  /** Whose it is: a member, or a key, which is its maker's. Anything else, and null, is nobody's: all are told who may be. */
  owner?: string | null
  facts?: NotificationFacts
  /** Nothing is told when the same was told of the same thing so short ago; the caller holds what makes it one at a time. */
  onceInHours?: number
}

const TEXT_LENGTH = 200

// The view leaves deleted projects out: nobody is told of them. An event that no webhook takes is not kept.
const INSERT = `
  WITH project AS (
    SELECT projects.id, organizations.id AS organization_id, projects.name
    FROM projects JOIN organizations ON organizations.id = coalesce($11, projects.organization_id)
    WHERE projects.id = $2 AND NOT EXISTS (
      SELECT FROM notification_events AS earlier
      WHERE earlier.project_id = $2 AND earlier.kind = $3 AND earlier.subject = $4
        AND earlier.created_at > clock_timestamp() - make_interval(hours => $7))
  ), told AS (
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
  const told = cut({ ...facts, ...(facts.reason !== undefined && { reason: sentenceOf(facts.reason) }) })
  const text = notificationText({ kind, facts: told, count: 1 })
  const path = notificationPath({ kind, organizationId: '{organizationId}', projectId, subject, count: 1 })
  const values = [createId('nev'), projectId, kind, subject, JSON.stringify(told), owner, onceInHours]
  await tx.executeQuery(
    CompiledQuery.raw(INSERT, [...values, createId('evt'), text, path, organizationId ?? null]),
  )
}

/** A reason may list what is wrong, line by line, behind its sentence: the thing itself shows that. */
function sentenceOf(reason: string): string {
  return reason.split('\n', 1).join('')
}

/** In one line each, and short: a model or a reader may have written them. */
function cut(facts: NotificationFacts): NotificationFacts {
  return Object.fromEntries(
    Object.entries(facts).map(([name, value]) => [name, typeof value === 'string' ? cutText(value) : value]),
  )
}

function cutText(text: string): string {
  const line = storableText(text.slice(0, TEXT_LENGTH * 4))
    .replace(/[\s\p{Cc}\p{Cf}]+/gu, ' ')
    .trim()
  const letters = [...line]
  return letters.length <= TEXT_LENGTH ? line : `${letters.slice(0, TEXT_LENGTH - 1).join('')}…`
}
