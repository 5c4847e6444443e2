/** A real server on a real port with a real database, queue and object store, and two organizations. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadConfig } from '../../src/app/config/config.ts'
import { projectRules } from '../../src/app/config/project-rules.ts'
import type { Plan } from '../../src/base/api/plans.ts'
import { DEFAULT_RETENTION } from '../../src/base/api/retention.ts'
import { sha256 as digestOf } from '../../src/base/hash.ts'
import { createId } from '../../src/base/ids.ts'
import { type Log, silentLog } from '../../src/base/log.ts'
import { createGuardedFetch } from '../../src/base/net/guarded-fetch.ts'
import { createProofCheck } from '../../src/base/operator-proof.ts'
import { createSecretBox } from '../../src/base/secret-box.ts'
import { createCursorCodec } from '../../src/base/signed-cursor.ts'
import { openDatabase, type Queries, type Tx } from '../../src/database/database.ts'
import { createApiKey } from '../../src/features/accounts/keys/api-keys.ts'
import { createOrganization } from '../../src/features/accounts/organizations/organizations.ts'
import { createSignIn } from '../../src/features/accounts/sign-in/sign-in.ts'
import type { SingleSignOn } from '../../src/features/accounts/sign-in/sso-provider.ts'
import { createReviewTexts } from '../../src/features/agent/review/review-texts.ts'
import { findQuestionsForJob } from '../../src/features/analytics/asked-questions.ts'
import type { Countries } from '../../src/features/analytics/intake/countries.ts'
import { type AssistantDeps, createAssistant } from '../../src/features/assistant/assistant.ts'
import { bundleKey } from '../../src/features/export/make-bundle.ts'
import { completeExport, exportRows } from '../../src/features/export/store.ts'
import {
  reopenFeedback,
  resolveFeedback,
  startFeedbackWork,
} from '../../src/features/feedback/claim-feedback.ts'
import { recordFeedbackChanges } from '../../src/features/feedback/intake/record-events.ts'
import { createReaderTokens } from '../../src/features/hosting/access/reader-token.ts'
import { createReaderGate } from '../../src/features/hosting/access/site-access.ts'
import { createReaderSites } from '../../src/features/hosting/serve/reader-sites.ts'
import { createReaderVersions } from '../../src/features/hosting/serve/reader-version.ts'
import type { SiteServer } from '../../src/features/hosting/serve/serve-site.ts'
import { LIMITS, type Limits } from '../../src/features/limits.ts'
import { createUnsubscribeTokens } from '../../src/features/notifications/mail/unsubscribe.ts'
import type { ConcurrencyLimits } from '../../src/http/open-requests.ts'
import { createServer, type HttpDeps, type HttpServer } from '../../src/http/server.ts'
import { openCheckedStore } from '../../src/objects/checked-store.ts'
import type { ObjectStore } from '../../src/objects/object-store.ts'
import { openQueue } from '../../src/queue/queue.ts'
import { openTestDatabase, type TestDatabase } from '../kit/database.ts'
import { LISTED_HOSTS, listedGuard } from '../kit/git.ts'
import { openObjectStore } from '../kit/open-store.ts'
import { type CheckedFetch, checkedFetch } from '../kit/openapi-check.ts'

export interface Tenant {
  organizationId: string
  projectId: string
  domain: string
  /** API key with the scopes `read` and `write`. */
  key: string
}

export interface ApiUnderTest extends AsyncDisposable {
  url: string
  port: number
  server: HttpServer
  database: TestDatabase
  objects: ObjectStore
  /** Checks each response against the OpenAPI description that the server serves. */
  fetch: CheckedFetch
  /** On the Enterprise plan. */
  acme: Tenant
  /** Another organization on the Enterprise plan. */
  other: Tenant
  /** Moves a job from `running` to `completed`, as a worker does, with these bytes as the archive. */
  completeExport(jobId: string, archive: Uint8Array): Promise<void>
}

export interface ApiOptions {
  limits?: Partial<Limits>
  sites?: SiteServer
  log?: Log
  isReady?: HttpDeps['isReady']
  trustedProxies?: number
  openBounds?: Partial<ConcurrencyLimits>
  graceMs?: number
  poolSize?: number
  /** Clock in milliseconds, used for the expiry of new links. */
  now?: () => number
  /** Starts a second server with the database and tenants of this one. */
  beside?: ApiUnderTest
  /** Name of the AI model; null for a node without one. */
  modelName?: string | null
  /** Enables the reader assistant. */
  assistant?: Pick<AssistantDeps, 'model' | 'monthly'>
  /** @default a free port */
  port?: number
  singleSignOn?: SingleSignOn
  /** Looks up the country of readers; countries are not counted by default. */
  countries?: Countries
  /** Host name in the URL, 127.0.0.1 by default. Passkeys require a name. */
  hostName?: string
  dashboardFolder?: () => Promise<string>
  /** Public URL, if it differs from the URL of the server. */
  publicUrl?: string
  /** Connects to the database of `beside` through another URL. */
  databaseUrl?: string
}

