/** The one typed place of configuration, and with caller.ts the only reader of the environment. Secrets stand apart. */
import { readFileSync, statSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { isAbsolute, join, resolve } from 'node:path'
import { parseEnv } from 'node:util'
import { LIMIT_NAMES, type Limits } from '../../base/api/limits.ts'
import {
  DEFAULT_RETENTION,
  MOST_RETENTION_DAYS,
  RETENTION_KINDS,
  type Retention,
  type RetentionKind,
} from '../../base/api/retention.ts'
import {
  isMailHost,
  type MailChoice,
  sendsPasswordOpenly,
} from '../../features/notifications/mail/mail-choice.ts'
import { parseMailbox } from '../../features/notifications/mail/mailbox.ts'
import { MAIL_TLS, type MailTls } from '../../features/notifications/operations/mail-tls.ts'
import type { GithubApp } from '../../git/forges/github-client.ts'
import type { ModelKeys, ModelSettings } from '../../model/open-model.ts'
import { egressFaults, readPrivateHosts } from '../egress.ts'
import { accessFaults, listOf, readMetricsConfig } from './access-config.ts'
import {
  agentFaults,
  modelSettings,
  providerFaults,
  providerOf,
  readAgentConfig,
  readModelKeys,
} from './agent-config.ts'
import { OPTIONS } from './config-options.ts'
import { forgeFaults, readForgeConfig, readGithubApp } from './forge-config.ts'
import { gitScopeText, readGitScopes, readScopedTokens, type ScopedToken } from './git-scopes.ts'
import { oidcFaults, readOidcConfig } from './oidc-config.ts'
import type { Option } from './option.ts'
import { createReader, type Reader, type Text } from './read-setting.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** What each is and its unit is said in the rows of `OPTIONS`. */
export type Config = ReturnType<typeof readConfig>

/** Never printed, never logged. */
export interface Secrets {
  databaseUrl: string | null
  /** Past a pooler; null: the same. */
  databaseDirectUrl: string | null
  s3: { accessKeyId: string; secretAccessKey: string } | null
  secret: string | null
  gitTokens: readonly ScopedToken[]
  githubApp: GithubApp | null
  modelKeys: ModelKeys
  oidcClientSecret: string | null
  mailPassword: string | null
  metricsToken: string | null
}

/** All faults of the configuration at once. */
export class ConfigError extends Error {
  override name = 'ConfigError'
  readonly faults: readonly string[]
  constructor(faults: readonly string[]) {
    super(`The configuration cannot be used:\n${faults.map((fault) => `  - ${fault}`).join('\n')}`)
    this.faults = faults
  }
}

function readConfig(text: Text, read: Reader, faults: string[]) {
  const agent = readAgentConfig(text, read)
  const assistant = readAssistantConfig(text, read)
  return {
    port: read.integer('port'),
    host: text('host') ?? '127.0.0.1',
    /** Without a trailing slash; null until the server listens, when it is to follow the port. */
    publicUrl: read.origin('publicUrl'),
    dataFolder: resolve(text('dataFolder') ?? '.octavo'),
    role: read.oneOf('role', ['all', 'api', 'worker']),
    /** Only nodes of the role api are expected behind a load balancer. */
    drainSeconds:
      text('drainSeconds') !== null ? read.integer('drainSeconds') : text('role') === 'api' ? 5 : 0,
    workers: read.integer('workers'),
    renderChildren: text('renderChildren') === null ? availableParallelism() : read.integer('renderChildren'),
    siteRetrySeconds: read.integer('siteRetry'),
    siteMemoryMb: read.integer('siteMemory'),
    logLevel: read.oneOf('logLevel', ['debug', 'info', 'warn', 'error', 'silent']),
    /** For people at a terminal. Commands set it. */
    logsAsText: false,
    trustedProxies: read.integer('trustedProxies'),
    metrics: readMetricsConfig(text, read),
    openBounds: {
      connections: read.integer('connections'),
      byAddress: read.integer('openByAddress'),
      byOrganization: read.integer('openByOrganization'),
    },
    database: { kind: text('databaseUrl') === null ? ('embedded' as const) : ('external' as const) },
    databasePool: read.integer('databasePool'),
    allowFsyncOff: read.boolean('allowFsyncOff'),
    objects: readObjects(text, read),
    privateHosts: readPrivateHosts(text, [agent.model, assistant.model]),
    /** Absolute folders within which sources may lie; empty: where the command line says. */
    sourceRoots: listOf(text('sourceRoots')),
    /** Null: below localhost where the public address is, else there are no previews. */
    previewDomain: text('previewDomain')?.toLowerCase() ?? null,
    provesDomains: read.boolean('proveDomains'),
    /** Asked for the proofs; empty: the system's. */
    dnsServers: listOf(text('dnsServers')),
    git: {
      caFile: text('gitCaFile'),
      proxy: text('gitProxy'),
      sshAgent: text('gitSshAgent'),
      /** What the keys of ssh are for that the machine holds; empty: all that the only organization names. */
      sshFor: readGitScopes(text('gitSshFor')).filter((scope) => scope !== null),
      githubAppFor: readGitScopes(text('githubAppFor')).filter((scope) => scope !== null),
      allowHttp: read.boolean('gitAllowHttp'),
    },
    forges: readForgeConfig(text),
    /** Null: the one in the data folder, if there is one. */
    signingKey: text('signingKey'),
    bundleLinkSeconds: read.integer('bundleLinkSeconds'),
    storage: readStorageConfig(text, read, faults),
    limits: readLimits(read),
    agent,
    assistant,
    /** Null: countries are not counted. */
    countryDatabase: text('countryDatabase'),
    /** Null: nobody signs in by a provider. */
    oidc: readOidcConfig(text, read),
    /** Where it names no server, operators may on the dashboard. */
    mail: readMailConfig(text, read),
  }
}

function readLimits(read: Reader): Limits {
  return Object.fromEntries(LIMIT_NAMES.map((name) => [name, read.limit(`limits.${name}`)])) as Limits
}

/** Flags win over the environment; an empty variable counts as left out. Throws ConfigError with every fault. */
export function loadConfig(
  flags: Readonly<Record<string, string | undefined>> = {},
  env: Environment = process.env,
): { config: Config; secrets: Secrets } {
  const faults: string[] = []
  const text: Text = (name) => {
    const option: Option = OPTIONS[name]
    const flag = option.flag === undefined ? undefined : flags[option.flag]
    return flag ?? (env[option.env] || undefined) ?? option.default ?? null
  }
  const read = createReader(text, faults)

  const config = readConfig(text, read, faults)
  const secrets = readSecrets(text)
  faults.push(
    ...contradictions(config, secrets, text),
    ...egressFaults(text, env),
    ...agentFaults(text),
    ...assistantFaults(text),
    ...forgeFaults(text),
    ...oidcFaults(text),
    ...mailFaults(text),
  )
  if (faults.length > 0) throw new ConfigError(faults)
  return { config, secrets }
}

/** Takes secrets that were read out of the environment: programs that are started inherit the rest. */
export function forgetSecrets(env: Record<string, string | undefined> = process.env): void {
  for (const option of Object.values(OPTIONS as Record<string, Option>))
    if (option.isSecret) delete env[option.env]
}

/** What `octavo config` prints: every setting, secrets only as set or not set. */
export function describeConfig(config: Config, secrets: Secrets): Record<string, unknown> {
  const { gitTokens, modelKeys, ...others } = secrets
  const isSet = Object.entries(others).map(([name, value]) => [name, value === null ? 'not set' : 'set'])
  return {
    ...config,
    secrets: {
      ...Object.fromEntries(isSet),
      gitTokens: gitTokens.map(gitScopeText),
      modelKeys: Object.keys(modelKeys),
    },
  }
}

type ObjectsConfig =
  | { kind: 'disk' }
  | {
      kind: 's3'
      bucket: string
      region: string
      endpoint: string | null
      prefix: string
      isPathStyle: boolean
    }

function readObjects(text: Text, read: Reader): ObjectsConfig {
  const isPathStyle = read.boolean('s3PathStyle')
  const bucket = text('s3Bucket')
  if (bucket === null) return { kind: 'disk' }
  return {
    kind: 's3',
    bucket,
    region: text('s3Region') ?? 'us-east-1',
    endpoint: read.origin('s3Endpoint'),
    prefix: text('s3Prefix') ?? '',
    isPathStyle,
  }
}

function readSecrets(text: Text): Secrets {
  const accessKeyId = text('s3AccessKeyId')
  const secretAccessKey = text('s3SecretAccessKey')
  return {
    databaseUrl: text('databaseUrl'),
    databaseDirectUrl: text('databaseDirectUrl'),
    s3: accessKeyId !== null && secretAccessKey !== null ? { accessKeyId, secretAccessKey } : null,
    secret: text('secret'),
    gitTokens: readScopedTokens(text('gitTokens')).filter((scoped) => scoped !== null),
    githubApp: readGithubApp(text),
    modelKeys: readModelKeys(text),
    oidcClientSecret: text('oidcClientSecret'),
    mailPassword: text('mailPassword'),
    metricsToken: text('metricsToken'),
  }
}

/** Settings that are fine alone and wrong together. */
function contradictions(config: Config, secrets: Secrets, text: Text): string[] {
  const faults: string[] = []
  for (const [name, url] of [
    ['DATABASE_URL', secrets.databaseUrl],
    ['OCTAVO_DATABASE_DIRECT_URL', secrets.databaseDirectUrl],
  ] as const)
    if (url !== null && !/^postgres(?:ql)?:$/.test(URL.parse(url)?.protocol ?? ''))
      faults.push(`${name} must be a postgres:// address.`)
  if (secrets.databaseUrl === null && secrets.databaseDirectUrl !== null)
    faults.push('OCTAVO_DATABASE_DIRECT_URL goes with DATABASE_URL: set both or none.')
  if (secrets.secret !== null && secrets.secret.length < 32)
    faults.push('OCTAVO_SECRET must have at least 32 characters.')
  if ((text('s3AccessKeyId') === null) !== (text('s3SecretAccessKey') === null))
    faults.push('OCTAVO_S3_ACCESS_KEY_ID and OCTAVO_S3_SECRET_ACCESS_KEY go together: set both or none.')
  if (config.objects.kind === 'disk' && (text('s3Endpoint') ?? text('s3Region') ?? text('s3Prefix')) !== null)
    faults.push('OCTAVO_S3_BUCKET is missing although other OCTAVO_S3_* settings are there.')
  if (config.role !== 'all' && config.database.kind === 'embedded')
    faults.push(`The role ${config.role} shares its database with other processes: set DATABASE_URL.`)
  if (config.role !== 'all' && secrets.secret === null)
    faults.push(
      `The role ${config.role} shares signed links with other processes: set OCTAVO_SECRET to one text on all of them.`,
    )
  faults.push(...accessFaults(text))
  if (config.role === 'worker' && text('publicUrl') === null)
    faults.push('A worker does not listen, so it cannot know the public address: set OCTAVO_PUBLIC_URL.')
  return faults
}

/** How commands find the API and its key: flags, then OCTAVO_URL and OCTAVO_KEY; null where neither says it. */
export function readClientSettings(
  flags: { url: string | undefined; key: string | undefined },
  env: Environment = process.env,
): { url: string | null; key: string | null; usualUrl: string } {
  return {
    url: flags.url ?? (env.OCTAVO_URL || null),
    key: flags.key ?? (env.OCTAVO_KEY || null),
    usualUrl: `http://localhost:${env.PORT || OPTIONS.port.default}`,
  }
}

/** What the person said about which data a command works on. */
export function readPlaceSettings(env: Environment = process.env): {
  given: string | null
  hasDatabase: boolean
} {
  return { given: env[OPTIONS.dataFolder.env] || null, hasDatabase: Boolean(env[OPTIONS.databaseUrl.env]) }
}

/** Where running servers leave word of themselves, of this user alone. */
export function runtimeFolder(env: Environment = process.env): string {
  if (env.XDG_RUNTIME_DIR && isAbsolute(env.XDG_RUNTIME_DIR)) return join(env.XDG_RUNTIME_DIR, 'octavo')
  return join(tmpdir(), `octavo-servers-${process.getuid?.() ?? 'user'}`)
}

/** Bytes of a file of settings. */
const MOST_DOT_ENV = 1 << 20

/** Names that Octavo reads and `start` has no setting for. */
const COMMAND_VARIABLES = ['OCTAVO_URL', 'OCTAVO_KEY']

export interface DotEnv {
  file: string
  /** Settings that count from it: those that the environment does not set otherwise. */
  taken: string[]
  /** Names that look like ours and are none. */
  unknown: string[]
}

/**
 * Takes the settings of a file `.env` in the folder into the environment, which wins. Names that are none of Octavo's
 * are left alone. Null without such a file. Throws ConfigError.
 */
export function takeDotEnv(
  folder: string,
  env: Record<string, string | undefined> = process.env,
): DotEnv | null {
  const file = join(folder, '.env')
  const settings = readDotEnv(file)
  if (settings === null) return null
  const known = new Set<string>([...Object.values(OPTIONS).map((option) => option.env), ...COMMAND_VARIABLES])
  const ours = Object.keys(settings).filter((name) => known.has(name))
  for (const name of ours) env[name] ??= settings[name]
  const taken = ours.filter((name) => env[name] === settings[name])
  const unknown = Object.keys(settings).filter((name) => name.startsWith('OCTAVO_') && !known.has(name))
  return { file, taken, unknown }
}

function readDotEnv(file: string): Record<string, string | undefined> | null {
  try {
    if (statSync(file).size > MOST_DOT_ENV)
      throw new ConfigError([`${file} is larger than ${MOST_DOT_ENV} bytes.`])
    return parseEnv(readFileSync(file, 'utf8'))
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return null
    if (code === undefined) throw error
    throw new ConfigError([`${file} cannot be read (${code}).`])
  }
}

/** Whether there is a screen that a browser could open on. */
export function hasDisplay(env: Environment = process.env): boolean {
  return process.platform === 'darwin' || Boolean(env.DISPLAY || env.WAYLAND_DISPLAY)
}

/** The operator's choice of how long things are kept. */
interface StorageConfig {
  /** Kinds that are not named in the environment have the days of the table. */
  retention: Retention
  /** By the environment, so that the dashboard does not set it. */
  isRetentionGiven: boolean
  /** Of an object that nothing needs any more. */
  graceSeconds: number
}

function readStorageConfig(text: Text, read: Reader, faults: string[]): StorageConfig {
  return {
    retention: readRetention(text, faults),
    isRetentionGiven: text('retention') !== null,
    graceSeconds: read.integer('storageGrace') * 3600,
  }
}

/** The table's days where nothing else is said. */
function readRetention(text: Text, faults: string[]): Retention {
  const retention = { ...DEFAULT_RETENTION }
  for (const part of listOf(text('retention'))) {
    const [, kind, days] = /^(\w{1,40})=(\d{1,6})$/.exec(part) ?? []
    if (kind !== undefined && isKind(kind) && Number(days) <= MOST_RETENTION_DAYS)
      retention[kind] = Number(days)
    else
      faults.push(
        `${OPTIONS.retention.env} must be <kind>=<days>, several separated by commas, with 0 to ${MOST_RETENTION_DAYS} days and the kinds ${RETENTION_KINDS.join(', ')}, not "${part}".`,
      )
  }
  return retention
}

function isKind(kind: string): kind is RetentionKind {
  return RETENTION_KINDS.some((known) => known === kind)
}

/** The part of the configuration that is about the assistant of readers: its model and its caps. */
interface AssistantConfig {
  /** Null: the assistant is off. */
  model: ModelSettings | null
  /** Of one project in a calendar month. */
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

/** The configured address is that of the provider of agent jobs, when there are any. */
function readModel(text: Text): ModelSettings | null {
  const name = text('assistantModel')
  const settings = modelSettings(name, text)
  if (settings === null || name === null) return null
  const ofJobs = text('model')
  const isSame = ofJobs === null || providerNamed(ofJobs) === providerNamed(name)
  return { ...settings, url: isSame ? settings.url : null, recordFile: null }
}

function providerNamed(name: string): string | null {
  const provider = providerOf(name)
  return typeof provider === 'string' ? provider : null
}

/** Sentences about everything that keeps the assistant from being used. */
function assistantFaults(text: Text): string[] {
  const provider = providerOf(text('assistantModel'))
  if (provider === null) return []
  if (provider instanceof RangeError) return [`OCTAVO_ASSISTANT_MODEL cannot be used. ${provider.message}`]
  if (provider === 'replay') return []
  return providerFaults('OCTAVO_ASSISTANT_MODEL', provider, text)
}

/** Mail, read from the settings. */
interface MailConfig extends MailChoice {
  /** Null: those that Node knows. */
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

/** One sentence for each thing wrong. */
function mailFaults(text: Text): string[] {
  const faults: string[] = []
  const [host, user, from] = [text('mailHost'), text('mailUser'), text('mailFrom')]
  const others = ['mailPort', 'mailUser', 'mailPassword', 'mailFrom'] as const
  if (host === null && others.some((name) => text(name) !== null))
    faults.push('OCTAVO_MAIL_HOST is missing although other OCTAVO_MAIL_* settings are there.')
  if (host !== null && !isMailHost(host))
    faults.push('OCTAVO_MAIL_HOST must be the name or address of a mail server, without a port.')
  if ((user === null) !== (text('mailPassword') === null))
    faults.push('OCTAVO_MAIL_USER and OCTAVO_MAIL_PASSWORD go together: set both or none.')
  if (host !== null && (from === null || parseMailbox(from) === null))
    faults.push(
      'OCTAVO_MAIL_FROM must be <address> or <name> <<address>>, for example Acme Docs <docs@example.com>.',
    )
  if (sendsPasswordOpenly({ host, port: null, tls: text('mailTls') === 'none' ? 'none' : 'tls', user, from }))
    faults.push('OCTAVO_MAIL_TLS=none would send the password unencrypted: set it to starttls or tls.')
  return faults
}
