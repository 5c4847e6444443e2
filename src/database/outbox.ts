/**
 * The outbox: an event is a row written in the same transaction as the change it reports, so that both exist or
 * neither does. `src/features/webhooks` processes the rows.
 */
import { CompiledQuery, sql } from 'kysely'
import { createId } from '../base/ids.ts'
import type { EventData, EventType } from '../features/webhooks/operations/webhooks.ts'
import type { Tx } from './database.ts'

export type NewEvent = {
  [Type in EventType]: { type: Type; organizationId: string; data: EventData<Type> }
}[EventType]

/** Records an event, unless no enabled endpoint subscribes to it. */
export async function recordEvent(tx: Tx, event: NewEvent): Promise<void> {
  await recordEvents(tx, [event])
}

const INSERT = `
  INSERT INTO webhook_events (id, organization_id, project_id, type, data)
  SELECT event.id, event.organization_id, event.data->>'projectId', event.type, event.data
  FROM jsonb_to_recordset($1::jsonb) AS event(id text, organization_id text, type text, data jsonb)
  WHERE EXISTS (
    SELECT 1 FROM webhook_endpoints AS endpoint
    WHERE endpoint.organization_id = event.organization_id AND endpoint.enabled AND event.type = ANY(endpoint.events)
      AND (endpoint.project_id IS NULL OR endpoint.project_id = event.data->>'projectId')
  )`

/** Runs one statement for any number of events. Thousands are fine; their text is held in memory. */
export async function recordEvents(tx: Tx, events: readonly NewEvent[]): Promise<void> {
  if (events.length === 0) return
  const rows = events.map(({ type, organizationId, data }) => ({
    id: createId('evt'),
    organization_id: organizationId,
    type,
    data,
  }))
  await tx.executeQuery(CompiledQuery.raw(INSERT, [JSON.stringify(rows)]))
}

/**
 * Returns the project's organization if an endpoint subscribes to events of this type, else null, so that callers can
 * skip building the events.
 */
export async function findSubscribedOrganization(
  tx: Tx,
  projectId: string,
  type: EventType,
): Promise<string | null> {
  const row = await tx
    .selectFrom('projects')
    .innerJoin('webhook_endpoints as endpoint', 'endpoint.organization_id', 'projects.organization_id')
    .select('projects.organization_id')
    .where('projects.id', '=', projectId)
    .where('endpoint.enabled', '=', true)
    .where(sql<boolean>`${type} = ANY(endpoint.events)`)
    .where(sql<boolean>`(endpoint.project_id IS NULL OR endpoint.project_id = projects.id)`)
    .limit(1)
    .executeTakeFirst()
  return row?.organization_id ?? null
}
