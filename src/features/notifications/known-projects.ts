/** Which projects an organization is told of: its own, and those that are offered to it while the offer is open. */
import { OFFERED_KINDS } from './operations/notification-kinds.ts'

/** A condition in SQL on `projects` and on `row`, an event or a line, which has organization, project and kind. */
export function isKnown(row: 'event' | 'notifications'): string {
  const kinds = OFFERED_KINDS.map((kind) => `'${kind}'`).join(', ')
  return `(projects.organization_id = ${row}.organization_id OR ${row}.kind IN (${kinds}) AND EXISTS (
    SELECT FROM project_transfers AS offer WHERE offer.project_id = projects.id
      AND offer.to_organization_id = ${row}.organization_id AND offer.organization_id = projects.organization_id
      AND offer.expires_at > clock_timestamp()))`
}
