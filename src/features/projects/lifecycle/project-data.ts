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
const PROJECT_ID_CONDITION = 'project_id = $1'

export const PROJECT_DATA = [
  // Stored responses to repeated requests, whose paths contain the project id.
  { table: 'idempotent_answers', where: "position('/' || $1 || '/' IN path || '/') > 0" },
  { table: 'project_transfers', where: PROJECT_ID_CONDITION },
  { table: 'feedback_changes', where: 'feedback_id IN (SELECT id FROM feedback WHERE project_id = $1)' },
  { table: 'feedback', where: PROJECT_ID_CONDITION },
  { table: 'feedback_views', where: PROJECT_ID_CONDITION },
  { table: 'feedback_labels', where: PROJECT_ID_CONDITION },
  { table: 'agent_job_questions', where: JOB_CONDITION },
  { table: 'agent_job_comments', where: JOB_CONDITION },
  { table: 'agent_job_feedback', where: JOB_CONDITION },
  { table: 'agent_job_events', where: JOB_CONDITION },
  { table: 'agent_job_changes', where: JOB_CONDITION },
  { table: 'agent_job_messages', where: JOB_CONDITION },
  { table: 'agent_job_prompts', where: JOB_CONDITION },
  { table: 'automation_seen', where: AUTOMATION_CONDITION },
  { table: 'automation_runs', where: AUTOMATION_CONDITION },
  { table: 'agent_jobs', where: PROJECT_ID_CONDITION },
  { table: 'automations', where: PROJECT_ID_CONDITION },
  { table: 'statement_confirmations', where: PROJECT_ID_CONDITION },
  { table: 'statement_alarms', where: PROJECT_ID_CONDITION },
  { table: 'statements', where: PROJECT_ID_CONDITION },
  { table: 'statement_checks', where: PROJECT_ID_CONDITION },
  { table: 'code_repositories', where: PROJECT_ID_CONDITION },
  { table: 'commit_keys', where: PROJECT_ID_CONDITION },
  { table: 'static_exports', where: PROJECT_ID_CONDITION },
  { table: 'published_sites', where: PROJECT_ID_CONDITION },
  { table: 'site_problems', where: 'deployment_id IN (SELECT id FROM deployments WHERE project_id = $1)' },
  { table: 'deployments', where: PROJECT_ID_CONDITION },
  { table: 'previews', where: PROJECT_ID_CONDITION },
  {
    table: 'webhook_deliveries',
    where: `endpoint_id IN (SELECT id FROM webhook_endpoints WHERE project_id = $1)
      OR event_id IN (SELECT id FROM webhook_events WHERE project_id = $1)`,
  },
  { table: 'webhook_endpoints', where: PROJECT_ID_CONDITION },
  { table: 'webhook_events', where: PROJECT_ID_CONDITION },
  { table: 'notifications', where: PROJECT_ID_CONDITION },
  { table: 'notification_events', where: PROJECT_ID_CONDITION },
  { table: 'notification_choices', where: PROJECT_ID_CONDITION },
  { table: 'feedback_rates', where: PROJECT_ID_CONDITION },
  {
    table: 'assistant_passages',
    where: 'corpus_id IN (SELECT id FROM assistant_corpora WHERE project_id = $1)',
  },
  { table: 'assistant_corpora', where: PROJECT_ID_CONDITION },
  { table: 'assistant_questions', where: PROJECT_ID_CONDITION },
  { table: 'assistant_months', where: PROJECT_ID_CONDITION },
  { table: 'analytics_inbox', where: PROJECT_ID_CONDITION },
  { table: 'analytics_set_aside', where: PROJECT_ID_CONDITION },
  { table: 'analytics_events', where: PROJECT_ID_CONDITION },
  { table: 'analytics_visitors', where: PROJECT_ID_CONDITION },
  { table: 'analytics_counts', where: PROJECT_ID_CONDITION },
  { table: 'project_publishing', where: PROJECT_ID_CONDITION },
  { table: 'site_passes', where: PROJECT_ID_CONDITION },
  { table: 'site_access', where: PROJECT_ID_CONDITION },
  { table: 'project_domains', where: PROJECT_ID_CONDITION },
  { table: 'all_projects', where: 'id = $1' },
] as const satisfies readonly ProjectTableData[]
export type ProjectTable = (typeof PROJECT_DATA)[number]['table']
