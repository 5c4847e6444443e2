/** Types of the tables. The migrations are authoritative; a test compares the two. */
import type { ColumnType, Generated } from 'kysely'
import type { ExportDeployment, FeatureChoices, FeatureSet } from '../base/api/features.ts'
import type { KeyKind } from '../base/api/operation.ts'
import type { Plan } from '../base/api/plans.ts'
import type { OrganizationRetention } from '../base/api/retention.ts'
import type { Role } from '../base/api/roles.ts'
import type { WidgetChoice } from '../base/api/widgets.ts'
import type { JobErrorCode } from '../base/errors/permanent-error.ts'
import type { AgentChoice } from '../features/agent/operations/agent.ts'
import type { DomainProof, DomainState } from '../features/projects/operations/domain-proofs.ts'
import type { DeliveryStatus, EventType, WebhookFormat } from '../features/webhooks/operations/webhooks.ts'
import type { AgentTables } from './schema/agent.ts'
import type { AnalyticsTables } from './schema/analytics.ts'
import type { AssistantTables } from './schema/assistant.ts'
import type { AuditTables } from './schema/audit.ts'
import type { AutomationsTables } from './schema/automations.ts'
import type { FeedbackTables } from './schema/feedback.ts'
import type { HostingTables, WarningRow } from './schema/hosting.ts'
import type { MailTables } from './schema/mail.ts'
import type { NotificationsTables } from './schema/notifications.ts'
import type { PeopleTables } from './schema/people.ts'
import type { StatementsTables } from './schema/statements.ts'

/** A `timestamptz(3)` that is set on insert (by the database when left out) and never changed. */
type CreatedAt = ColumnType<Date, Date | undefined, never>
type Json<T> = ColumnType<T, string, string>

export interface Schema
  extends AgentTables,
    AnalyticsTables,
    AssistantTables,
    AuditTables,
    AutomationsTables,
    FeedbackTables,
    HostingTables,
    MailTables,
    NotificationsTables,
    PeopleTables,
    StatementsTables {
  /** Has one row, see src/app/installation.ts. */
  installation: {
    is_one: Generated<boolean>
    secret_fingerprint: string
    store_id: Generated<string>
    is_store_marked: Generated<boolean>
    created_at: CreatedAt
  }
  operators: OperatorTable
  instance_settings: InstanceSettingTable
  /** Has one row, see src/app/live/follow-clock.ts. */
  clock: {
    is_one: Generated<boolean>
    seen: Generated<Date>
    spikes_checked_at: Generated<Date>
  }
  organizations: {
    id: string
    name: string
    plan: Plan
    max_key_days: Generated<number | null>
    second_factor_since: Generated<Date | null>
    second_factor_days: Generated<number>
    second_factor_by_provider: Generated<boolean>
    mail_domains: Generated<string[]>
    retention: ColumnType<OrganizationRetention, string | undefined, string>
    created_at: CreatedAt
    updated_at: Generated<Date>
  }
  organization_providers: OrganizationProviderTable
  /** Without deleted projects. */
  projects: ProjectTable
  all_projects: AllProjectsTable
  project_transfers: {
    id: string
    project_id: string
    organization_id: string
    to_organization_id: string
    offered_by: string
    created_at: CreatedAt
    expires_at: Date
  }
  project_domains: ProjectDomainTable
  served_domains: ServedDomainView
  api_keys: {
    id: string
    organization_id: string
    name: string
    hash: Buffer
    last_four: string
    scopes: ('read' | 'write')[]
    allow_list: string[]
    created_at: CreatedAt
    expires_at: Date | null
    revoked_at: Date | null
    last_used_at: Date | null
    maker_id: string | null
    role_limit: Generated<Role | null>
    /** Null: all projects of the organization. */
    project_ids: string[] | null
    kind: Generated<KeyKind>
  }
  rate_hits: {
    bucket: string
    at: Date
    /** Number of rate limit slots taken at that moment. */
    places: Generated<number>
    /** Slots taken from the bucket up to and including this hit. */
    total: number
  }
  idempotent_answers: {
    caller_id: string
    method: string
    path: string
    key: string
    body_hash: string
    status: number
    headers: Json<Record<string, string>>
    body: string
    created_at: ColumnType<Date, Date | undefined, Date>
  }
  git_credentials: {
    id: string
    organization_id: string
    prefix: string
    sealed: Buffer
    last_four: string
    created_by: string
    created_at: CreatedAt
    replaced_at: Date | null
    last_used_at: Date | null
  }
  static_exports: StaticExportTable
  condemned_objects: CondemnedObjectTable
  storage_use: StorageUseTable
  storage_sweeps: StorageSweepTable
  needed_objects: NeededObjectTable
  needed_versions: NeededVersionTable
  webhook_endpoints: WebhookEndpointTable
  webhook_events: {
    id: string
    organization_id: string
    project_id: string | null
    type: string
    data: Json<object>
    created_at: CreatedAt
    is_spread: Generated<boolean>
  }
  webhook_deliveries: {
    endpoint_id: string
    event_id: string
    status: Generated<DeliveryStatus>
    /** Whether this is a test delivery, sent while the user who requested it waits for the result. */
    is_test: Generated<boolean>
    attempts: Generated<number>
    /** Defaults to now. */
    next_attempt_at: ColumnType<Date | null, Date | null | undefined, Date | null>
    last_attempt_at: Date | null
    give_up_at: Date
    response_status: number | null
    response_excerpt: string | null
    error: string | null
    created_at: CreatedAt
    ended_at: Date | null
  }
}

