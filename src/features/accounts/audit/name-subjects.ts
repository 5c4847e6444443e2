/** What people know things by, for the ids that the audit log keeps of them. */
import { sql } from 'kysely'
import type { Queries } from '../../../database/database.ts'

export interface AuditSubject {
  name: string | null
  projectId: string | null
  projectName: string | null
}

/** Of a title, what stands in a sentence. */
const MOST_CHARACTERS = 200

/** In one round trip; what is gone, or belongs to others, is left out. */
export async function nameSubjects(
  db: Queries,
  organizationId: string,
  subjects: readonly string[],
): Promise<Map<string, AuditSubject>> {
  const ids = [...new Set(subjects)]
  if (ids.length === 0) return new Map()
  const { rows } = await sql<AuditSubject & { id: string }>`
    SELECT known.id, left(known.name, ${MOST_CHARACTERS}) AS name,
      project.id AS "projectId", project.name AS "projectName"
    FROM (
      SELECT id, name, id AS project_id FROM all_projects WHERE id = ANY(${ids}) AND organization_id = ${organizationId}
      UNION ALL SELECT id, name, NULL FROM api_keys WHERE id = ANY(${ids}) AND organization_id = ${organizationId}
      UNION ALL SELECT id, email, NULL FROM invitations WHERE id = ANY(${ids}) AND organization_id = ${organizationId}
      UNION ALL SELECT id, prefix, NULL FROM git_credentials
        WHERE id = ANY(${ids}) AND organization_id = ${organizationId}
      UNION ALL SELECT id, coalesce(title, (
          SELECT split_part(btrim(prompt, E' \\r\\n\\t'), E'\\n', 1) FROM agent_job_prompts
          WHERE job_id = agent_jobs.id ORDER BY number LIMIT 1
        )), project_id FROM agent_jobs
        WHERE id = ANY(${ids}) AND organization_id = ${organizationId}
      UNION ALL SELECT id, name, project_id FROM automations
        WHERE id = ANY(${ids}) AND organization_id = ${organizationId}
      UNION ALL SELECT id, name, project_id FROM code_repositories
        WHERE id = ANY(${ids}) AND organization_id = ${organizationId}
      UNION ALL SELECT id, domain, project_id FROM static_exports
        WHERE id = ANY(${ids}) AND organization_id = ${organizationId}
      UNION ALL SELECT id, NULL, project_id FROM deployments
        WHERE id = ANY(${ids}) AND organization_id = ${organizationId}
      UNION ALL SELECT id, branch, project_id FROM previews
        WHERE id = ANY(${ids}) AND organization_id = ${organizationId}
      UNION ALL SELECT id, url, project_id FROM webhook_endpoints
        WHERE id = ANY(${ids}) AND organization_id = ${organizationId}
      UNION ALL SELECT entry.id, coalesce(entry.comment, entry.path), entry.project_id FROM feedback AS entry
        WHERE entry.id = ANY(${ids})
      UNION ALL SELECT view.id, view.name, view.project_id FROM feedback_views AS view WHERE view.id = ANY(${ids})
      UNION ALL SELECT label.id, label.name, label.project_id FROM feedback_labels AS label WHERE label.id = ANY(${ids})
      UNION ALL SELECT person.id, person.name, NULL FROM users AS person
        JOIN members AS member ON member.user_id = person.id AND member.organization_id = ${organizationId}
        WHERE person.id = ANY(${ids})
    ) AS known (id, name, project_id)
    LEFT JOIN all_projects AS project ON project.id = known.project_id AND project.organization_id = ${organizationId}
    WHERE known.project_id IS NULL OR project.id IS NOT NULL`.execute(db)
  return new Map(rows.map(({ id, ...subject }) => [id, subject]))
}