/** Arbitrary limits: no worker runs in these tests. */
const CAPS = { steps: 10, tokens: 1000, minutes: 1, files: 10, bytes: 1000 }
const FEEDBACK_EVENTS = { reportFeedbackChanges: recordFeedbackChanges }

export const SECRET = 'a secret for links and cursors of this test'

export async function startApi(options: ApiOptions = {}): Promise<ApiUnderTest> {
  await using opening = new AsyncDisposableStack()
  const database = opening.use(await openDatabaseFor(options))
  const folder = await mkdtemp(join(tmpdir(), 'octavo-http-'))
  opening.defer(() => rm(folder, { recursive: true, force: true }))
  let url = 'http://127.0.0.1'
  const stored = await openObjectStore({
    kind: 'disk',
    folder,
    secret: SECRET,
    ...(options.now === undefined ? {} : { now: options.now }),
    get publicUrl() {
      return url
    },
  })
  const objects = opening.use(openCheckedStore(stored, options.log ?? silentLog))
  const queue = opening.use(
    await openQueue({ address: { url: (options.beside ?? { database }).database.url }, log: silentLog }),
  )
  const guardedFetch = opening.use(createGuardedFetch())
  const listedFetch = opening.use(createGuardedFetch({ privateHosts: LISTED_HOSTS }))
  const readerTokens = createReaderTokens(SECRET)
  const assistant =
    options.assistant === undefined
      ? null
      : createAssistant({ database, log: silentLog, ...options.assistant })
  const server = opening.use(
    await createServer({
      log: options.log ?? silentLog,
      database,
      limits: { ...LIMITS, ...options.limits },
      retention: () => DEFAULT_RETENTION,
      environmentRetention: { retention: DEFAULT_RETENTION, isRetentionGiven: false },
      previewSource: { given: null, usual: () => 'previews.localhost', dnsServers: [] },
      publicUrl: () => options.publicUrl ?? url,
      previewDomain: () => 'previews.localhost',
      version: '0.0.0-test',
      trustedProxies: options.trustedProxies ?? 0,
      openBounds: { connections: 10_000, byAddress: 10_000, byOrganization: 10_000, ...options.openBounds },
      objectLinks: { store: objects, secret: SECRET },
      sites: options.sites ?? { handle: async () => null },
      dashboardFolder: options.dashboardFolder ?? null,
      signIn: createSignIn({
        providerGuard: listedGuard,
        database,
        log: options.log ?? silentLog,
        secret: SECRET,
        publicUrl: () => options.publicUrl ?? url,
        instanceSecrets: createSecretBox(SECRET, 'instance settings'),
        environmentSignIn: { provider: options.singleSignOn ?? null, variables: [] },
      }),
      isReady: options.isReady ?? (async () => ({ ok: true, parts: { database: 'ok' } })),
      graceMs: options.graceMs ?? 10_000,
      queue,
      objects,
      bundleLinkSeconds: 3600,
      cursors: createCursorCodec(SECRET),
      secret: SECRET,
      guardedFetch,
      playgroundFetch: guardedFetch,
      providerFetch: listedFetch,
      modelGuard: listedGuard,
      webhookSecrets: createSecretBox(SECRET, 'webhooks'),
      pushSecrets: createSecretBox(SECRET, 'push webhooks'),
      commitKeys: createSecretBox(SECRET, 'commit keys'),
      tokenTrials: { kinds: {}, network: {}, allowHttp: false },
      gitCredentials: createSecretBox(SECRET, 'git credentials'),
      readerTokens,
      readerVersions: createReaderVersions(objects),
      gate: createReaderGate(database.queries, readerTokens, () => options.publicUrl ?? url),
      readerSites: createReaderSites({ queries: database.queries, objects, log: silentLog }),
      reportFeedbackChanges: recordFeedbackChanges,
      countries: options.countries ?? null,
      assistant: () => assistant,
      instanceSecrets: createSecretBox(SECRET, 'instance settings'),
      environmentModel: { given: null, keys: {} },
      environmentSignIn: { provider: options.singleSignOn ?? null, variables: [] },
      mailSource: {
        environmentMail: null,
        instanceSecrets: createSecretBox(SECRET, 'instance settings'),
        linkSecrets: createSecretBox(SECRET, 'links of mails'),
        unsubscribe: createUnsubscribeTokens(SECRET),
        authorities: null,
        guard: listedGuard,
      },
      agent: { modelName: options.modelName === undefined ? 'test:model' : options.modelName, caps: CAPS },
      feedback: {
        claim: (tx, wanted) => startFeedbackWork(FEEDBACK_EVENTS, tx, wanted),
        resolve: (tx, wanted) => resolveFeedback(FEEDBACK_EVENTS, tx, wanted),
        release: (tx, wanted) => reopenFeedback(FEEDBACK_EVENTS, tx, wanted),
      },
      questions: { find: findQuestionsForJob },
      git: { mirrorsFolder: join(folder, 'mirrors') },
      projectRules: projectRules(loadConfig({}, {}).config),
      checkProof: createProofCheck(SECRET),
      sweepDeps: () => ({
        ...{ database, objects, log: silentLog, retention: DEFAULT_RETENTION },
        ...{ graceSeconds: 3600, cacheSeconds: null },
      }),
      provesDomains: false,
      onReview: async () => undefined,
      onMerged: async () => undefined,
      reviewTexts: createReviewTexts(),
    }),
  )
  const { port } = await server.listen({ host: '127.0.0.1', port: options.port ?? 0 })
  url = `http://${options.hostName ?? '127.0.0.1'}:${port}`
  const open = opening.move()
  return {
    url,
    port,
    server,
    database,
    objects,
    fetch: await checkedFetch(url),
    acme: options.beside?.acme ?? (await makeTenant(database, { name: 'acme', plan: 'enterprise' })),
    other: options.beside?.other ?? (await makeTenant(database, { name: 'other', plan: 'enterprise' })),
    completeExport: (jobId, archive) => complete(database, objects, jobId, archive),
    [Symbol.asyncDispose]: () => open.disposeAsync(),
  }
}