export interface ProjectTable {
  id: string
  site_id: string
  organization_id: string
  name: string
  source_kind: 'folder' | 'git'
  repository: string
  /** Whether the operator has named the folder on the command line. */
  folder_granted: Generated<boolean>
  ref: string | null
  /** Default branch of the repository at the last fetch; null before the first. */
  default_branch: string | null
  docs_folder: Generated<string>
  fetches_lfs: Generated<boolean>
  default_deployment: Generated<ExportDeployment>
  features: ColumnType<FeatureChoices, string | undefined, string>
  widgets: ColumnType<WidgetChoice, string | undefined, string>
  agent: ColumnType<AgentChoice, string | undefined, string>
  created_at: CreatedAt
  updated_at: Generated<Date>
  archived_at: Date | null
  archived_by: string | null
  archive_serves: Generated<boolean>
  archive_takes_feedback: Generated<boolean>
}

export interface AllProjectsTable extends ProjectTable {
  deleted_at: Date | null
  deleted_by: string | null
  /** When everything that belongs to the project is removed. */
  purge_at: Date | null
  is_purged: Generated<boolean>
}

export interface StaticExportTable {
  id: string
  organization_id: string
  project_id: string
  domain: string
  deployment: ExportDeployment
  features: Json<FeatureSet>
  widgets: ColumnType<WidgetChoice, string | undefined, never>
  paths: ColumnType<string[] | null, string | null, never>
  groups: Generated<string[]>
  version: string | null
  /** Null until completed, and in rows older than the column. */
  call_servers: string[] | null
  status: Generated<'queued' | 'running' | 'completed' | 'failed'>
  attempt: Generated<number>
  place: Generated<number>
  furthest: Generated<number>
  stalled: Generated<number>
  progress: Generated<number>
  page_count: Generated<number>
  total_pages: number | null
  error: string | null
  error_code: JobErrorCode | null
  warnings: ColumnType<WarningRow[], string | undefined, string>
  warning_count: Generated<number>
  revision: string | null
  bundle_sha256: string | null
  bundle_size_bytes: number | null
  bundle_lost: string | null
  bundle_needed_until: Date | null
  started_by: string | null
  created_at: CreatedAt
  updated_at: Generated<Date>
}

export interface WebhookEndpointTable {
  id: string
  organization_id: string
  project_id: string | null
  url: string
  description: string | null
  secret: Buffer
  format: Generated<WebhookFormat>
  events: EventType[]
  enabled: Generated<boolean>
  disabled_reason: string | null
  failures: Generated<number>
  resting_until: Date | null
  created_at: CreatedAt
  updated_at: Generated<Date>
}

/** An object scheduled for deletion. */
interface CondemnedObjectTable {
  key: string
  kind: string
  size_bytes: number
  since: Generated<Date>
  /** Whether the object belonged to a deleted project. */
  is_deleted: Generated<boolean>
}

interface StorageUseTable {
  organization_id: string
  holder: string
  objects: number
  bytes: number
}

interface StorageSweepTable {
  is_one: ColumnType<boolean, boolean | undefined, never>
  started_at: Date
  ended_at: Date | null
  deleted_objects: Generated<number>
  deleted_bytes: Generated<number>
}

interface NeededObjectTable {
  key: string
  organization_id: string
  holder: string
}

interface NeededVersionTable extends NeededObjectTable {
  is_read: Generated<boolean>
  is_missing: Generated<boolean>
}

interface ProjectDomainTable {
  domain: string
  project_id: string
  created_at: ColumnType<Date, Date | undefined, never>
  state: DomainState
  proof: DomainProof | null
  position: Generated<number>
  checked_at: Date | null
  reason: string | null
  check_at: Generated<Date | null>
  unproved_since: Date | null
  updated_at: Generated<Date>
}

interface ServedDomainView {
  domain: string
  project_id: string
  position: number
}

interface OperatorTable {
  user_id: string
  made_by: string
  created_at: ColumnType<Date, Date | undefined, never>
}

interface InstanceSettingTable {
  name: string
  value: string | null
  sealed: Buffer | null
  last_four: string | null
  set_by: string
  set_at: Generated<Date>
}

interface OrganizationProviderTable {
  organization_id: string
  issuer: string
  client_id: string
  name: string
  domains: string[]
  role: string
  vouches_for_domains: boolean
  asks_second_factor: boolean
  sealed: Buffer
  last_four: string | null
  secret_set_at: Generated<Date>
}
