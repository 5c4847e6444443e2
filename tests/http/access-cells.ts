/** Request bodies, queries and ids that the access matrix needs for each operation. */
import assert from 'node:assert/strict'
import { ERRORS } from '../../src/base/errors/catalogue.ts'
import { type ErrorCode, errorMessage } from '../../src/base/errors/errors.ts'
import { createId } from '../../src/base/ids.ts'
import type { Database } from '../../src/database/database.ts'
import { insertQuestion } from '../../src/features/assistant/questions.ts'
import type { Tenant } from './api-under-test.ts'

const NO_OWN_PROVIDER = { issuer: null, clientId: null, name: 'x', domains: ['own.example'], role: 'viewer' }
const NO_PROVIDER = {
  ...{ issuer: null, clientId: null, name: 'x', domains: [], role: 'viewer', organizationId: null },
}

const DISCOVERY_MESSAGE = {
  fp: 'anonymous',
  messages: [{ id: '1', role: 'user', parts: [{ type: 'text', text: 'How?' }] }],
}

/** Bodies that get each operation as far as looking up its resource; unique where the operation requires it. */
export const BODIES: Record<string, (tenant: Tenant) => unknown> = {
  startExport: ({ domain }) => ({ domain }),
  updateManyFeedback: () => ({ status: 'resolved' }),
  updateFeedback: () => ({ status: 'resolved' }),
  createAgentJob: () => ({ prompt: 'Document the new flag.' }),
  sendAgentMessage: () => ({ prompt: 'And the old one.' }),
  createAgentSession: () => ({ messages: [{ role: 'user', content: 'Document the new flag.' }] }),
  sendDiscoveryMessage: () => DISCOVERY_MESSAGE,
  sendDiscoveryMessageV1: () => DISCOVERY_MESSAGE,
  searchDiscovery: () => ({ query: 'a' }),
  getDiscoveryPage: () => ({ path: '/' }),
  createAutomation: () => ({ name: 'matrix', trigger: { kind: 'push' }, prompt: 'Look.', paused: true }),
  updateAutomation: () => ({ name: 'matrix' }),
  confirmStatement: () => ({ for: 'change' }),
  updateStatementSettings: () => ({ hasStatus: true }),
  addCodeRepository: () => ({
    name: createId('crp').slice(10),
    repository: 'https://93.184.216.34/code.git',
  }),
  updateCodeRepository: () => ({ folder: 'src' }),
  createWebhook: () => ({ url: 'https://93.184.216.34/hook' }),
  updateWebhook: () => ({ description: 'of the matrix' }),
  createOrganization: () => ({ name: 'matrix' }),
  addOperator: () => ({ email: 'nobody@example.com' }),
  removeOperator: () => ({ email: 'nobody@example.com' }),
  createPasswordLink: () => ({ email: 'nobody@example.com' }),
  pruneAudit: () => ({ before: '2000-01-01T00:00:00.000Z' }),
  vouchForDomain: () => ({ domain: `${createId('prj').slice(4)}.example.org` }),
  moveProject: ({ organizationId }) => ({ organizationId }),
  importFeedback: () => ({ format: 'octavo-feedback', version: 1, siteId: 'site_00', entries: [] }),
  addDemoFeedback: () => ({ count: 1 }),
  createProject: () => ({
    name: 'matrix',
    domains: [`${createId('prj').slice(4)}.example.org`],
    source: { kind: 'git', repository: 'https://93.184.216.34/docs.git' },
  }),
  // The host name does not resolve, so nothing is contacted.
  testSource: () => ({
    name: 'matrix',
    domains: ['matrix.example.org'],
    source: { kind: 'git', repository: 'https://matrix.invalid/docs.git' },
  }),
  createPreview: () => ({ branch: 'next' }),
  updatePublishing: () => ({ follows: true }),
  updateSiteAccess: () => ({ admitsMembers: false }),
  createSitePass: () => ({ kind: 'link', name: 'matrix', days: 1 }),
  openSite: () => ({ host: 'nobody.example.com', state: 'A'.repeat(24), to: '/' }),
  archiveProject: () => ({ serves: true }),
  offerTransfer: () => ({ organizationId: 'org_none0' }),
  deleteFeedback: () => ({ before: '2000-01-01' }),
  updateProject: () => ({ updatedAt: '2026-01-01T00:00:00.000Z', name: 'matrix' }),
  changeFeedbackWork: () => ({ ids: ['fb_none0'], assigneeId: null }),
  createFeedbackLabel: () => ({ name: createId('lbl') }),
  updateFeedbackLabel: () => ({ colour: 'blue' }),
  createFeedbackView: () => ({ name: 'matrix', query: 'status=pending' }),
  updateFeedbackView: () => ({ name: 'matrix' }),
  markNotifications: () => ({ notificationIds: ['ntf_none0'], isRead: true }),
  readAllNotifications: () => ({ until: '2026-01-01T00:00:00.000Z' }),
  changeNotificationMail: () => ({ kind: 'export_ready', pace: 'daily' }),
  chooseNotifications: () => ({ kind: 'export_ready', projectId: null, level: 'all' }),
  updateOrganization: () => ({ name: 'acme' }),
  createApiKey: () => ({ name: 'matrix' }),
  updateMember: () => ({ role: 'viewer' }),
  createGitCredential: () => ({
    prefix: `github.com/${createId('prj').slice(4)}`,
    token: 'a-token-of-the-matrix',
  }),
  testGitCredential: () => ({ prefix: 'unknown.example.com', token: 'a-token-of-the-matrix' }),
  replaceGitCredential: () => ({ token: 'another-token-of-the-matrix' }),
  updateInstanceSignIn: () => ({ passwords: true }),
  updateOrganizationSecurity: () => ({ mailDomains: [] }),
  updateInstanceProvider: () => NO_PROVIDER,
  updateOrganizationProvider: ({ organizationId }) => ({ ...NO_OWN_PROVIDER, organizationId }),
  testOrganizationProvider: ({ organizationId }) => ({
    ...{ ...NO_OWN_PROVIDER, organizationId },
    ...{ issuer: 'http://127.0.0.1:9', clientId: 'x', secret: 'y' },
  }),
  testInstanceProvider: () => ({ ...NO_PROVIDER, issuer: 'http://127.0.0.1:9', clientId: 'x', secret: 'y' }),
  updateInstanceMail: () => ({ host: null, port: null, tls: 'starttls', user: null, from: null }),
  testInstanceMail: () => ({
    // No server listens on this port.
    host: '127.0.0.1',
    port: 1,
    tls: 'none',
    user: null,
    from: 'octavo@example.com',
  }),
  updateInstancePreviews: () => ({ domain: null }),
  testInstancePreviews: () => ({ domain: 'matrix.localhost' }),
  updateInstanceRetention: () => ({ retention: {} }),
  updateInstanceModel: () => ({ model: null, url: null, contextTokens: null, assistant: null }),
  testInstanceModel: () => ({
    model: 'vllm:none',
    // No server listens on this port.
    url: 'http://127.0.0.1:1/v1',
    contextTokens: null,
    assistant: null,
  }),
  createInvitation: () => ({ email: `${createId('inv')}@example.com`, role: 'viewer' }),
  setUp: () => ({
    token: TOKEN,
    name: 'Eve',
    email: 'eve@example.com',
    password: 'the tide comes in at nine',
  }),
  getInvitation: () => ({ token: TOKEN }),
  openReview: () => ({ jobId: 'aj_none0', token: TOKEN }),
  acceptInvitation: () => ({ token: TOKEN, name: 'Eve', password: 'the tide comes in at nine' }),
  requestPassword: () => ({ email: 'nobody@example.com' }),
  resetPassword: () => ({ token: TOKEN, password: 'the tide comes in at nine' }),
}
const TOKEN = 'A'.repeat(43)

