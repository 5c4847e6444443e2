/**
 * All tables with data of a project, in order of deletion: referencing rows before referenced rows.
 * tests/storage/project-data.test.ts compares the list with the database catalog.
 */

export interface ProjectTableData {
  table: string
  /** Condition for the rows of the project with id `$1`. */
  where: string
}

const JOB_CONDITION = 'job_id IN (SELECT id FROM agent_jobs WHERE project_id = $1)'
const AUTOMATION_CONDITION = 'automation_id IN (SELECT id FROM automations WHERE project_id = $1)'
const BY_ID = 'project_id = $1'

export const PROJECT_DATA = [
  // Stored responses to repeated requests, whose paths contain the project id.
  { table: 'idempotent_answers', where: "position('/' || $1 || '/' IN path || '/') > 0" },
  { table: 'project_transfers', where: BY_ID },
  { table: 'feedback_changes', where: 'feedback_id IN (SELECT id FROM feedback WHERE project_id = $1)' },
  { table: 'feedback', where: BY_ID },
  { table: 'feedback_views', where: BY_ID },
  { table: 'feedback_labels', where: BY_ID },
  { table: 'agent_job_questions', where: JOB_CONDITION },
  { table: 'agent_job_comments', where: JOB_CONDITION },
  { table: 'agent_job_feedback', where: JOB_CONDITION },
  { table: 'agent_job_events', where: JOB_CONDITION },
  { table: 'agent_job_changes', where: JOB_CONDITION },
  { table: 'agent_job_messages', where: JOB_CONDITION },
  { table: 'agent_job_prompts', where: JOB_CONDITION },
  { table: 'automation_seen', where: AUTOMATION_CONDITION },
  { table: 'automation_runs', where: AUTOMATION_CONDITION },
  { table: 'agent_jobs', where: BY_ID },
  { table: 'automations', where: BY_ID },
  { table: 'statement_confirmations', where: BY_ID },
  { table: 'statement_alarms', where: BY_ID },
  { table: 'statements', where: BY_ID },
  { table: 'statement_checks', where: BY_ID },
  { table: 'code_repositories', where: BY_ID },
  { table: 'commit_keys', where: BY_ID },
  { table: 'static_exports', where: BY_ID },
  { table: 'published_sites', where: BY_ID },
  { table: 'site_problems', where: 'deployment_id IN (SELECT id FROM deployments WHERE project_id = $1)' },
  { table: 'deployments', where: BY_ID },
  { table: 'previews', where: BY_ID },
  {
    table: 'webhook_deliveries',
    where: `endpoint_id IN (SELECT id FROM webhook_endpoints WHERE project_id = $1)
      OR event_id IN (SELECT id FROM webhook_events WHERE project_id = $1)`,
  },
  { table: 'webhook_endpoints', where: BY_ID },
  { table: 'webhook_events', where: BY_ID },
  { table: 'notifications', where: BY_ID },
  { table: 'notification_events', where: BY_ID },
  { table: 'notification_choices', where: BY_ID },
  { table: 'feedback_rates', where: BY_ID },
  {
    table: 'assistant_passages',
    where: 'corpus_id IN (SELECT id FROM assistant_corpora WHERE project_id = $1)',
  },
  { table: 'assistant_corpora', where: BY_ID },
  { table: 'assistant_questions', where: BY_ID },
  { table: 'assistant_months', where: BY_ID },
  { table: 'analytics_inbox', where: BY_ID },
  { table: 'analytics_set_aside', where: BY_ID },
  { table: 'analytics_events', where: BY_ID },
  { table: 'analytics_visitors', where: BY_ID },
  { table: 'analytics_counts', where: BY_ID },
  { table: 'project_publishing', where: BY_ID },
  { table: 'site_passes', where: BY_ID },
  { table: 'site_access', where: BY_ID },
  { table: 'project_domains', where: BY_ID },
  { table: 'all_projects', where: 'id = $1' },
] as const satisfies readonly ProjectTableData[]
export type ProjectTable = (typeof PROJECT_DATA)[number]['table']
