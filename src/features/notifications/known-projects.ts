/** Projects about which an organization is notified: its own projects, and projects currently offered to it. */
import { OFFERED_KINDS } from './operations/notification-kinds.ts'

/**
 * Returns an SQL condition that is true if the project in `projects` belongs to the organization of `row`, or is
 * offered to it and the kind of `row` is about offers. `row` must have an organization and a kind.
 */
export function knownProjectCondition(row: 'event' | 'notifications'): string {
  const kinds = OFFERED_KINDS.map((kind) => `'${kind}'`).join(', ')
  return `(projects.organization_id = ${row}.organization_id OR ${row}.kind IN (${kinds}) AND EXISTS (
    SELECT FROM project_transfers AS offer WHERE offer.project_id = projects.id
      AND offer.to_organization_id = ${row}.organization_id AND offer.organization_id = projects.organization_id
      AND offer.expires_at > clock_timestamp()))`
}