/** Query strings that operations require. */
export const QUERIES: Record<string, string> = {
  updateManyFeedback: '?status=pending',
  deleteProject: '?name=not+of+the+matrix',
  getSourceLines: '?file=index.mdx',
  listInsightRows: '?list=pages',
  search: '?q=a',
  searchFeedback: '?q=a',
}

/**
 * Statuses of the operations open to visitors: `out` without a session, also with a key, and `in` with one. None of
 * these operations concerns a resource of an organization.
 */
export const VISITORS: Record<string, { out: number; in: number }> = {
  getSession: { out: 200, in: 200 },
  setUp: { out: 409, in: 409 },
  getInvitation: { out: 409, in: 409 },
  openReview: { out: 404, in: 404 },
  acceptInvitation: { out: 409, in: 409 },
  requestPassword: { out: 200, in: 200 },
  resetPassword: { out: 409, in: 409 },
  openSite: { out: 401, in: 404 },
  listSessions: { out: 401, in: 200 },
  endSession: { out: 401, in: 404 },
  endOtherSessions: { out: 401, in: 200 },
}

/**
 * Statuses for the operator where they are not a success: operations for signed-in people, and operations whose body
 * names a resource.
 */
export const OPERATOR: Record<string, number> = {
  listNotifications: 401,
  countUnread: 401,
  markNotifications: 401,
  readAllNotifications: 401,
  getNotificationSettings: 401,
  chooseNotifications: 401,
  changeNotificationMail: 401,
  testInstanceMail: 400,
  addOperator: 404,
  removeOperator: 404,
  createPasswordLink: 404,
  importFeedback: 404,
}

