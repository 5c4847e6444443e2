/** Composition root: opens all parts of a node in order and closes them in reverse order. */

import type { Retention } from '../base/api/retention.ts'
import { createDiskSpace, type DiskSpace } from '../base/files/disk-space.ts'
import type { AddressGuard } from '../base/net/address-guard.ts'
import { createSecretBox, type SecretBox } from '../base/secret-box.ts'
import { type CursorCodec, createCursorCodec } from '../base/signed-cursor.ts'
import { unscheduleObjects } from '../database/unschedule-objects.ts'
import { chosenPreviewDomain, resolveRetention } from '../features/accounts/settings/server-choices.ts'
import type { EnvironmentSignIn } from '../features/accounts/sign-in/sign-in-settings.ts'
import type { MailSource } from '../features/notifications/mail/mail-setup.ts'
import { defaultPreviewDomain } from '../features/projects/domains/reserved-names.ts'
import { createRetainer, openRetainingStore } from '../features/storage/retaining-store.ts'
import type { TokenTestSettings } from '../git/forges/test-token.ts'
import type { EnvironmentModel } from '../model/model-setup.ts'
import type { CheckedStore } from '../objects/checked-store.ts'
import { openQueue, type Queue } from '../queue/queue.ts'
import type { Config, Secrets } from './config/config.ts'
import { createEnvironmentSignIn } from './config/oidc-config.ts'
import { dashboardFolder } from './dashboard.ts'
import { readOrCreateSecret, requireDataFolder } from './data-folder.ts'
import { type DatabaseContext, type Opening, openDatabaseContext } from './database-context.ts'
import { createEgress, type Egress } from './egress.ts'
import { joinInstallation } from './installation.ts'
import { createLiveModels, type LiveModels, readEnvironmentModel } from './live/live-models.ts'
import type { LiveSettings } from './live/live-settings.ts'
import { deriveFromSettings, followSettings } from './live/live-settings.ts'
import { createMailSource } from './live/mail-source.ts'
import { createMetrics, type Metrics } from './metrics.ts'
import { openObjects } from './open-objects.ts'

export interface Context extends DatabaseContext {
  /** Object store for builds: looking up, reusing or writing an object protects it from deletion. */
  objects: CheckedStore
  /** Object store for serving readers. Unlike `objects`, it does not protect objects from deletion. */
  servedObjects: CheckedStore
  queue: Queue
  cursors: CursorCodec
  metrics: Metrics
  disk: DiskSpace
  egress: Egress
  webhookSecrets: SecretBox
  pushSecrets: SecretBox
  commitKeys: SecretBox
  tokenTrials: TokenTestSettings
  gitCredentials: SecretBox
  instanceSecrets: SecretBox
  models: LiveModels
  environmentModel: EnvironmentModel
  environmentSignIn: EnvironmentSignIn
  mailSource: MailSource
  dashboardFolder(): Promise<string>
  /** Signs links and cursors. */
  secret: string
  /** Returns the URL of the API, whose port may be known only once the server listens. */
  publicUrl(): string
  previewDomain(): string | null
  previewSource: PreviewSource
  retention(): Retention
  setPort(port: number): void
  port(): number
}

export async function openContext(
  config: Config,
  secrets: Secrets,
  databaseOptions: Opening = { mayCreate: true },
): Promise<Context> {
  await using opening = new AsyncDisposableStack()
  const base = opening.use(await openDatabaseContext(config, secrets, databaseOptions))
  const secret = secrets.secret ?? (await readOrCreateSecret(base.folder, 'secret'))
  if (config.objects.kind === 'disk' && !databaseOptions.mayCreate) await requireDataFolder(base.folder)
  let port = config.port
  const publicUrl = () => config.publicUrl ?? `http://localhost:${port}`
  const storeLocation = { folder: base.folder.objects, secret, publicUrl }
  const metrics = createMetrics(databaseOptions.address === undefined ? 'server' : 'worker')
  const stored = opening.use(await openObjects(config, secrets, storeLocation, base.log))
  const servedObjects = metrics.measureStore(stored)
  const keep = createRetainer((keys) => unscheduleObjects(base.database.queries, keys))
  const objects = openRetainingStore(servedObjects, keep)
  metrics.watchDatabase(base.database)
  metrics.watchDisk(config.dataFolder)
  await joinInstallation({ ...base, objects, secret })
  const onSupervised = () => metrics.loopCompleted('queue')
  const queue = opening.use(await openQueue({ address: base.address, log: base.log, onSupervised }))
  const egress = opening.use(createEgress(config))
  const instanceSecrets = createSecretBox(secret, 'instance settings')
  const mailSource = await createMailSource(config, secrets, { secret, instanceSecrets })
  const settings = opening.use(await followSettings(base))
  const models = createLiveModels({ ...base, instanceSecrets, settings }, secrets.modelKeys)
  const open = opening.move()
  return {
    ...base,
    objects,
    metrics,
    disk: createDiskSpace(config.dataFolder),
    servedObjects,
    queue,
    egress,
    instanceSecrets,
    mailSource,
    models,
    environmentModel: readEnvironmentModel(config, secrets.modelKeys),
    environmentSignIn: createEnvironmentSignIn(config.oidc, secrets.oidcClientSecret),
    tokenTrials: tokenTrials(config, egress.guardFor('git')),
    gitCredentials: createSecretBox(secret, 'git credentials'),
    webhookSecrets: createSecretBox(secret, 'webhooks'),
    pushSecrets: createSecretBox(secret, 'push webhooks'),
    commitKeys: createSecretBox(secret, 'commit keys'),
    cursors: createCursorCodec(secret),
    dashboardFolder,
    secret,
    publicUrl,
    ...createPreviewDomain(config, { settings, publicUrl }),
    retention: deriveFromSettings(settings, (now) => resolveRetention(now, config.storage)),
    port: () => port,
    setPort(listening) {
      port = listening
    },
    [Symbol.asyncDispose]: () => open.disposeAsync(),
  }
}

function tokenTrials({ git, forges }: Config, guard: AddressGuard): TokenTestSettings {
  const { caFile, proxy, allowHttp } = git
  const network = { guard, caFile: caFile ?? undefined, proxy: proxy ?? undefined }
  return { kinds: forges.kinds, network, allowHttp }
}

interface PreviewSource {
  given: string | null
  usual(): string | null
  dnsServers: readonly string[]
}

/** Domain of previews: set by the environment, else by operators, else a subdomain of localhost. */
function createPreviewDomain(
  { previewDomain: given, dnsServers }: Pick<Config, 'previewDomain' | 'dnsServers'>,
  { settings, publicUrl }: { settings: Pick<LiveSettings, 'current'>; publicUrl: () => string },
): { previewDomain(): string | null; previewSource: PreviewSource } {
  const usual = () => defaultPreviewDomain(publicUrl())
  return {
    previewDomain: () => given ?? chosenPreviewDomain(settings.current()) ?? usual(),
    previewSource: { given, usual, dnsServers },
  }
}
