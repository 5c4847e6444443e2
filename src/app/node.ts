/** A running node: context, HTTP server, workers and housekeeping, started in order and stopped in reverse order. */

import { setTimeout as delay } from 'node:timers/promises'
import { openProgramRunner } from '../base/limited-program.ts'
import { createTxtLookup } from '../base/net/dns-records.ts'
import { createProofCheck } from '../base/operator-proof.ts'
import type { DatabaseAddress } from '../database/database.ts'
import { deleteExpiredSignIns } from '../features/accounts/people/one-time-links.ts'
import { deleteStaleRows } from '../features/accounts/settings/delete-stale-rows.ts'
import { createSignIn } from '../features/accounts/sign-in/sign-in.ts'
import { scheduleRequestChecks, watchPullRequests } from '../features/agent/publish/pull-requests.ts'
import { createReviewTexts } from '../features/agent/review/review-texts.ts'
import { startCounter } from '../features/analytics/intake/counter.ts'
import { openCountries } from '../features/analytics/intake/countries.ts'
import { createServedPages } from '../features/analytics/intake/served-pages.ts'
import { watchAutomations } from '../features/automations/run-due-automations.ts'
import { scheduleForAlarms } from '../features/automations/wake-automations.ts'
import { watchCode } from '../features/automations/watch-code.ts'
import { recordFeedbackChanges } from '../features/feedback/intake/record-events.ts'
import { createReaderTokens } from '../features/hosting/access/reader-token.ts'
import { createReaderGate, findHostedSite } from '../features/hosting/access/site-access.ts'
import { followRepositories } from '../features/hosting/deploy/follow-repositories.ts'
import { createVersionRestorer } from '../features/hosting/deploy/restore-version.ts'
import { parsePreviewLabel } from '../features/hosting/previews/preview-address.ts'
import { watchPreviews } from '../features/hosting/previews/watch-previews.ts'
import { createReaderSites } from '../features/hosting/serve/reader-sites.ts'
import { createReaderVersions } from '../features/hosting/serve/reader-version.ts'
import { createSiteServer } from '../features/hosting/serve/serve-site.ts'
import { watchMails } from '../features/notifications/mail/send-mails.ts'
import { watchNotifications } from '../features/notifications/notification-loop.ts'
import { watchDomains } from '../features/projects/domains/watch-domains.ts'
import { watchStatements } from '../features/statements/watch-statements.ts'
import { type Dispatcher, startDispatcher } from '../features/webhooks/dispatcher.ts'
import { COMMAND_LINE_FOLDER_RULES } from '../git/project-source.ts'
import type { MetricsRouteDeps } from '../http/metrics-access.ts'
import type { HttpServer, ReaderServerDeps, Readiness } from '../http/server.ts'
import type { ActiveJob } from '../queue/job-handler.ts'
import { readQueueState } from '../queue/job-table.ts'
import { type AgentServices, createAgentServices, createAssistantProvider } from './agent.ts'
import { startBackups } from './backups.ts'
import type { Config, Secrets } from './config/config.ts'
import { projectRules } from './config/project-rules.ts'
import { type Context, openContext } from './context.ts'
import { readOrCreateSecret } from './data-folder.ts'
import { readInstallationState } from './installation-metrics.ts'
import { createJobHandlers, endExhausted } from './jobs.ts'
import { startFollowingClock } from './live/follow-clock.ts'
import { followFolders } from './live/follow-folders.ts'
import { renderMetrics } from './metrics.ts'
import { serveMetrics } from './metrics-port.ts'
import { findSigner } from './operator/signing-key.ts'
import { createReadiness } from './readiness.ts'
import { startSweeper, sweepDeps } from './sweeper.ts'
import { PROGRAM_VERSION } from './version.ts'
import { startWaitingWorker, superviseWorker, type WorkerProcess } from './worker-process.ts'

/** Error for a node that cannot start; the message is one sentence for the operator. */
export class StartError extends Error {
  override name = 'StartError'
}

export interface Node {
  context: Context
  /** Drains: accepts no more work, gives running work a grace period, releases the rest, closes everything. */
  stop(): Promise<void>
}

/**
 * Grace period for running requests, and then for running jobs. Together with the rest of the shutdown this takes
 * less than ten seconds, after which containers are killed.
 */