/** Ids that do not exist, in the format of each parameter. */
export const NOTHING: Record<string, string> = {
  projectId: 'prj_none0',
  jobId: 'se_none0',
  id: 'aj_none0',
  deploymentId: 'dep_none0',
  statusId: 'dep_none0',
  previewId: 'pv_none0',
  transferId: 'ptr_none0',
  automationId: 'aut_none0',
  workflowSchemaId: 'aut_none0',
  repositoryId: 'crp_none0',
  feedbackId: 'fb_none0',
  viewId: 'view_none0',
  labelId: 'lbl_none0',
  passId: 'pass_none0',
  webhookId: 'whk_none0',
  deliveryId: 'evt_none0',
  keyId: 'key_none0',
  userId: 'usr_none0',
  invitationId: 'inv_none0',
  sessionId: 'ses_none0',
  questionId: 'ask_none0',
  threadId: 'a-thread-of-nobody-0',
  statementId: 'stm_none0',
  credentialId: 'gtc_none0',
  domain: 'none0.example.com',
}

async function askQuestion(database: Database, projectId: string): Promise<string> {
  const asked = { projectId, threadId: null, path: null, language: null, question: 'of the matrix' }
  return (await database.transaction((tx) => insertQuestion(tx, asked))).id
}

/** Creates a paused automation with a webhook URL and returns its id. */
async function makeAutomation(database: Database, projectId: string): Promise<string> {
  const id = createId('aut')
  await database.queries
    .insertInto('automations')
    .values({
      id,
      organization_id: database.queries
        .selectFrom('projects')
        .select('organization_id')
        .where('id', '=', projectId),
      project_id: projectId,
      name: 'a thing',
      kind: 'webhook',
      trigger: JSON.stringify({ kind: 'webhook' }),
      prompt: 'Look.',
      scope: '[]',
      budget: '{}',
      hook_hash: Buffer.alloc(32),
      paused_at: new Date(),
    })
    .execute()
  return id
}

/** Creates a preview with a deployment and returns its id. */
async function makePreview(database: Database, projectId: string): Promise<string> {
  const id = createId('pv')
  const organization = database.queries
    .selectFrom('projects')
    .select('organization_id')
    .where('id', '=', projectId)
  const of = { organization_id: organization, project_id: projectId }
  const until = new Date(Date.now() + 3_600_000)
  const named = { ref: `refs/heads/${id}`, branch: id, label: id.slice(3), expires_at: until }
  await database.queries
    .insertInto('previews')
    .values({ id, ...of, ...named })
    .execute()
  await database.queries
    .insertInto('deployments')
    .values({ id: createId('dep'), ...of, preview_id: id })
    .execute()
  return id
}

/**
 * Offers a project to the organization of this one and returns the id of the offer. The offered project has a
 * deployment in progress, so the offer cannot be accepted.
 */
