/** Changes all settings of a form or none of them. */

import { sql } from 'kysely'
import { FEATURES } from '../../base/api/features.ts'
import { AppError } from '../../base/errors/errors.ts'
import { faultAt } from '../../base/errors/fault.ts'
import { recordAudit, recordNoChange } from '../../database/audit.ts'
import type { Tx } from '../../database/database.ts'
import type { AuditAction } from '../audit-actions.ts'
import { setDomains } from './domains/domain-claims.ts'
import type { UpdateProjectBody } from './operations/projects.ts'
import { checkProjectFields, isSameSource, type ProjectFields, type ProjectRules } from './project-fields.ts'
import { findProject, type Project } from './projects.ts'

export interface ProjectChange {
  projectId: string
  organizationId: string
  actor: string
  body: UpdateProjectBody
  rules: ProjectRules
}

type Settings = ProjectFields & Pick<Project, 'widgets' | 'agent'>
type SettingName = keyof Settings

const ACTIONS: Record<SettingName, AuditAction> = {
  name: 'project.name_changed',
  source: 'project.source_changed',
  domains: 'project.domains_changed',
  defaultDeployment: 'project.deployment_changed',
  features: 'project.features_changed',
  widgets: 'project.widgets_changed',
  agent: 'project.agent_changed',
}

/**
 * If two changes are based on the same settings, rejects the second as stale. Each changed setting gets an audit
 * log row with its old and new value. Throws AppError `not_found`, `changed_meanwhile`, `invalid_request`,
 * `domain_taken`.
 */
export async function updateProject(tx: Tx, change: ProjectChange): Promise<Project> {
  const { projectId, organizationId, body } = change
  const before = await lockProject(tx, projectId, organizationId)
  if (before === null) throw new AppError('not_found')
  if (before.updatedAt.getTime() !== Date.parse(body.updatedAt))
    throw new AppError('changed_meanwhile', {
      details: [faultAt('/updatedAt', 'stale_version', { value: before.updatedAt.toISOString() })],
    })
  const checked = checkSettings(before, change)
  const changed = (Object.keys(ACTIONS) as SettingName[]).filter((name) =>
    isChanged(before[name], checked[name]),
  )
  if (changed.length === 0) {
    recordNoChange(tx)
    return before
  }
  if (changed.includes('domains')) await setDomains(tx, before, checked.domains, change.rules)
  const isGranted = isSameSource(checked.source, before.source)
    ? before.folderGranted
    : checked.source.kind === 'folder' && change.rules.grantsFolders
  await writeSettings(tx, projectId, checked, isGranted)
  for (const name of changed) {
    const details = { from: before[name], to: checked[name] }
    await recordAudit(tx, {
      organizationId,
      actor: change.actor,
      action: ACTIONS[name],
      subject: projectId,
      details,
    })
  }
  const project = await findProject(tx, projectId)
  if (project === null) throw new Error('the project that was just changed was not found')
  return project
}

/**
 * Callers already hold `FOR KEY SHARE` on the project, which prevents archiving (http/answer-write.ts). `FOR
 * UPDATE` would conflict with that lock, and two concurrent changes would deadlock.
 */
async function lockProject(tx: Tx, projectId: string, organizationId: string): Promise<Project | null> {
  await tx
    .selectFrom('projects')
    .select('id')
    .where('id', '=', projectId)
    .where('organization_id', '=', organizationId)
    .forNoKeyUpdate()
    .execute()
  return findProject(tx, projectId, organizationId)
}

function checkSettings(before: Project, { body, rules }: Pick<ProjectChange, 'body' | 'rules'>): Settings {
  const source = { ...before.source, ...body.source }
  const given = {
    name: body.name ?? before.name,
    domains: body.domains ?? before.domains,
    source,
    defaultDeployment: body.defaultDeployment ?? before.defaultDeployment,
  }
  const fields = checkProjectFields(given, rules, before)
  return {
    ...fields,
    features: inOrder(merge(before.features, body.features), FEATURES),
    widgets: merge(before.widgets, body.widgets),
    agent: merge(before.agent, body.agent),
  }
}

/** A null value removes the choice. */
function merge<Choice extends object>(
  before: Choice,
  change: { [Name in keyof Choice]?: Choice[Name] | null | undefined } | undefined,
): Choice {
  const all = Object.entries({ ...before, ...change })
  return Object.fromEntries(all.filter(([, value]) => value !== null && value !== undefined)) as Choice
}

function inOrder<Choice extends object>(choice: Choice, names: readonly string[]): Choice {
  const all = Object.entries(choice).sort(([a], [b]) => names.indexOf(a) - names.indexOf(b))
  return Object.fromEntries(all) as Choice
}

function isChanged(before: unknown, after: unknown): boolean {
  return canonicalJson(before) !== canonicalJson(after)
}

function canonicalJson(value: unknown): string {
  if (Array.isArray(value) || typeof value !== 'object' || value === null) return JSON.stringify(value)
  return JSON.stringify(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
}

async function writeSettings(
  tx: Tx,
  projectId: string,
  settings: Settings,
  isFolderGranted: boolean,
): Promise<void> {
  const { name, source, defaultDeployment, features, widgets, agent } = settings
  await tx
    .updateTable('projects')
    .set({
      name,
      source_kind: source.kind,
      repository: source.repository,
      folder_granted: isFolderGranted,
      ref: source.ref,
      // The stored default branch is only valid for the same repository.
      default_branch: sql<string | null>`CASE WHEN repository = ${source.repository} THEN default_branch END`,
      docs_folder: source.docsFolder,
      fetches_lfs: source.lfs,
      default_deployment: defaultDeployment,
      features: JSON.stringify(features),
      widgets: JSON.stringify(widgets),
      agent: JSON.stringify(agent),
      // Strictly increasing, even for rapid changes, because it identifies the settings that a client has read.
      updated_at: sql<Date>`greatest(updated_at + interval '1 millisecond', clock_timestamp())`,
    })
    .where('id', '=', projectId)
    .execute()
}