const GRACE_SECONDS = 3
const HOUSEKEEPING_INTERVAL_MS = 10 * 60_000

export interface NodeOptions {
  /** Runs background jobs in a child process, whose crash does not affect this one. Only for the role `all`. */
  hasWorkerProcess?: boolean
  /** Database opened by the parent process. */
  database?: DatabaseAddress
  mayCreate?: boolean
  /** Called with this node's running jobs whenever they change. */
  onHeldJobs?: (jobs: readonly ActiveJob[]) => void
  /** Aborts a start in progress and closes the parts that are already open. */
  signal?: AbortSignal
}

/** Starts a node. Throws StartError, ConfigError, DataFolderError or DatabaseStartError. */
export async function startNode(
  config: Config,
  secrets: Secrets,
  { hasWorkerProcess = false, database, mayCreate = true, onHeldJobs, signal }: NodeOptions = {},
): Promise<Node> {
  await using starting = new AsyncDisposableStack()
  starting.use(openProgramRunner())
  const waiting = hasWorkerProcess && config.role === 'all' ? starting.use(startWaitingWorker()) : null
  const context = starting.use(
    await openContext(config, secrets, { mayCreate, ...(database && { address: database }) }),
  )
  signal?.throwIfAborted()
  const { metrics } = context
  let worker: WorkerProcess | null = null
  // The worker process of a node reports its own metrics. Metrics of the whole node are reported only once.
  const isWorkerProcess = database !== undefined
  if (!isWorkerProcess) {
    metrics.watchQueue(() => readQueueState(context.database.queries))
    metrics.watchInstallation(() => readInstallationState(context.database.queries))
  }
  const metricsEndpoint = {
    access: { from: config.metrics.from, token: secrets.metricsToken },
    scrape: async () => renderMetrics([await metrics.snapshot(), worker?.metricsSnapshot() ?? []]),
  }
  const readiness = createReadiness(context, () => worker)
  const { isReady } = readiness
  const agent = config.role === 'site' ? null : createAgentServices(context, secrets)
  if (agent !== null) starting.use(agent.run.toolSandboxes)
  const server =
    config.role === 'worker' ? null : starting.use(await listen(context, { agent, metricsEndpoint, isReady }))
  signal?.throwIfAborted()
  if (config.metrics.port !== null && !isWorkerProcess)
    starting.use(
      await serveMetrics({ ...metricsEndpoint, isReady }, { host: config.host, port: config.metrics.port }),
    )
  worker = waiting && superviseWorker(context, secrets, undefined, waiting)
  const runsJobs = (config.role === 'all' && worker === null) || config.role === 'worker'
  const dispatcher = runsJobs && agent ? await startWorkers(context, agent, starting, onHeldJobs) : null
  if (runsJobs && config.backup.target !== null) starting.use(startBackups(context, secrets))
  starting.defer(async () => {
    await server?.close()
    const grace = { graceSeconds: GRACE_SECONDS }
    await Promise.all([context.queue.stop(grace), dispatcher?.stop(grace), worker?.stop()])
  })
  starting.use(startFollowingClock({ ...context, onRound: () => metrics.loopCompleted('clock') }))
  starting.use(startHousekeeping(context))
  const running = starting.move()
  // The node first reports that it is not ready and keeps answering, so that load balancers can remove it.
  const drain = async () => {
    readiness.drain()
    server?.drain()
    if (server !== null) await delay(config.drainSeconds * 1000)
  }
  let stopped: Promise<void> | null = null
  return {
    context,
    stop() {
      stopped ??= drain().finally(() => running.disposeAsync())
      return stopped
    },
  }
}

/** Concurrent jobs per build slot: most of them wait for a git server or for a slot. */
const JOBS_PER_SLOT = 16

/**
 * Starts background work. Everything is disposed with `starting`, except for the queue and the dispatcher, which are
 * stopped instead.
 */
