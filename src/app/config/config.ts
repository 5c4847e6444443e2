/** Typed configuration. Apart from caller.ts, only this module reads the environment. Secrets are separate. */
import { readFileSync, statSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { isAbsolute, join, resolve } from 'node:path'
import { parseEnv } from 'node:util'
import {
  DEFAULT_RETENTION,
  MAX_RETENTION_DAYS,
  RETENTION_KINDS,
  type Retention,
  type RetentionKind,
} from '../../base/api/retention.ts'
import { closestName } from '../../base/text/closest-name.ts'
import { splitList } from '../../base/text/split-list.ts'
import { LIMIT_NAMES, type Limits } from '../../features/limits.ts'
import {
  isMailHost,
  type MailChoice,
  sendsPasswordUnencrypted,
} from '../../features/notifications/mail/mail-choice.ts'
import { parseMailbox } from '../../features/notifications/mail/mailbox.ts'
import { MAIL_TLS, type MailTls } from '../../features/notifications/operations/mail-tls.ts'
import type { GithubApp } from '../../git/forges/github-app.ts'
import type { ModelKeys, ModelSettings } from '../../model/open-model.ts'
import { egressFaults, readPrivateHosts } from '../egress.ts'
import { accessFaults, readMetricsConfig } from './access-config.ts'
import {
  agentFaults,
  KEY_OPTIONS,
  modelSettings,
  providerFaults,
  readAgentConfig,
  readModelKeys,
  readProvider,
} from './agent-config.ts'
import { OPTIONS } from './config-options.ts'
import { forgeFaults, readForgeConfig, readGithubApp } from './forge-config.ts'
import { formatGitScope, readGitScopes, readScopedTokens, type ScopedToken } from './git-scopes.ts'
import { oidcFaults, readOidcConfig } from './oidc-config.ts'
import type { Option } from './option.ts'
import { createReader, type Reader, type Text } from './read-setting.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** Configuration of a node. `OPTIONS` documents the meaning and unit of each setting. */
export type Config = ReturnType<typeof readConfig>

/** Secret settings, which are never printed or logged. */
export interface Secrets {
  databaseUrl: string | null
  /** URL that bypasses a pooler; null uses `databaseUrl`. */
  databaseDirectUrl: string | null
  s3: { accessKeyId: string; secretAccessKey: string } | null
  secret: string | null
  backupPassphrase: string | null
  gitTokens: readonly ScopedToken[]
  githubApp: GithubApp | null
  modelKeys: ModelKeys
  oidcClientSecret: string | null
  mailPassword: string | null
  metricsToken: string | null
}

/** Error that lists all problems of the configuration. */
export class ConfigError extends Error {
  override name = 'ConfigError'
  readonly faults: readonly string[]
  constructor(faults: readonly string[]) {
    super(`The configuration is invalid:\n${faults.map((fault) => `  - ${fault}`).join('\n')}`)
    this.faults = faults
  }
}

function readConfig(text: Text, read: Reader, faults: string[]) {
  const agent = readAgentConfig(text, read)
  const assistant = readAssistantConfig(text, read)
  return {
    port: read.integer('port'),
    host: text('host') ?? '127.0.0.1',
    /** No trailing slash. Null derives the URL from the port, which is known only once the server listens. */
    publicUrl: read.origin('publicUrl'),
    dataFolder: resolve(text('dataFolder') ?? '.octavo'),
    role: read.oneOf('role', ['all', 'api', 'site', 'worker']),
    /** Only nodes of the roles api and site run behind a load balancer, so other nodes do not wait. */
    drainSeconds:
      text('drainSeconds') === null
        ? Number(['api', 'site'].includes(text('role') ?? '')) * 5
        : read.integer('drainSeconds'),
    workers: read.integer('workers'),
    renderChildren: text('renderChildren') === null ? availableParallelism() : read.integer('renderChildren'),
    sampleRunner: text('sampleRunner'),
    siteRetrySeconds: read.integer('siteRetry'),
    siteMemoryMb: read.integer('siteMemory'),
    logLevel: read.oneOf('logLevel', ['debug', 'info', 'warn', 'error', 'silent']),
    /** Whether logs are human-readable. Set by commands. */
    logsAsText: false,
    trustedProxies: read.integer('trustedProxies'),
    metrics: readMetricsConfig(text, read),
    openBounds: {
      connections: read.integer('connections'),
      byAddress: read.integer('openByAddress'),
      byOrganization: read.integer('openByOrganization'),
    },
    backup: {
      target: text('backupTarget'),
      hours: read.integer('backupHours'),
      retained: read.integer('backupRetained'),
    },
    database: { kind: text('databaseUrl') === null ? ('embedded' as const) : ('external' as const) },
    databasePool: read.integer('databasePool'),
    allowFsyncOff: read.boolean('allowFsyncOff'),
    objects: readObjects(text),
    s3: readS3(text, read),
    privateHosts: readPrivateHosts(text, [agent.model, assistant.model]),
    /** Absolute folders that may contain sources. If empty, only the command line can add folders. */
    sourceRoots: splitList(text('sourceRoots')),
    /** Null uses a subdomain of localhost if the public URL is on localhost; otherwise there are no previews. */
    previewDomain: text('previewDomain')?.toLowerCase() ?? null,
    provesDomains: read.boolean('proveDomains'),
    /** DNS servers for domain verification; empty uses those of the system. */
    dnsServers: splitList(text('dnsServers')),
    git: {
      caFile: text('gitCaFile'),
      proxy: text('gitProxy'),
      sshAgent: text('gitSshAgent'),
      /** Scopes of this machine's SSH keys. If empty, the keys serve any repository of the only organization. */
      sshFor: readGitScopes(text('gitSshFor')).filter((scope) => scope !== null),
      githubAppFor: readGitScopes(text('githubAppFor')).filter((scope) => scope !== null),
      allowHttp: read.boolean('gitAllowHttp'),
    },
    forges: readForgeConfig(text),
    /** Null uses the key in the data folder, if it exists. */
    signingKey: text('signingKey'),
    bundleLinkSeconds: read.integer('bundleLinkSeconds'),
    storage: readStorageConfig(text, read, faults),
    limits: readLimits(read),
    agent,
    assistant,
    /** Null turns off statistics by country. */
    countryDatabase: text('countryDatabase'),
    /** Null turns off sign-in with a provider. */
    oidc: readOidcConfig(text, read),
    /** If unset, operators can configure a mail server on the dashboard. */
    mail: readMailConfig(text, read),
  }
}

function readLimits(read: Reader): Limits {
  return Object.fromEntries(LIMIT_NAMES.map((name) => [name, read.limit(`limits.${name}`)])) as Limits
}

/** The only secrets that a node of the role site reads: for rows, objects, links, metrics and the assistant's model. */
const SITE_SECRETS: ReadonlySet<string> = new Set([
  ...['databaseUrl', 'databaseDirectUrl', 's3AccessKeyId', 's3SecretAccessKey', 'secret', 'metricsToken'],
  ...Object.values(KEY_OPTIONS),
])

/** Loads the configuration. Flags override the environment; empty variables count as unset. Throws ConfigError. */
export function loadConfig(
  flags: Readonly<Record<string, string | undefined>> = {},
  env: Environment = process.env,
): { config: Config; secrets: Secrets } {
  const faults: string[] = []
  const isSite = (flags.role ?? env[OPTIONS.role.env]) === 'site'
  const text: Text = (name) => {
    const option: Option = OPTIONS[name]
    if (isSite && option.isSecret && !SITE_SECRETS.has(name)) return null
    const flag = option.flag === undefined ? undefined : flags[option.flag]
    return flag ?? (env[option.env] || undefined) ?? option.default ?? null
  }
  const read = createReader(text, faults)

  const config = readConfig(text, read, faults)
  const secrets = readSecrets(text)
  faults.push(
    ...findConflicts(config, secrets, text),
    ...egressFaults(text, env),
    ...agentFaults(text),
    ...assistantFaults(text),
  )
  if (!isSite) faults.push(...forgeFaults(text), ...oidcFaults(text), ...mailFaults(text))
  if (faults.length > 0) throw new ConfigError(faults)
  return { config, secrets }
}

/** Removes secrets from the environment after they were read, so that child processes do not inherit them. */
export function removeSecretsFromEnv(env: Record<string, string | undefined> = process.env): void {
  for (const option of Object.values(OPTIONS as Record<string, Option>))
    if (option.isSecret) delete env[option.env]
}

/** Returns the output of `octavo config`: every setting, with secrets as `set` or `not set`. */
export function describeConfig(config: Config, secrets: Secrets): Record<string, unknown> {
  const { gitTokens, modelKeys, ...others } = secrets
  const secretStates = Object.entries(others).map(([name, value]) => [
    name,
    value === null ? 'not set' : 'set',
  ])
  return {
    ...config,
    secrets: {
      ...Object.fromEntries(secretStates),
      gitTokens: gitTokens.map(formatGitScope),
      modelKeys: Object.keys(modelKeys),
    },
  }
}

type ObjectsConfig =
  | { kind: 'disk' }
  | {
      kind: 's3'
      bucket: string
      prefix: string
    }

function readS3(text: Text, read: Reader) {
  return {
    region: text('s3Region') ?? 'us-east-1',
    endpoint: read.origin('s3Endpoint'),
    isPathStyle: read.boolean('s3PathStyle'),
  }
}

function readObjects(text: Text): ObjectsConfig {
  const bucket = text('s3Bucket')
  return bucket === null ? { kind: 'disk' } : { kind: 's3', bucket, prefix: text('s3Prefix') ?? '' }
}

function readSecrets(text: Text): Secrets {
  const accessKeyId = text('s3AccessKeyId')
  const secretAccessKey = text('s3SecretAccessKey')
  return {
    databaseUrl: text('databaseUrl'),
    databaseDirectUrl: text('databaseDirectUrl'),
    s3: accessKeyId !== null && secretAccessKey !== null ? { accessKeyId, secretAccessKey } : null,
    secret: text('secret'),
    backupPassphrase: text('backupPassphrase'),
    gitTokens: readScopedTokens(text('gitTokens')).filter((scoped) => scoped !== null),
    githubApp: readGithubApp(text),
    modelKeys: readModelKeys(text),
    oidcClientSecret: text('oidcClientSecret'),
    mailPassword: text('mailPassword'),
    metricsToken: text('metricsToken'),
  }
}

function findConflicts(config: Config, secrets: Secrets, text: Text): string[] {
  const faults: string[] = []
  for (const [name, url] of [
    ['DATABASE_URL', secrets.databaseUrl],
    ['OCTAVO_DATABASE_DIRECT_URL', secrets.databaseDirectUrl],
  ] as const)
    if (url !== null && !/^postgres(?:ql)?:$/.test(URL.parse(url)?.protocol ?? ''))
      faults.push(`${name} must be a postgres:// URL.`)
  if (secrets.databaseUrl === null && secrets.databaseDirectUrl !== null)
    faults.push('OCTAVO_DATABASE_DIRECT_URL requires DATABASE_URL. Set both or neither.')
  if (secrets.secret !== null && secrets.secret.length < 32)
    faults.push('OCTAVO_SECRET must have at least 32 characters.')
  if ((text('s3AccessKeyId') === null) !== (text('s3SecretAccessKey') === null))
    faults.push(
      'OCTAVO_S3_ACCESS_KEY_ID and OCTAVO_S3_SECRET_ACCESS_KEY must be used together. Set both or neither.',
    )
  const { target } = config.backup
  if (target !== null && !/^(?:\/|s3:\/\/[a-z0-9])/.test(target))
    faults.push('OCTAVO_BACKUP_TARGET must be an absolute folder, or s3://<bucket>/<prefix>.')
  if (secrets.backupPassphrase !== null && secrets.backupPassphrase.length < 12)
    faults.push('OCTAVO_BACKUP_PASSPHRASE must have at least 12 characters.')
  const usesBuckets = config.objects.kind === 's3' || target?.startsWith('s3://')
  if (!usesBuckets && (text('s3Endpoint') ?? text('s3Region') ?? text('s3Prefix')) !== null)
    faults.push('OCTAVO_S3_BUCKET is not set, but other OCTAVO_S3_* settings are.')
  if (config.role !== 'all' && config.database.kind === 'embedded')
    faults.push(`The role ${config.role} shares its database with other processes. Set DATABASE_URL.`)
  if (config.role !== 'all' && secrets.secret === null)
    faults.push(
      `The role ${config.role} shares signed links with other processes. Set OCTAVO_SECRET to the same value on all of them.`,
    )
  faults.push(...accessFaults(text))
  if (config.role === 'worker' && text('publicUrl') === null)
    faults.push('A worker does not listen on a port, so its public URL is unknown. Set OCTAVO_PUBLIC_URL.')
  return faults
}

/** Returns the API URL and key for commands: from flags, then from OCTAVO_URL and OCTAVO_KEY, else null. */
export function readClientSettings(
  flags: { url: string | undefined; key: string | undefined },
  env: Environment = process.env,
): { url: string | null; key: string | null; defaultUrl: string } {
  return {
    url: flags.url ?? (env.OCTAVO_URL || null),
    key: flags.key ?? (env.OCTAVO_KEY || null),
    defaultUrl: `http://localhost:${env.PORT || OPTIONS.port.default}`,
  }
}

/** Returns the data folder or database that the environment sets for commands. */
export function readDataSettings(env: Environment = process.env): {
  given: string | null
  hasDatabase: boolean
} {
  return { given: env[OPTIONS.dataFolder.env] || null, hasDatabase: Boolean(env[OPTIONS.databaseUrl.env]) }
}

/** Returns the command that runs code samples, for commands that check or build a folder. */
export function readSampleRunner(env: Environment = process.env): string | null {
  return env[OPTIONS.sampleRunner.env] || null
}

/** Folder in which running servers register themselves, private to this user. */
export function runtimeFolder(env: Environment = process.env): string {
  if (env.XDG_RUNTIME_DIR && isAbsolute(env.XDG_RUNTIME_DIR)) return join(env.XDG_RUNTIME_DIR, 'octavo')
  return join(tmpdir(), `octavo-servers-${process.getuid?.() ?? 'user'}`)
}

const MAX_DOT_ENV_BYTES = 1 << 20

/** Variables of commands, which are not settings of `start`. */
const COMMAND_VARIABLES = ['OCTAVO_URL', 'OCTAVO_KEY']

/** Variables set by Octavo itself: by the parent process, and by the test runner. */
const INTERNAL_VARIABLE_PATTERN = /^OCTAVO_(?:PARENT$|TEST_|FAULT_)/

/** Returns one message for each variable that looks like a setting but does not exist, with the most similar name. */
export function describeUnknownSettings(env: Environment = process.env): string[] {
  const known = listVariables()
  return Object.keys(env)
    .filter((name) => name.startsWith('OCTAVO_') && !known.has(name) && !INTERNAL_VARIABLE_PATTERN.test(name))
    .map((name) => {
      const closest = closestName(name, [...known])
      return `${name} is not a known setting.${closest === null ? '' : ` Did you mean ${closest}?`}`
    })
}

function listVariables(): Set<string> {
  return new Set([...Object.values(OPTIONS).map((option) => option.env), ...COMMAND_VARIABLES])
}

export interface DotEnv {
  file: string
  applied: string[]
  unknown: string[]
}

/**
 * Loads the `.env` file of a folder into the environment; variables already set take precedence. Ignores names that
 * do not belong to Octavo. Returns null if there is no such file. Throws ConfigError.
 */
export function loadDotEnv(
  folder: string,
  env: Record<string, string | undefined> = process.env,
): DotEnv | null {
  const file = join(folder, '.env')
  const settings = readDotEnv(file)
  if (settings === null) return null
  const known = listVariables()
  const ownNames = Object.keys(settings).filter((name) => known.has(name))
  for (const name of ownNames) env[name] ??= settings[name]
  const applied = ownNames.filter((name) => env[name] === settings[name])
  const unknown = Object.keys(settings).filter((name) => name.startsWith('OCTAVO_') && !known.has(name))
  return { file, applied, unknown }
}

function readDotEnv(file: string): Record<string, string | undefined> | null {
  try {
    if (statSync(file).size > MAX_DOT_ENV_BYTES)
      throw new ConfigError([`${file} is larger than ${MAX_DOT_ENV_BYTES} bytes.`])
    return parseEnv(readFileSync(file, 'utf8'))
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return null
    if (code === undefined) throw error
    throw new ConfigError([`${file} cannot be read (${code}).`])
  }
}

export function hasDisplay(env: Environment = process.env): boolean {
  return process.platform === 'darwin' || Boolean(env.DISPLAY || env.WAYLAND_DISPLAY)
}

interface StorageConfig {
  /** Days by kind. Kinds that the environment does not set use the defaults. */
  retention: Retention
  /** True if the environment sets the retention, which the dashboard then cannot change. */
  isRetentionGiven: boolean
  graceSeconds: number
}

function readStorageConfig(text: Text, read: Reader, faults: string[]): StorageConfig {
  return {
    retention: readRetention(text, faults),
    isRetentionGiven: text('retention') !== null,
    graceSeconds: read.integer('storageGrace') * 3600,
  }
}

function readRetention(text: Text, faults: string[]): Retention {
  const retention = { ...DEFAULT_RETENTION }
  for (const part of splitList(text('retention'))) {
    const [, kind, days] = /^(\w{1,40})=(\d{1,6})$/.exec(part) ?? []
    if (kind !== undefined && isKind(kind) && Number(days) <= MAX_RETENTION_DAYS)
      retention[kind] = Number(days)
    else
      faults.push(
        `${OPTIONS.retention.env} must be <kind>=<days>, separated by commas, with 0 to ${MAX_RETENTION_DAYS} days and the kinds ${RETENTION_KINDS.join(', ')}, not "${part}".`,
      )
  }
  return retention
}

function isKind(kind: string): kind is RetentionKind {
  return RETENTION_KINDS.some((known) => known === kind)
}

interface AssistantConfig {
  /** Null turns off the assistant. */
  model: ModelSettings | null
  /** Limits per project and calendar month. */
  monthly: { questions: number; tokens: number }
}

function readAssistantConfig(text: Text, read: Reader): AssistantConfig {
  return {
    model: readModel(text),
    monthly: {
      questions: read.integer('assistantQuestions'),
      tokens: read.integer('assistantTokens'),
    },
  }
}

/**
 * Reads the assistant's model. A configured URL belongs to the provider of agent jobs, so it is not used if agent jobs
 * have a model of another provider.
 */
function readModel(text: Text): ModelSettings | null {
  const name = text('assistantModel')
  const settings = modelSettings(name, text)
  if (settings === null || name === null) return null
  const jobModel = text('model')
  const isSame = jobModel === null || findNamedProvider(jobModel) === findNamedProvider(name)
  return { ...settings, url: isSame ? settings.url : null, recordFile: null }
}

function findNamedProvider(name: string): string | null {
  const provider = readProvider(name)
  return typeof provider === 'string' ? provider : null
}

function assistantFaults(text: Text): string[] {
  const provider = readProvider(text('assistantModel'))
  if (provider === null) return []
  if (provider instanceof RangeError) return [`OCTAVO_ASSISTANT_MODEL is invalid. ${provider.message}`]
  if (provider === 'replay') return []
  return providerFaults('OCTAVO_ASSISTANT_MODEL', provider, text)
}

interface MailConfig extends MailChoice {
  /** Null uses the certificate authorities built into Node. */
  caFile: string | null
}

function readMailConfig(text: Text, read: Reader): MailConfig {
  const tls: MailTls = read.oneOf('mailTls', MAIL_TLS)
  return {
    host: text('mailHost'),
    port: text('mailPort') === null ? null : read.integer('mailPort'),
    tls,
    user: text('mailUser'),
    from: text('mailFrom'),
    caFile: text('mailCaFile'),
  }
}

function mailFaults(text: Text): string[] {
  const faults: string[] = []
  const [host, user, from] = [text('mailHost'), text('mailUser'), text('mailFrom')]
  const others = ['mailPort', 'mailUser', 'mailPassword', 'mailFrom'] as const
  if (host === null && others.some((name) => text(name) !== null))
    faults.push('OCTAVO_MAIL_HOST is not set, but other OCTAVO_MAIL_* settings are.')
  if (host !== null && !isMailHost(host))
    faults.push('OCTAVO_MAIL_HOST must be the host name or IP address of a mail server, without a port.')
  if ((user === null) !== (text('mailPassword') === null))
    faults.push('OCTAVO_MAIL_USER and OCTAVO_MAIL_PASSWORD must be used together. Set both or neither.')
  if (host !== null && (from === null || parseMailbox(from) === null))
    faults.push(
      'OCTAVO_MAIL_FROM must be <address> or <name> <<address>>, for example Acme Docs <docs@example.com>.',
    )
  if (
    sendsPasswordUnencrypted({
      host,
      port: null,
      tls: text('mailTls') === 'none' ? 'none' : 'tls',
      user,
      from,
    })
  )
    faults.push('OCTAVO_MAIL_TLS=none would send the password unencrypted. Set it to starttls or tls.')
  return faults
}