async function makeOffer({ queries }: Database, projectId: string): Promise<string> {
  const { organization_id: to } = await queries
    .selectFrom('projects')
    .select('organization_id')
    .where('id', '=', projectId)
    .executeTakeFirstOrThrow()
  const [organization_id, offered, id] = [createId('org'), createId('prj'), createId('ptr')]
  const of = { organization_id, project_id: offered }
  await queries
    .insertInto('organizations')
    .values({ id: organization_id, name: 'third', plan: 'free' })
    .execute()
  await queries
    .insertInto('projects')
    .values({
      ...{ id: offered, site_id: createId('site'), organization_id, name: 'offered', ref: null },
      ...{ source_kind: 'folder', repository: '/nowhere' },
    })
    .execute()
  await queries
    .insertInto('deployments')
    .values({ id: createId('dep'), ...of })
    .execute()
  const expires_at = new Date(Date.now() + 3_600_000)
  await queries
    .insertInto('project_transfers')
    .values({ id, ...of, to_organization_id: to, offered_by: 'cli', expires_at })
    .execute()
  return id
}

/** Inserts the resources of a project that are not created through the API, and returns their ids. */
export async function addRows(database: Database, projectId: string) {
  const passId = createId('pass')
  const row = { id: passId, project_id: projectId, kind: 'link', name: 'a thing' } as const
  const expires_at = new Date(Date.now() + 3_600_000)
  await database.queries
    .insertInto('site_passes')
    .values({ ...row, expires_at })
    .execute()
  const automationId = await makeAutomation(database, projectId)
  const repositoryId = createId('crp')
  await database.queries
    .insertInto('code_repositories')
    .values({
      id: repositoryId,
      organization_id: database.queries
        .selectFrom('projects')
        .select('organization_id')
        .where('id', '=', projectId),
      project_id: projectId,
      name: repositoryId.slice(10),
      source_kind: 'git',
      repository: 'https://93.184.216.34/code.git',
      ref: null,
      folder: '',
      made_by: null,
    })
    .execute()
  const previewId = await makePreview(database, projectId)
  const transferId = await makeOffer(database, projectId)
  const labelId = createId('lbl')
  await database.queries
    .insertInto('feedback_labels')
    .values({ id: labelId, project_id: projectId, name: labelId, colour: 'red' })
    .execute()
  const things = { automationId, workflowSchemaId: automationId, repositoryId, previewId }
  const statementId = createId('crp').replace('crp_', 'stm_')
  await database.queries
    .insertInto('statements')
    .values({
      ...{ project_id: projectId, id: statementId, page: 'index.mdx', line: 1, text: 'a thing' },
      ...{ bindings: '[]', files: [], definition: '', since: null },
    })
    .execute()
  const asked = await askQuestion(database, projectId)
  return { ...things, statementId, transferId, passId, labelId, questionId: asked, threadId: asked }
}

export const isRemoval = ({ method }: { method: string }) => method === 'DELETE'

/** Operations whose bodies match the current state, so they write no audit row. */
export const NO_CHANGE: ReadonlySet<string> = new Set([
  'updateOrganization',
  'updateMember',
  'updateFeedback',
  'changeFeedbackWork',
])

export async function countAuditRows(database: Database): Promise<number> {
  const { rows } = await database.pool.query<{ count: number }>(
    'SELECT count(*)::int AS count FROM audit_rows',
  )
  return rows[0]?.count ?? 0
}

export async function makeOperators(database: Database, userIds: readonly string[]): Promise<void> {
  const rows = userIds.map((user_id) => ({ user_id, made_by: 'cli' }))
  await database.queries.insertInto('operators').values(rows).execute()
}

/** Takes the first parameter from `first`, e.g. a project of the caller with a resource of another organization. */
export function withFirst(
  [name = '']: readonly string[],
  things: Readonly<Record<string, string>>,
  first: Readonly<Record<string, string>>,
): Record<string, string> {
  return { ...things, [name]: first[name] as string }
}

export interface Answered {
  status: number
  /** Error body of a refused request. */
  body: unknown
}

export function assertRefused({ status, body }: Answered, code: ErrorCode, cell: string): void {
  assert.equal(status, ERRORS[code].status, cell)
  assert.deepEqual(body, { ...(body as object), error: errorMessage(code), code }, cell)
}
