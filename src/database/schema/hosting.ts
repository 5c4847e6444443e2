import type { ColumnType, Generated, GeneratedAlways } from 'kysely'
import type { JobErrorCode } from '../../base/errors/permanent-error.ts'
import type { ProblemLevel } from '../../base/errors/problem.ts'
import type {
  DeploymentStage,
  DeploymentTrigger,
  PageChange,
} from '../../features/hosting/operations/deployments.ts'

type CreatedAt = ColumnType<Date, Date | undefined, never>
type Json<T> = ColumnType<T, string | undefined, string>

export interface WarningRow {
  path: string
  line: number | null
  /** Ends with the remedy. */
  message: string
  /** `code` and `remedy` are missing in rows written by older versions. */
  code?: string
  remedy?: string
}

/** A build stage. Times are ISO 8601. */
export interface StageRow {
  name: DeploymentStage
  startedAt: string
  endedAt: string | null
}

export interface LogRow {
  at: string
  text: string
}

export interface ChangesRow {
  /** Id of the previously published deployment. */
  comparedWith: string
  added: number
  changed: number
  removed: number
  /** The first changed pages. */
  pages: { path: string; change: PageChange }[]
}

export interface DeploymentTable {
  id: string
  /** Ascending in order of creation. */
  number: GeneratedAlways<number>
  organization_id: string
  project_id: string
  status: Generated<'queued' | 'running' | 'published' | 'failed'>
  attempt: Generated<number>
  place: Generated<number>
  furthest: Generated<number>
  stalled: Generated<number>
  page_count: Generated<number>
  total_pages: number | null
  error: string | null
  error_code: JobErrorCode | null
  warnings: ColumnType<WarningRow[], string | undefined, string>
  warning_count: Generated<number>
  revision: string | null
  /** Null when there is no manifest yet, or its files are no longer retained. */
  manifest_key: string | null
  trigger: Generated<DeploymentTrigger>
  /** Id of the key or member; null when started by neither. */
  started_by: string | null
  commit_title: string | null
  commit_author: string | null
  committed_at: Date | null
  /** Null: belongs to the project itself, not to a preview. */
  preview_id: string | null
  stages: Json<StageRow[]>
  log: Json<LogRow[]>
  changes: ColumnType<ChangesRow | null, string | null | undefined, string | null>
  created_at: CreatedAt
  updated_at: Generated<Date>
  ended_at: Date | null
}

export interface PublishedSiteTable {
  project_id: string
  deployment_id: string
  manifest_key: string
  published_at: Generated<Date>
  /** While set, later deployments do not replace this one as the published deployment. */
  pinned_at: Date | null
  pinned_by: string | null
}

export interface PreviewTable {
  id: string
  number: GeneratedAlways<number>
  organization_id: string
  project_id: string
  ref: string
  branch: string
  pull_request: number | null
  is_fork: Generated<boolean>
  label: string
  deployment_id: string | null
  manifest_key: string | null
  created_by: string | null
  created_at: CreatedAt
  updated_at: Generated<Date>
  pushed_at: Generated<Date>
  expires_at: Date
  removed_at: Date | null
  removed_because: 'asked' | 'gone' | 'merged' | 'closed' | 'expired' | 'crowded' | 'off' | null
  told: string | null
  tell_at: Generated<Date>
  tell_failures: Generated<number>
  tell_error: string | null
}

export interface HostingTables {
  deployments: DeploymentTable
  published_sites: PublishedSiteTable
  previews: PreviewTable
  project_publishing: {
    project_id: string
    hook_secret: Buffer | null
    hook_made_at: Date | null
    hook_called_at: Date | null
    hook_forge: 'github' | 'gitlab' | 'gitea' | 'bitbucket' | null
    follows: Generated<boolean>
    look_at: Generated<Date>
    previews: Generated<'off' | 'pull_requests' | 'branches'>
    preview_branches: Json<string[]>
    preview_access: Generated<'public' | 'members' | 'password'>
    preview_days: Generated<number>
    preview_forks: Generated<boolean>
    statement_status: Generated<boolean>
  }
  site_problems: {
    deployment_id: string
    number: number
    file: string
    line: number | null
    code: string
    level: ProblemLevel
    message: string
    remedy: string
  }
  site_access: {
    project_id: string
    is_private: Generated<boolean>
    admits_members: Generated<boolean>
  }
  site_passes: {
    id: string
    project_id: string
    kind: 'password' | 'link'
    name: string
    groups: Generated<string[]>
    password_hash: string | null
    expires_at: Date | null
    created_by: string | null
    created_at: CreatedAt
  }
}