async function startWorkers(
  context: Context,
  agent: AgentServices,
  starting: AsyncDisposableStack,
  onActive: NodeOptions['onHeldJobs'],
): Promise<Dispatcher> {
  const { config, metrics } = context
  await context.queue.work(createJobHandlers(context, agent), {
    concurrency: config.workers,
    maxConcurrent: (name) =>
      name === 'agent.run' ? config.agent.jobsAtOnce : config.workers * JOBS_PER_SLOT,
    limitRetrySeconds: config.siteRetrySeconds,
    onExhausted: (job) => endExhausted(context, job),
    isDiskShort: context.disk.isShort,
    watch: metrics,
    ...(onActive && { onActiveJobs: onActive }),
  })
  starting.use(watchPullRequests(agent.pullRequests))
  const onAutomations = () => metrics.loopCompleted('automations')
  starting.use(watchAutomations({ ...context, ...agent, onRound: onAutomations }))
  starting.use(watchCode({ ...context, ...agent, code: agent.run }))
  starting.use(watchStatements({ ...agent.run, ...context, scheduleForAlarms }))
  starting.use(startDataMaintenance(context))
  starting.use(
    watchNotifications({
      ...context,
      onRound: () => metrics.loopCompleted('notifications'),
    }),
  )
  const onMails = () => metrics.loopCompleted('mails')
  starting.use(watchMails({ ...context, source: context.mailSource, onRound: onMails }))
  starting.use(startSourceFollowers(context, agent))
  starting.use(
    watchDomains({
      ...context,
      guardedFetch: context.egress.publicFetch,
      lookUpTxt: createTxtLookup(config.dnsServers),
      isProofAsked: config.provesDomains,
      onRound: () => metrics.loopCompleted('domains'),
    }),
  )
  return startDispatcher({
    ...context,
    guardedFetch: context.egress.fetchFor('webhooks'),
    userAgent: `Octavo-Webhooks/${PROGRAM_VERSION}`,
    onRound: () => metrics.loopCompleted('webhooks'),
  })
}

function startSourceFollowers(context: Context, agent: AgentServices): AsyncDisposable {
  const following = new AsyncDisposableStack()
  const { git } = agent.pullRequests
  following.use(followRepositories({ ...context, git }))
  const onRound = () => context.metrics.loopCompleted('previews')
  following.use(watchPreviews({ ...context, openForge: agent.pullRequests.openForge, onRound }))
  following.use(followFolders({ ...context, folders: git.folders ?? COMMAND_LINE_FOLDER_RULES }))
  return following
}

function startDataMaintenance(context: Context): AsyncDisposable {
  const keepers = new AsyncDisposableStack()
  keepers.use(startSweeper(context))
  const { metrics } = context
  const onRound = () => metrics.loopCompleted('analytics')
  keepers.use(startCounter({ ...context, onRound, onSetAside: metrics.analyticsBatchFailed }))
  return keepers
}

function createNetworkDeps({ config, egress }: Context) {
  return {
    trustedProxies: config.trustedProxies,
    openBounds: config.openBounds,
    guardedFetch: egress.fetchFor('webhooks'),
    playgroundFetch: egress.fetchFor('playground'),
    modelGuard: egress.guardFor('models'),
    providerFetch: egress.fetchFor('signIn'),
  }
}

async function openCountryDatabase({ countryDatabase }: Context['config']) {
  return countryDatabase === null ? null : await openCountries(countryDatabase)
}

interface ListenDeps {
  /** Null on a node that only serves sites. */
  agent: AgentServices | null
  metricsEndpoint: MetricsRouteDeps
  isReady(): Promise<Readiness>
}

async function listen(context: Context, { agent, ...parts }: ListenDeps): Promise<HttpServer> {
  const { config, log } = context
  const { createReaderServer } = await import('../http/server.ts')
  const reading = await createReaderServerDeps(context, parts)
  const server = await (agent === null
    ? createReaderServer(reading)
    : createWholeServer(context, agent, reading))
  try {
    const { port } = await server.listen({ host: config.host, port: config.port })
    context.setPort(port)
    log.info({ host: config.host, port }, 'http.listening')
    return server
  } catch (error) {
    await server.close()
    throw toListenError(config, error as NodeJS.ErrnoException)
  }
}

