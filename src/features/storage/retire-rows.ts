/** The first half of a sweep: rows whose time is over. Each step ends by itself and begins again where it was ended. */

import type { Retention } from '../../base/api/retention.ts'
import { SYSTEM_ACTOR } from '../../database/audit.ts'
import type { Database } from '../../database/database.ts'
import { pruneAudit } from '../accounts/audit/audit-chain.ts'
import { retireAgentWork } from '../agent/retire-work.ts'
import { retireAnalytics } from '../analytics/retire-analytics.ts'
import { retireQuestions } from '../assistant/retire-questions.ts'
import { retireRuns } from '../automations/retire-runs.ts'
import { retireVersions } from '../hosting/deploy/retire-versions.ts'
import { retireMails } from '../notifications/mail/retire-mails.ts'
import { retireNotifications } from '../notifications/retire-notifications.ts'
import { retireOffers } from '../projects/lifecycle/project-transfers.ts'
import { type PurgeDeps, purgeProjects } from '../projects/lifecycle/purge-projects.ts'
import { clearWebhooks } from '../webhooks/clear-away.ts'

export async function retireRows(
  { database, objects, retention }: PurgeDeps & { retention: Retention },
  signal: AbortSignal,
): Promise<void> {
  await purgeProjects({ database, objects }, signal)
  await retireOffers(database.queries)
  await retireAgentWork(database, retention, signal)
  await retireRuns(database.queries, retention)
  await retireVersions(database.queries, retention)
  await clearWebhooks(database.queries, retention)
  await retireAnalytics(database.queries, retention)
  await retireQuestions(database.queries, retention)
  await retireNotifications(database.queries, retention)
  await retireMails(database.queries, retention)
  await retireAudit(database, retention, signal)
}

async function retireAudit(database: Database, retention: Retention, signal: AbortSignal): Promise<void> {
  const organizations = await database.queries
    .selectFrom('organizations')
    .select(['id', 'retention'])
    .execute()
  for (const { id: organizationId, retention: chosen } of organizations) {
    signal.throwIfAborted()
    const days = chosen.audit ?? retention.audit
    if (days === 0) continue
    const before = new Date(Date.now() - days * 86_400_000)
    await database.transaction((tx) => pruneAudit(tx, { organizationId, before, actor: SYSTEM_ACTOR }))
  }
}
