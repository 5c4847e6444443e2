/** Adds a row for a project to every table that holds project data. */
import { openObjectCache } from '../../src/objects/object-cache.ts'
import { putEntry } from '../../src/render/cache/entries.ts'
import type { SceneProject, StorageScene } from './storage-scene.ts'
import { someArchive } from './storage-scene.ts'

const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10)
const TODAY = dayOf(Date.now())
const TOMORROW = dayOf(Date.now() + 86_400_000)

/** Returns the ids of what it creates. */
export async function fillProject(scene: StorageScene, project: SceneProject, text: string) {
  const { pool, queries } = scene.database
  const { organizationId, projectId } = project
  await scene.addExport(project, someArchive())
  await putEntry(openObjectCache(scene.objects, projectId), text, [text])
  await scene.publish(project, { 'index.html': `before ${text}`, 'shared.html': 'of all projects' })
  const deploymentId = await scene.publish(project, { 'index.html': text, 'shared.html': 'of all projects' })
  const jobId = await scene.addAgentJob(project, { 'index.html': `job ${text}` })
  const feedbackId = `fb_${text}`
  await pool.query(
    `INSERT INTO feedback (id, project_id, source, path, helpful, comment, contact, created_at)
     VALUES ($1, $2, 'contextual', '/', false, 'Too short.', 'Ada@Example.com', '2020-05-01')`,
    [feedbackId, projectId],
  )
  const corpus = await pool.query<{ id: string }>(
    `INSERT INTO assistant_corpora (project_id, place, started_at, passages) VALUES ($1, 'hosted', now(), 1) RETURNING id`,
    [projectId],
  )
  await pool.query(
    `INSERT INTO users (id, name, email) VALUES ('usr_x', 'Ada', 'ada@example.com') ON CONFLICT DO NOTHING`,
  )
  await pool.query(
    `INSERT INTO members (organization_id, user_id, role) VALUES ($1, 'usr_x', 'owner') ON CONFLICT DO NOTHING`,
    [organizationId],
  )
  const endpointId = `whk_${text}`
  const eventId = `evt_${text}`
  await pool.query(
    `INSERT INTO webhook_endpoints (id, organization_id, project_id, url, secret, events)
     VALUES ($1, $2, $3, 'https://example.com', 'x', '{feedback.created}')`,
    [endpointId, organizationId, projectId],
  )
  await pool.query(
    `INSERT INTO webhook_events (id, organization_id, project_id, type, data)
     VALUES ($1, $2, $3, 'feedback.created', jsonb_build_object('feedback', jsonb_build_object('id', $4::text)))`,
    [eventId, organizationId, projectId, feedbackId],
  )
  for (const day of [TODAY, TOMORROW])
    for (const [table, type] of [
      ['analytics_events', 'T00:00:00Z'],
      ['analytics_visitors', ''],
    ] as const) {
      const next = dayOf(Date.parse(day) + 86_400_000)
      await pool.query(
        `CREATE TABLE IF NOT EXISTS ${table}_${day.replaceAll('-', '')} PARTITION OF ${table}
         FOR VALUES FROM ('${day}${type}') TO ('${next}${type}')`,
      )
    }
  const rows: Record<string, [columns: string, values: string]> = {
    feedback_changes: ['feedback_id, actor, note', `'${feedbackId}', 'cli', 'seen'`],
    project_transfers: [
      'id, project_id, organization_id, to_organization_id, offered_by, expires_at',
      `'ptr_${text}', $1, '${organizationId}', 'org_x', 'usr_x', now() + interval '1 day'`,
    ],
    feedback_views: ['id, project_id, user_id, name, query', `'view_${text}', $1, 'usr_x', 'mine', ''`],
    feedback_labels: ['id, project_id, name, colour', `'lbl_${text}', $1, 'typo', 'blue'`],
    agent_job_questions: ['job_id, question_id', `'${jobId}', 'ask_${text}'`],
    agent_job_comments: [
      'job_id, request_id, comment_id, number, author, text',
      `'${jobId}', '1', '1', 1, 'Ada', 'Why?'`,
    ],
    agent_job_feedback: ['job_id, feedback_id', `'${jobId}', '${feedbackId}'`],
    agent_job_events: ['job_id, number, type, data', `'${jobId}', 1, 'job', '{}'`],
    agent_job_changes: ['job_id, path, content', `'${jobId}', 'index.mdx', '# Hello'`],
    agent_job_prompts: [
      'job_id, number, prompt, feedback',
      `'${jobId}', 1, 'Mend it.', jsonb_build_array(jsonb_build_object('id', '${feedbackId}'), jsonb_build_object('id', 'fb_other'))`,
    ],
    site_problems: [
      'deployment_id, number, file, code, level, message, remedy',
      `'${deploymentId}', 1, 'index.mdx', 'x', 'hint', 'x', 'x'`,
    ],
    notification_events: [
      'id, organization_id, project_id, kind, subject, facts',
      `'nev_${text}', '${organizationId}', $1, 'export_ready', 'x', '{}'`,
    ],
    notifications: [
      'id, organization_id, user_id, project_id, kind, subject, facts, count, updated_at',
      `'ntf_${text}', '${organizationId}', 'usr_x', $1, 'export_ready', 'x', '{}', 1, now()`,
    ],
    notification_choices: [
      'organization_id, user_id, project_id, kind, level',
      `'${organizationId}', 'usr_x', $1, 'export_ready', 'off'`,
    ],
    feedback_rates: ['project_id, measured_at', '$1, now()'],
    webhook_deliveries: ['endpoint_id, event_id, give_up_at', `'${endpointId}', '${eventId}', now()`],
    assistant_passages: [
      'corpus_id, hash, path, title, heading, language, body, terms',
      `${corpus.rows[0]?.id}, 'x', '/', 'x', 'x', 'en', 'x', ''`,
    ],
    assistant_questions: ['id, project_id, thread_id, question', `'ask_${text}', $1, 'x', 'How?'`],
    assistant_months: ['project_id, month', `$1, '2026-11-01'`],
    analytics_inbox: ['project_id, events', `$1, '[]'`],
    analytics_set_aside: ['id, project_id, events, reason', `(random() * 1e12)::bigint, $1, '[]', 'x'`],
    analytics_events: [
      'project_id, at, kind, audience, path',
      `$1, '${TODAY}T10:00:00Z', 'view', 'human', '/'`,
    ],
    analytics_visitors: ['day, project_id, path, visitor', `'${TODAY}', $1, '/', 'x'`],
    analytics_counts: [
      'project_id, dimension, period, starts_at, key, page',
      `$1, 'views', 'day', '${TODAY}', '/', ''`,
    ],
    project_publishing: ['project_id, follows', `$1, false`],
    previews: [
      'id, organization_id, project_id, ref, branch, label, expires_at',
      `'pv_${text}', '${organizationId}', $1, 'refs/heads/next', 'next', '${text}', now() + interval '1 day'`,
    ],
    site_access: ['project_id, is_private', `$1, true`],
    site_passes: [
      'id, project_id, kind, name, expires_at',
      `'pass_${text}', $1, 'link', 'x', now() + interval '1 day'`,
    ],
    project_domains: ['project_id, domain, state', `$1, '${text}.example.com', 'served'`],
    code_repositories: [
      'id, organization_id, project_id, name, source_kind, repository',
      `'crp_${text}', '${organizationId}', $1, 'api', 'git', 'https://git.example.com/api.git'`,
    ],
    statement_checks: ['project_id, organization_id', `$1, '${organizationId}'`],
    statements: [
      'project_id, id, page, line, text, bindings, files, definition',
      `$1, 'stm_${text}', 'index.mdx', 1, 'It is 3.', '[]', '{}', 'x'`,
    ],
    statement_alarms: [
      'project_id, repository_id, statement, change, page, line, text, found, commit',
      `$1, 'crp_${text}', 'stm_${text}', 'x', 'index.mdx', 1, 'It is 3.', '{}', 'x'`,
    ],
    statement_confirmations: ['project_id, statement, confirmed_by', `$1, 'stm_${text}', 'usr_x'`],
    commit_keys: ['project_id, public_key, sealed', `$1, 'ssh-ed25519 A', '\\x00'`],
    automations: [
      'id, organization_id, project_id, name, kind, trigger, prompt',
      `'auto_${text}', '${organizationId}', $1, 'Nightly', 'schedule', '{}', 'Mend it.'`,
    ],
    automation_runs: [
      'id, automation_id, cause, topic, state, asked',
      `'run_${text}', 'auto_${text}', 'x', 'x', 'started', 'x'`,
    ],
    automation_seen: ['automation_id, item', `'auto_${text}', 'x'`],
    idempotent_answers: [
      'caller_id, method, path, key, body_hash, status, headers, body',
      `'key_x', 'PATCH', '/v1/analytics/${projectId}/feedback/${feedbackId}', 'k', 'x', 200, '{}', 'Ada@Example.com'`,
    ],
  }
  for (const [table, [columns, values]] of Object.entries(rows)) {
    const statement = `INSERT INTO ${table} (${columns}) SELECT ${values}`
    await pool.query(statement, values.includes('$1') ? [projectId] : [])
  }
  await queries.selectFrom('projects').select('id').where('id', '=', projectId).executeTakeFirstOrThrow()
  return { deploymentId, jobId, feedbackId }
}