async function openDatabaseFor({ beside, databaseUrl, poolSize = 10 }: ApiOptions): Promise<TestDatabase> {
  if (beside === undefined) return openTestDatabase({ poolSize })
  const url = databaseUrl ?? beside.database.url
  return { ...(await openDatabase({ url, poolSize, allowFsyncOff: true, log: silentLog })), url }
}

/** Creates an organization with a project at `<name>.example.com` and a key. */
export function makeTenant(database: TestDatabase, wanted: { name: string; plan: Plan }): Promise<Tenant> {
  return database.transaction(async (tx) => {
    const { id: organizationId } = await createOrganization(tx, { ...wanted, actor: 'test' })
    const projectId = await addProject(tx, organizationId, wanted.name)
    const domain = `${wanted.name}.example.com`
    await tx
      .insertInto('project_domains')
      .values({ domain, project_id: projectId, state: 'served' })
      .execute()
    return { organizationId, projectId, domain, key: await makeKey(tx, organizationId) }
  })
}

/** Adds a project without a domain and returns its id. */
export async function addProject(queries: Queries, organizationId: string, name: string): Promise<string> {
  const id = createId('prj')
  await queries
    .insertInto('projects')
    .values({
      id,
      site_id: createId('site'),
      organization_id: organizationId,
      name,
      source_kind: 'folder',
      repository: '/nowhere',
      ref: null,
    })
    .execute()
  return id
}

export async function makeKey(
  tx: Tx,
  organizationId: string,
  wanted: { scopes?: string[]; allowList?: string[] } = {},
): Promise<string> {
  const created = await createApiKey(tx, {
    organizationId,
    name: 'test',
    actor: 'test',
    makerId: null,
    ...wanted,
  })
  return created.text
}

async function complete(
  database: TestDatabase,
  objects: ObjectStore,
  jobId: string,
  archive: Uint8Array,
): Promise<void> {
  const sha256 = digestOf(archive)
  const { sizeBytes } = await objects.put(bundleKey(sha256), archive, { contentType: 'application/gzip' })
  const held = { id: jobId, attempt: 1 }
  await exportRows.claim(database.queries, held)
  const result = { pageCount: 3, warnings: [], sha256, sizeBytes, callServers: [] }
  await database.transaction((tx) => completeExport(tx, held, result))
}

export function jsonRequest(
  method: string,
  key: string,
  body: unknown,
  headers: Record<string, string> = {},
): RequestInit {
  return {
    method,
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
  }
}

export function withKey(key: string, init: RequestInit = {}): RequestInit {
  return { ...init, headers: { Authorization: `Bearer ${key}`, ...init.headers } }
}

export const JOBS = '/v1/static-export/jobs'

/** Starts an export of the tenant's site and returns its id. */
export async function startJob(api: ApiUnderTest, tenant: Tenant): Promise<string> {
  const response = await api.fetch(JOBS, jsonRequest('POST', tenant.key, { domain: tenant.domain }))
  const { jobId } = (await response.json()) as { jobId: string }
  return jobId
}

export async function messagesOf(response: Response): Promise<string[]> {
  const { details = [] } = (await response.json()) as { details?: { message: string }[] }
  return details.map(({ message }) => message)
}
