/** Links from a deployment to its commit on the forge and to the site. */
import type { Queries } from '../../../database/database.ts'
import { commitUrl } from '../../../git/source-lines.ts'
import { siteOrigin } from '../serve/site-origin.ts'

export async function deploymentLinks(
  { publicUrl }: { publicUrl: () => string },
  queries: Queries,
  { organizationId, projectId }: { organizationId: string; projectId: string },
  revision: string | null,
): Promise<{ url: string | null; commitUrl: string | null }> {
  const project = await queries
    .selectFrom('projects')
    .leftJoin('served_domains', 'served_domains.project_id', 'projects.id')
    .select(['source_kind', 'repository', 'served_domains.domain'])
    .where('projects.id', '=', projectId)
    .where('organization_id', '=', organizationId)
    .orderBy('served_domains.position')
    .orderBy('served_domains.domain')
    .limit(1)
    .executeTakeFirstOrThrow()
  return {
    url: project.domain === null ? null : siteOrigin(publicUrl(), project.domain),
    commitUrl: commitUrl(project, revision),
  }
}