async function createWholeServer(
  context: Context,
  agent: AgentServices,
  reading: ReaderServerDeps,
): Promise<HttpServer> {
  const { config } = context
  const { createServer } = await import('../http/server.ts')
  return await createServer({
    ...context,
    ...createNetworkDeps(context),
    ...reading,
    limits: config.limits,
    objects: context.servedObjects,
    signIn: createSignIn({ ...context, providerGuard: context.egress.guardFor('signIn') }),
    environmentRetention: config.storage,
    bundleLinkSeconds: config.bundleLinkSeconds,
    objectLinks: config.objects.kind === 's3' ? null : { store: reading.objects, secret: context.secret },
    agent: agent.agent,
    assistant: agent.assistant,
    projectRules: projectRules(config),
    feedback: agent.feedback,
    questions: agent.questions,
    git: agent.pullRequests.git,
    onMerged: agent.pullRequests.onMerged,
    onReview: scheduleRequestChecks,
    reviewTexts: createReviewTexts(),
    checkProof: createProofCheck(await readOrCreateSecret(context.folder, 'operator-key')),
    sweepDeps: () => sweepDeps(context),
    findPublicKey: async () => (await findSigner(config))?.publicKey ?? null,
  })
}

async function createReaderServerDeps(
  context: Context,
  { metricsEndpoint, isReady }: Omit<ListenDeps, 'agent'>,
): Promise<ReaderServerDeps> {
  const { config, database, servedObjects: objects, log, metrics } = context
  const readerSites = createReaderSites({ queries: database.queries, objects, log })
  const readers = createReaderDeps(context)
  const servedPages = createServedPages({ ...context, ...database, sites: readerSites })
  return {
    ...context,
    ...createNetworkDeps(context),
    objects,
    objectLinks: null,
    metricsRoute: metricsEndpoint,
    onAnswer: metrics.answered,
    limits: config.limits,
    graceMs: GRACE_SECONDS * 1000,
    version: PROGRAM_VERSION,
    readerSites,
    ...readers,
    reportFeedbackChanges: recordFeedbackChanges,
    assistant: createAssistantProvider(context),
    countries: await openCountryDatabase(config),
    provesDomains: config.provesDomains,
    sites: createSiteServer({
      objects,
      findSite: (host) => findHostedSite(database.queries, host, context.previewDomain()),
      isForPreviews: (host) => parsePreviewLabel(host, context.previewDomain()) !== null,
      gate: readers.gate,
      onMissing: createVersionRestorer(context),
      onServed: servedPages.recordPage,
    }),
    isReady,
    ...(storesOnDisk(context) ? { isDiskShort: context.disk.isShort } : {}),
  }
}

function createReaderDeps({ secret, database, servedObjects, publicUrl }: Context) {
  const readerTokens = createReaderTokens(secret)
  const gate = createReaderGate(database.queries, readerTokens, publicUrl)
  return { readerTokens, gate, readerVersions: createReaderVersions(servedObjects) }
}

/** Returns whether this node stores data on its own disk. If not, a full disk is no reason to reject data. */
function storesOnDisk({ address, config }: Context): boolean {
  return 'connection' in address || config.objects.kind === 'disk'
}

function toListenError(config: Config, error: NodeJS.ErrnoException): Error {
  const listenAddress = `${config.host}:${config.port}`
  switch (error.code) {
    case 'EADDRINUSE':
      return new StartError(
        `Port ${config.port} is already in use. Set another one with PORT, or stop the other program.`,
      )
    case 'EACCES':
      return new StartError(
        `This user is not allowed to listen on ${listenAddress}. Set a port above 1023 with PORT.`,
      )
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new StartError(
        `This machine does not have the IP address ${config.host}. Set HOST to an IP address of this machine.`,
      )
    default:
      return error
  }
}

function startHousekeeping(context: Context): Disposable {
  context.metrics.loopCompleted('housekeeping') // measures from the start, because the first round has not run yet
  const housekeeping = setInterval(() => runHousekeeping(context), HOUSEKEEPING_INTERVAL_MS)
  return { [Symbol.dispose]: () => clearInterval(housekeeping) }
}

function runHousekeeping({ database, config, log, metrics }: Context): void {
  const longestWindowSeconds = Math.max(...Object.values(config.limits).map((limit) => limit.seconds))
  const chores = [
    deleteStaleRows(database.queries, { longestWindowSeconds }),
    deleteExpiredSignIns(database.queries),
  ]
  for (const chore of chores)
    chore.catch((error: Error) => log.warn({ error: error.message }, 'housekeeping.failed'))
  Promise.all(chores).then(
    () => metrics.loopCompleted('housekeeping'),
    () => {},
  )
}
