/** Types of the tables, one interface each. The migrations are authoritative; a test compares the two. */
import type { ColumnType, Generated } from 'kysely'
import type { ExportDeployment, FeatureChoices, FeatureSet } from '../base/api/features.ts'
import type { KeyKind } from '../base/api/operation.ts'
import type { Plan } from '../base/api/plans.ts'
import type { OrganizationRetention } from '../base/api/retention.ts'
import type { Role } from '../base/api/roles.ts'
import type { WidgetChoice } from '../base/api/widgets.ts'
import type { JobErrorCode } from '../base/errors/job-errors.ts'
import type { AgentChoice } from '../features/agent/operations/agent.ts'
import type { DomainProof, DomainState } from '../features/projects/operations/domain-proofs.ts'
import type { DeliveryStatus, EventType, WebhookFormat } from '../features/webhooks/operations/webhooks.ts'
import type {
  AgentJobChangeTable,
  AgentJobCommentTable,
  AgentJobEventTable,
  AgentJobFeedbackTable,
  AgentJobMessageTable,
  AgentJobPromptTable,
  AgentJobQuestionTable,
  AgentJobTable,
  CodeRepositoryTable,
  CommitKeyTable,
} from './schema/agent.ts'
import type {
  AnalyticsBatchTable,
  AnalyticsCountTable,
  AnalyticsEventTable,
  AnalyticsInboxTable,
  AnalyticsSaltTable,
  AnalyticsSetAsideTable,
  AnalyticsVisitorTable,
} from './schema/analytics.ts'
import type {
  AssistantCorpusTable,
  AssistantMonthTable,
  AssistantPassageTable,
  AssistantQuestionTable,
} from './schema/assistant.ts'
import type { AuditChainTable, AuditTable } from './schema/audit.ts'
import type { AutomationRunTable, AutomationSeenTable, AutomationTable } from './schema/automations.ts'
import type {
  FeedbackChangeTable,
  FeedbackLabelTable,
  FeedbackTable,
  FeedbackViewTable,
} from './schema/feedback.ts'
import type {
  DeploymentTable,
  PreviewTable,
  ProjectPublishingTable,
  PublishedSiteTable,
  SiteAccessTable,
  SitePassTable,
  SiteProblemTable,
  WarningRow,
} from './schema/hosting.ts'
import type { MailChoiceTable, MailPersonTable, MailTable } from './schema/mail.ts'
import type {
  FeedbackRateTable,
  NotificationChoiceTable,
  NotificationEventTable,
  NotificationTable,
} from './schema/notifications.ts'
import type {
  CredentialTable,
  InvitationTable,
  MemberTable,
  OneTimeLinkTable,
  PasskeyTable,
  SecondFactorTable,
  SessionTable,
  UserTable,
  VerificationTable,
} from './schema/people.ts'

/** A `timestamptz(3)` that is set on insert (by the database when left out) and never changed. */
type CreatedAt = ColumnType<Date, Date | undefined, never>
type Json<T> = ColumnType<T, string, string>

/** Has one row, see src/app/installation.ts. */
export interface InstallationTable {
  is_one: Generated<boolean>
  secret_fingerprint: string
  store_id: Generated<string>
  is_store_marked: Generated<boolean>
  created_at: CreatedAt
}

/** Has one row, see src/app/live/follow-clock.ts. */
export interface ClockTable {
  is_one: Generated<boolean>
  seen: Generated<Date>
}

