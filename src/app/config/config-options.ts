/** All settings of a node: environment variable, flag, description and default. */

import { DEFAULT_PROVIDER_NAME } from '../../base/api/provider-name.ts'
import { RETENTION, RETENTION_KINDS } from '../../base/api/retention.ts'
import { LIMIT_NAMES, LIMITS, type LimitName } from '../../features/limits.ts'
import { MIN_GRACE_HOURS } from '../../features/projects/lifecycle/grace.ts'
import { MIN_SITE_MEMORY_MB, SITE_MEMORY_MB, SITE_RETRY_SECONDS } from '../../sandbox/limits.ts'
import { EGRESS_OPTIONS } from './egress-options.ts'
import { type IntegerOption, integerOption, type Option } from './option.ts'

const AGENT_OPTIONS = {
  agentSteps: integerOption(1, 1000, {
    env: 'OCTAVO_AGENT_STEPS',
    default: '60',
    help: 'Maximum model responses in one turn of an agent job, {range}.',
  }),
  agentTokens: integerOption(1000, 100_000_000, {
    env: 'OCTAVO_AGENT_TOKENS',
    default: '2000000',
    help: 'Maximum tokens in one turn of an agent job, input and output combined, {range}.',
  }),
  agentMinutes: integerOption(1, 1440, {
    env: 'OCTAVO_AGENT_MINUTES',
    default: '30',
    help: 'Maximum minutes for one turn of an agent job, {range}.',
  }),
  agentFiles: integerOption(1, 1000, {
    env: 'OCTAVO_AGENT_FILES',
    default: '50',
    help: 'Maximum files that an agent job can change, {range}.',
  }),
  agentBytes: integerOption(1024, 104_857_600, {
    env: 'OCTAVO_AGENT_BYTES',
    default: '2097152',
    help: 'Maximum total bytes of the files that an agent job can change, {range}.',
  }),
  agentJobs: integerOption(1, 1000, {
    env: 'OCTAVO_AGENT_JOBS',
    default: '200',
    help: 'Agent jobs that this process runs at the same time, {range}. Jobs spend most of their time waiting for the model; OCTAVO_WORKERS limits the number of tools that run at the same time.',
  }),
  agentPatience: integerOption(1, 86_400, {
    env: 'OCTAVO_AGENT_PATIENCE',
    default: '600',
    help: 'Seconds that an agent job waits for an unavailable repository, forge or model, {range}.',
  }),
  agentSelfReview: {
    env: 'OCTAVO_AGENT_SELF_REVIEW',
    default: 'true',
    help: 'Whether the agent reviews its whole change before publishing it: true or false. The review uses a few steps of its turn. Projects can turn it off.',
  },
  vale: {
    env: 'OCTAVO_VALE',
    help: 'Path of the Vale executable (https://vale.sh), version 3. If it is set, Vale applies all prose rules of docs folders to the changes of agent jobs. Vale runs without network access, which requires unshare from util-linux. Default: Octavo applies only the kinds of rules that it supports itself.',
  },
  agentAuthor: {
    env: 'OCTAVO_AGENT_AUTHOR',
    default: 'Octavo agent <agent@octavo.invalid>',
    help: 'Author of commits by agent jobs, <name> <<email>>.',
  },
  signingKey: {
    env: 'OCTAVO_SIGNING_KEY_FILE',
    help: 'File with the Ed25519 private key (PEM) for signing bundles; octavo signing-key creates one. Default: signing-key.pem in the data folder, if it exists.',
  },
} as const

const MAIL_OPTIONS = {
  mailHost: {
    env: 'OCTAVO_MAIL_HOST',
    help: 'SMTP server for invitations, password resets and notifications; it can be in a private network. Default: set on the dashboard by operators; otherwise no mail is sent.',
  },
  mailPort: integerOption(1, 65_535, {
    env: 'OCTAVO_MAIL_PORT',
    help: 'Port of the mail server, {range}. Default: 587 with STARTTLS, 465 with TLS, 25 without encryption.',
  }),
  mailTls: {
    env: 'OCTAVO_MAIL_TLS',
    default: 'starttls',
    help: 'Encryption of the connection to the mail server: starttls, tls (from the first byte) or none. With none, a password is only allowed if the mail server is on this machine.',
  },
  mailUser: {
    env: 'OCTAVO_MAIL_USER',
    help: 'User name for the mail server; requires the password. Default: no authentication.',
  },
  mailPassword: {
    env: 'OCTAVO_MAIL_PASSWORD',
    isSecret: true,
    help: 'Password for the mail server; requires the user. Default: none.',
  },
  mailFrom: {
    env: 'OCTAVO_MAIL_FROM',
    help: 'Sender of emails, <address> or <name> <<address>>; requires the mail server. Default: no mail is sent.',
  },
  mailCaFile: {
    env: 'OCTAVO_MAIL_CA_FILE',
    help: 'File with certificate authorities (PEM) for verifying mail servers, including those set on the dashboard. Default: those of Node.',
  },
} as const

const ASSISTANT_OPTIONS = {
  assistantModel: {
    env: 'OCTAVO_ASSISTANT_MODEL',
    help: "Language model that answers readers' questions, <provider>:<model> as for OCTAVO_MODEL. Uses OCTAVO_MODEL_URL if the provider is the same or OCTAVO_MODEL is not set. Sites show the assistant after their next deployment. Default: the assistant is off.",
  },
  assistantQuestions: integerOption(0, 10_000_000, {
    env: 'OCTAVO_ASSISTANT_QUESTIONS',
    default: '5000',
    help: 'Maximum reader questions answered per project and calendar month (UTC), {range}.',
  }),
  assistantTokens: integerOption(0, 100_000_000_000, {
    env: 'OCTAVO_ASSISTANT_TOKENS',
    default: '30000000',
    help: 'Maximum tokens for answers per project and calendar month (UTC), input and output combined, {range}. This limits their cost.',
  }),
} as const