export interface Schema {
  installation: InstallationTable
  operators: OperatorTable
  instance_settings: InstanceSettingTable
  clock: ClockTable
  // accounts
  organizations: OrganizationTable
  organization_providers: OrganizationProviderTable
  /** Without deleted projects. */
  projects: ProjectTable
  all_projects: AllProjectsTable
  project_transfers: ProjectTransferTable
  project_domains: ProjectDomainTable
  served_domains: ServedDomainView
  api_keys: ApiKeyTable
  audit_rows: AuditTable
  audit_chains: AuditChainTable
  rate_hits: RateHitTable
  idempotent_answers: IdempotentAnswerTable
  git_credentials: GitCredentialTable
  // people
  users: UserTable
  sessions: SessionTable
  credentials: CredentialTable
  verifications: VerificationTable
  passkeys: PasskeyTable
  second_factors: SecondFactorTable
  members: MemberTable
  invitations: InvitationTable
  one_time_links: OneTimeLinkTable
  // static export
  static_exports: StaticExportTable
  // hosting
  deployments: DeploymentTable
  published_sites: PublishedSiteTable
  previews: PreviewTable
  project_publishing: ProjectPublishingTable
  site_problems: SiteProblemTable
  site_access: SiteAccessTable
  site_passes: SitePassTable
  // storage
  condemned_objects: CondemnedObjectTable
  storage_use: StorageUseTable
  storage_sweeps: StorageSweepTable
  // feedback
  feedback: FeedbackTable
  feedback_changes: FeedbackChangeTable
  feedback_views: FeedbackViewTable
  feedback_labels: FeedbackLabelTable
  // analytics
  analytics_salts: AnalyticsSaltTable
  analytics_batches: AnalyticsBatchTable
  analytics_inbox: AnalyticsInboxTable
  analytics_set_aside: AnalyticsSetAsideTable
  analytics_events: AnalyticsEventTable
  analytics_visitors: AnalyticsVisitorTable
  analytics_counts: AnalyticsCountTable
  // assistant
  assistant_corpora: AssistantCorpusTable
  assistant_passages: AssistantPassageTable
  assistant_questions: AssistantQuestionTable
  assistant_months: AssistantMonthTable
  // webhooks
  webhook_endpoints: WebhookEndpointTable
  webhook_events: WebhookEventTable
  webhook_deliveries: WebhookDeliveryTable
  // mail
  mails: MailTable
  mail_choices: MailChoiceTable
  mail_people: MailPersonTable
  // notifications
  notification_events: NotificationEventTable
  notifications: NotificationTable
  notification_choices: NotificationChoiceTable
  feedback_rates: FeedbackRateTable
  // agent jobs
  agent_jobs: AgentJobTable
  agent_job_prompts: AgentJobPromptTable
  agent_job_comments: AgentJobCommentTable
  agent_job_messages: AgentJobMessageTable
  agent_job_changes: AgentJobChangeTable
  agent_job_events: AgentJobEventTable
  agent_job_feedback: AgentJobFeedbackTable
  agent_job_questions: AgentJobQuestionTable
  code_repositories: CodeRepositoryTable
  commit_keys: CommitKeyTable
  // automations
  automations: AutomationTable
  automation_runs: AutomationRunTable
  automation_seen: AutomationSeenTable
}

export interface OrganizationTable {
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
  /** Whether Git LFS files are fetched from the host of the repository. */
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
  /** Whether removal has begun. */
  is_purged: Generated<boolean>
}

/** See src/features/projects/lifecycle/project-transfers.ts. */
export interface ProjectTransferTable {
  id: string
  project_id: string
  organization_id: string
  to_organization_id: string
  offered_by: string
  created_at: CreatedAt
  expires_at: Date
}

export interface GitCredentialTable {
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

export interface ApiKeyTable {
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

export interface RateHitTable {
  bucket: string
  at: Date
  /** Number of rate limit slots taken at that moment. */
  places: Generated<number>
}

export interface IdempotentAnswerTable {
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

export interface WebhookEventTable {
  id: string
  organization_id: string
  project_id: string | null
  type: string
  data: Json<object>
  created_at: CreatedAt
  is_spread: Generated<boolean>
}

export interface WebhookDeliveryTable {
  endpoint_id: string
  event_id: string
  status: Generated<DeliveryStatus>
  /** Whether it is a test, sent while the person who requested it watches. */
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

/** An object scheduled for deletion. */
interface CondemnedObjectTable {
  key: string
  kind: string
  size_bytes: number
  since: Generated<Date>
  /** Whether it belonged to a deleted project. */
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

/** View of the `project_domains` that are served. */
interface ServedDomainView {
  domain: string
  project_id: string
  position: number
}

/** A user who operates this server. */
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

/** The identity provider for single sign-on into one organization. */
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