export const OPTIONS = {
  port: integerOption(0, 65_535, {
    env: 'PORT',
    flag: 'port',
    default: '4000',
    help: 'TCP port to listen on; 0 chooses a free port.',
  }),
  host: {
    env: 'HOST',
    flag: 'host',
    default: '127.0.0.1',
    help: 'IP address to listen on; 0.0.0.0 for all interfaces.',
  },
  publicUrl: {
    env: 'OCTAVO_PUBLIC_URL',
    flag: 'public-url',
    help: 'Public URL of the API, without a path. Default: http://localhost with the port.',
  },
  dataFolder: {
    env: 'OCTAVO_DATA',
    flag: 'data',
    default: '.octavo',
    help: 'Folder for all data of this node: embedded database, blobs, git mirrors, generated secrets.',
  },
  role: {
    env: 'OCTAVO_ROLE',
    flag: 'role',
    default: 'all',
    help: 'Role of this process: all, api (HTTP only), site (hosted sites and the reader API only) or worker (background jobs only).',
  },
  drainSeconds: integerOption(0, 300, {
    env: 'OCTAVO_DRAIN_SECONDS',
    help: 'Seconds that a node keeps serving requests while it stops, {range}. During this time /readyz returns 503 and each response closes its connection, so that load balancers switch to other nodes. Default: 5 for the roles api and site, otherwise 0.',
  }),
  workers: integerOption(1, 64, {
    env: 'OCTAVO_WORKERS',
    default: '2',
    help: 'Maximum exports that this process runs at the same time for one organization, {range}. The same limit applies separately to deployments. One more export and one more deployment are reserved for other organizations. Jobs waiting for a git server or a remote file do not count.',
  }),
  renderChildren: integerOption(1, 64, {
    env: 'OCTAVO_RENDER_CHILDREN',
    help: 'Render processes per site being rendered, {range}. Default: the number of cores.',
  }),
  sampleRunner: {
    env: 'OCTAVO_SAMPLE_RUNNER',
    help: 'Shell command that runs code samples in languages that Octavo does not run itself, for example in a container. It gets the language as its last argument and the sample on standard input; see the guide on code samples. Default: such samples are not run.',
  },
  siteMemory: integerOption(MIN_SITE_MEMORY_MB, 65_536, {
    env: 'OCTAVO_SITE_MEMORY_MB',
    default: String(SITE_MEMORY_MB),
    help: 'Maximum memory in megabytes of the process that reads a site, {range}. Sites that need more fail.',
  }),
  siteRetry: integerOption(1, 3600, {
    env: 'OCTAVO_SITE_RETRY_SECONDS',
    default: String(SITE_RETRY_SECONDS),
    help: 'Seconds before retrying a site whose process exceeded its limits, {range}. The second retry waits twice as long; there is no third.',
  }),
  logLevel: {
    env: 'OCTAVO_LOG',
    flag: 'log',
    default: 'info',
    help: 'Log level: debug, info, warn, error or silent.',
  },
  trustedProxies: integerOption(0, 16, {
    env: 'OCTAVO_TRUSTED_PROXIES',
    default: '0',
    help: 'Number of reverse proxies in front of this node whose X-Forwarded-For is trusted. 0: the IP address of the connection is used.',
  }),
  connections: integerOption(16, 1_000_000, {
    env: 'OCTAVO_CONNECTIONS',
    default: '10000',
    help: 'Maximum open connections of this process, {range}. Further connections are closed immediately.',
  }),
  openByAddress: integerOption(4, 1_000_000, {
    env: 'OCTAVO_OPEN_BY_ADDRESS',
    default: '512',
    help: 'Maximum concurrent requests per IP address, including event streams, {range}. Without a proxy in front, this also limits connections. An IPv6 /64 network counts as one address.',
  }),
  openByOrganization: integerOption(4, 1_000_000, {
    env: 'OCTAVO_OPEN_BY_ORGANIZATION',
    default: '1000',
    help: 'Maximum concurrent requests in this process for one organization and its sites, including event streams, {range}.',
  }),
  metricsFrom: {
    env: 'OCTAVO_METRICS_FROM',
    default: '127.0.0.1,::1',
    help: 'IP addresses and ranges that can read /metrics without a token, separated by commas, or "none".',
  },
  metricsToken: {
    env: 'OCTAVO_METRICS_TOKEN',
    isSecret: true,
    help: 'Bearer token for reading /metrics from any IP address. Default: none.',
  },
  metricsPort: integerOption(0, 65_535, {
    env: 'OCTAVO_METRICS_PORT',
    help: 'Separate port for /metrics, /livez, /readyz and /healthz, on the IP address in HOST. It is the only port of a node with the role worker. Default: none.',
  }),
  databaseUrl: {
    env: 'DATABASE_URL',
    isSecret: true,
    help: 'PostgreSQL to use (postgres://…). Default: an embedded PostgreSQL in the data folder.',
  },
  databaseDirectUrl: {
    env: 'OCTAVO_DATABASE_DIRECT_URL',
    isSecret: true,
    help: 'Direct connection to the same database, for locks and notifications, if DATABASE_URL points to a pooler such as PgBouncer. Default: DATABASE_URL.',
  },
  databasePool: integerOption(2, 200, {
    env: 'OCTAVO_DATABASE_POOL',
    default: '16',
    help: 'Database connections of this process, {range}.',
  }),
  allowFsyncOff: {
    env: 'OCTAVO_ALLOW_FSYNC_OFF',
    default: 'false',
    help: 'true allows a PostgreSQL with fsync off, which loses acknowledged data if the machine crashes.',
  },
  s3Bucket: {
    env: 'OCTAVO_S3_BUCKET',
    help: 'Bucket for blobs and bundles. Default: they are stored in the data folder.',
  },
  s3Region: { env: 'OCTAVO_S3_REGION', help: 'Region of the bucket. Default: us-east-1.' },
  s3Endpoint: { env: 'OCTAVO_S3_ENDPOINT', help: 'URL of an S3-compatible server. Default: AWS.' },
  s3Prefix: { env: 'OCTAVO_S3_PREFIX', help: 'Prefix of all keys in the bucket. Default: none.' },
  s3PathStyle: {
    env: 'OCTAVO_S3_PATH_STYLE',
    default: 'false',
    help: 'true puts the bucket in the path instead of the host name, as required by many S3-compatible servers.',
  },
  s3AccessKeyId: {
    env: 'OCTAVO_S3_ACCESS_KEY_ID',
    isSecret: true,
    help: 'Access key ID for the bucket. Default: the credential chain of the AWS client.',
  },
  s3SecretAccessKey: {
    env: 'OCTAVO_S3_SECRET_ACCESS_KEY',
    isSecret: true,
    help: 'Secret access key for the bucket; requires the access key ID.',
  },
  backupTarget: {
    env: 'OCTAVO_BACKUP_TARGET',
    flag: 'backup-target',
    help: 'Where backups are stored: an absolute folder, or s3://<bucket>/<prefix> with the other OCTAVO_S3_* settings. Do not store anything else there. Default: no regular backups.',
  },
  backupHours: integerOption(1, 720, {
    env: 'OCTAVO_BACKUP_HOURS',
    default: '24',
    help: 'Hours between regular backups, {range}.',
  }),
  backupRetained: integerOption(1, 1000, {
    env: 'OCTAVO_BACKUP_RETAIN',
    default: '7',
    help: 'Number of backups to retain, {range}.',
  }),
  backupPassphrase: {
    env: 'OCTAVO_BACKUP_PASSPHRASE',
    isSecret: true,
    help: 'Passphrase of at least 12 characters for encrypting backups, which then include the secret of the installation. Default: backups are not encrypted, and OCTAVO_SECRET must be stored separately.',
  },
  secret: {
    env: 'OCTAVO_SECRET',
    isSecret: true,
    help: 'Secret of at least 32 characters for signing download links and cursors. Nodes that share a database need the same one. Default: generated once and stored in the data folder.',
  },
  gitTokens: {
    env: 'OCTAVO_GIT_TOKENS',
    isSecret: true,
    help: 'Access tokens for private https repositories and pull requests, <host>[/<path>][@<organization>]=<token>, separated by commas. Each is only sent to its host; the longest matching path applies. Use @org_a+org_b for several organizations and @* for all. A token without an organization applies only while there is exactly one organization. Organizations can add tokens on the dashboard. Default: none.',
  },
  ...EGRESS_OPTIONS,
  sourceRoots: {
    env: 'OCTAVO_SOURCE_ROOTS',
    help: 'Absolute folders, separated by commas, in which admins of all organizations can choose source folders for projects. Sources elsewhere are refused. Default: source folders can be anywhere, but only the command line can set them.',
  },
  previewDomain: {
    env: 'OCTAVO_PREVIEW_DOMAIN',
    help: 'Domain for previews of branches and pull requests, each on a subdomain: point *.<domain> to this server. Use a domain without other subdomains, not that of the dashboard or a site. Default: set on the dashboard by operators; otherwise previews.localhost if the public URL is on localhost; otherwise no previews.',
  },
  proveDomains: {
    env: 'OCTAVO_PROVE_DOMAINS',
    default: 'false',
    help: 'true: a domain added by a member is served only after a TXT record or a file verifies it, and the server does not respond to requests for unknown host names. Recommended if organizations do not trust each other. Domains added on the command line need no verification.',
  },
  dnsServers: {
    env: 'OCTAVO_DNS_SERVERS',
    help: 'DNS servers for domain verification, <address> or <address>:<port>, separated by commas. Default: those of the system.',
  },
  forges: {
    env: 'OCTAVO_FORGES',
    help: 'Forges on your own hosts, <host>=<kind>, separated by commas. The kinds are github (GitHub Enterprise), gitlab, gitea, forgejo and bitbucket (Bitbucket Cloud behind your own proxy, not Data Center). Default: only github.com, gitlab.com, codeberg.org and bitbucket.org are known, and jobs on other hosts cannot open pull requests.',
  },
  githubAppId: {
    env: 'OCTAVO_GITHUB_APP_ID',
    help: 'ID of a GitHub App to use for GitHub hosts without a token; requires its key. Default: none.',
  },
  githubAppKeyFile: {
    env: 'OCTAVO_GITHUB_APP_KEY_FILE',
    help: 'File with the private key (PEM) of the GitHub App, as downloaded from GitHub. Default: none.',
  },
  githubAppFor: {
    env: 'OCTAVO_GITHUB_APP_FOR',
    help: 'Where the GitHub App is used, <host>[/<owner>][@<organization>], separated by commas, as in OCTAVO_GIT_TOKENS. Default: everywhere while there is exactly one organization, otherwise nowhere.',
  },
  gitCaFile: {
    env: 'OCTAVO_GIT_CA_FILE',
    help: 'File with certificate authorities trusted by git and requests to forges. Default: those of the system.',
  },
  gitProxy: {
    env: 'OCTAVO_GIT_PROXY',
    help: 'Proxy for connections to git servers and forges. Default: none.',
  },
  gitAllowHttp: {
    env: 'OCTAVO_GIT_ALLOW_HTTP',
    default: 'false',
    help: 'true allows repositories and forges over http. It is not encrypted: tokens and documents can be read in transit.',
  },
  gitSshAgent: {
    env: 'OCTAVO_GIT_SSH_AGENT',
    help: 'Socket of the ssh agent for git. Default: none.',
  },
  gitSshFor: {
    env: 'OCTAVO_GIT_SSH_FOR',
    help: "Where the ssh keys of the agent and of this machine's user are used, <host>[/<path>][@<organization>], separated by commas, as in OCTAVO_GIT_TOKENS. Default: everywhere while there is exactly one organization, otherwise nowhere.",
  },
  model: {
    env: 'OCTAVO_MODEL',
    help: 'Language model of agent jobs, <provider>:<model>. The providers are anthropic, openai, google, openai-compatible, ollama, vllm, lmstudio, and replay (responses from a recorded file). Default: agent jobs are off.',
  },
  modelUrl: {
    env: 'OCTAVO_MODEL_URL',
    help: "Base URL of the model, the part before /chat/completions, for example http://127.0.0.1:8000/v1. Default: the provider's URL.",
  },
  modelWait: integerOption(1, 3600, {
    env: 'OCTAVO_MODEL_WAIT',
    default: '300',
    help: 'Seconds to wait for a response from the model to begin, {range}. On a slow machine, a long conversation can take minutes. Pauses within a response have the same limit, up to 60 seconds.',
  }),
  modelContext: integerOption(8000, 10_000_000, {
    env: 'OCTAVO_MODEL_CONTEXT',
    help: "Size of the model's context in tokens, input and output combined, {range}. Default: the known size for models of anthropic, openai and google, otherwise 32000.",
  }),
  modelEffort: {
    env: 'OCTAVO_MODEL_EFFORT',
    help: "Reasoning effort of the model for agent jobs: low, medium or high, if supported by the provider. Default: the provider's default.",
  },
  modelPictures: {
    env: 'OCTAVO_MODEL_PICTURES',
    default: 'false',
    help: 'Whether models of an openai-compatible server accept images: true or false. Claude, Gemini and newer OpenAI models always accept images.',
  },
  modelPrices: {
    env: 'OCTAVO_MODEL_PRICES',
    help: 'Prices in US dollars per million tokens, <provider>:<model>=<input>/<output>, separated by commas. A third number is the price of cached input. Default: costs are not tracked.',
  },
  modelRecord: {
    env: 'OCTAVO_MODEL_RECORD',
    help: 'File for recording prompts and responses of the model, to replay them later. Default: nothing is recorded.',
  },
  ...ASSISTANT_OPTIONS,
  anthropicKey: {
    env: 'ANTHROPIC_API_KEY',
    isSecret: true,
    help: 'API key for the provider anthropic. Default: none.',
  },
  openaiKey: {
    env: 'OPENAI_API_KEY',
    isSecret: true,
    help: 'API key for the provider openai. Default: none.',
  },
  googleKey: {
    env: 'GOOGLE_GENERATIVE_AI_API_KEY',
    isSecret: true,
    help: 'API key for the provider google. Default: none.',
  },
  modelKey: {
    env: 'OCTAVO_MODEL_KEY',
    isSecret: true,
    help: 'API key for the providers openai-compatible, ollama, vllm and lmstudio. Default: none.',
  },
  ...AGENT_OPTIONS,
  ...MAIL_OPTIONS,
  bundleLinkSeconds: integerOption(60, 604_800, {
    env: 'OCTAVO_BUNDLE_LINK_SECONDS',
    default: '3600',
    help: 'Lifetime of a bundle link in seconds, {range}.',
  }),
  retention: {
    env: 'OCTAVO_RETENTION',
    help: `Retention in days, <kind>=<days>, separated by commas; 0: forever. The kinds are ${RETENTION_KINDS.join(', ')}. Organizations can change their own with octavo storage keep, except for ${RETENTION_KINDS.filter((kind) => !RETENTION[kind].isByOrganization).join(', ')}. Default: set on the dashboard by operators; otherwise ${RETENTION_KINDS.map((kind) => `${kind}=${RETENTION[kind].days}`).join(',')}.`,
  },
  storageGrace: integerOption(MIN_GRACE_HOURS, 8760, {
    env: 'OCTAVO_STORAGE_GRACE_HOURS',
    default: '24',
    help: 'Hours before unused stored objects are deleted, {range}. Must be longer than any job can run.',
  }),
  ...limitOptions(),
  countryDatabase: {
    env: 'OCTAVO_COUNTRY_DATABASE',
    help: 'File with a country database by IP address (MMDB, available from MaxMind, DB-IP and IPinfo), read at startup. Readers are then counted by country; their IP addresses are not stored. Default: countries are not counted.',
  },
  oidcIssuer: {
    env: 'OCTAVO_OIDC_ISSUER',
    help: 'Issuer URL of an OpenID Connect provider for single sign-on, the part before /.well-known/openid-configuration. Default: no single sign-on.',
  },
  oidcClientId: {
    env: 'OCTAVO_OIDC_CLIENT_ID',
    help: 'Client ID from the provider; requires the issuer. Default: none.',
  },
  oidcClientSecret: {
    env: 'OCTAVO_OIDC_CLIENT_SECRET',
    isSecret: true,
    help: 'Client secret from the provider; requires the issuer. Default: none.',
  },
  oidcName: {
    env: 'OCTAVO_OIDC_NAME',
    default: DEFAULT_PROVIDER_NAME,
    help: 'Label of the single sign-on button.',
  },
  oidcDomain: {
    env: 'OCTAVO_OIDC_DOMAIN',
    help: 'Email domains, separated by commas, whose users can join through single sign-on without an invitation. Default: only members and invited people can sign in.',
  },
  oidcRole: {
    env: 'OCTAVO_OIDC_ROLE',
    default: 'viewer',
    help: 'Role of users who join by their email domain: viewer, editor or admin.',
  },
  oidcUnverified: {
    env: 'OCTAVO_OIDC_UNVERIFIED',
    default: 'false',
    help: 'For a provider that omits email_verified: true treats its email addresses in OCTAVO_OIDC_DOMAIN as verified. All others are rejected.',
  },
  oidcSecondFactor: {
    env: 'OCTAVO_OIDC_SECOND_FACTOR',
    default: 'false',
    help: "Whether the provider enforces a second factor itself. true: Octavo does not ask for the account's second factor.",
  },
} as const satisfies Record<string, Option>

export type OptionName = keyof typeof OPTIONS
export type IntegerOptionName = {
  [Name in OptionName]: (typeof OPTIONS)[Name] extends IntegerOption ? Name : never
}[OptionName]

type LimitOptionName = `limits.${LimitName}`

function limitOptions(): Record<LimitOptionName, Option> {
  const rows = LIMIT_NAMES.map((name): [LimitOptionName, Option] => {
    const { count, seconds, env, help } = LIMITS[name]
    return [`limits.${name}`, { env, default: `${count}/${seconds}`, help }]
  })
  return Object.fromEntries(rows) as Record<LimitOptionName, Option>
}

export function exampleEnv(): string {
  const blocks = Object.values(OPTIONS as Record<string, Option>).map(
    (option) => `# ${option.help}\n# ${option.env}=${option.default ?? ''}\n`,
  )
  return `# Settings of an Octavo node with their defaults. All are optional.\n# Copy this file to .env in the folder where you run Octavo, and uncomment what you set. Environment variables\n# override .env, and flags override both.\n\n${blocks.join('\n')}`
}
