/** All settings of a node: environment variable, flag, description and default. */
import { LIMIT_NAMES, LIMITS, type LimitName } from '../../base/api/limits.ts'
import { DEFAULT_PROVIDER_NAME } from '../../base/api/provider-name.ts'
import { RETENTION, RETENTION_KINDS } from '../../base/api/retention.ts'
import { MIN_GRACE_HOURS } from '../../features/projects/lifecycle/grace.ts'
import { MIN_SITE_MEMORY_MB, SITE_MEMORY_MB, SITE_RETRY_SECONDS } from '../../sandbox/limits.ts'
import { EGRESS_OPTIONS } from './egress-options.ts'
import { type IntegerOption, integerOption, type Option } from './option.ts'

/** Settings of agent jobs: limits per job and the number of concurrent jobs. */
const AGENT_OPTIONS = {
  agentSteps: integerOption(1, 1000, {
    env: 'OCTAVO_AGENT_STEPS',
    default: '60',
    help: 'Answers of the model that one turn of an agent job may take, {range}.',
  }),
  agentTokens: integerOption(1000, 100_000_000, {
    env: 'OCTAVO_AGENT_TOKENS',
    default: '2000000',
    help: 'Tokens that one turn of an agent job may use, input and output together, {range}.',
  }),
  agentMinutes: integerOption(1, 1440, {
    env: 'OCTAVO_AGENT_MINUTES',
    default: '30',
    help: 'Minutes that one turn of an agent job may take, {range}.',
  }),
  agentFiles: integerOption(1, 1000, {
    env: 'OCTAVO_AGENT_FILES',
    default: '50',
    help: 'Files that an agent job may change, {range}.',
  }),
  agentBytes: integerOption(1024, 104_857_600, {
    env: 'OCTAVO_AGENT_BYTES',
    default: '2097152',
    help: 'Bytes of all files together that an agent job may change, {range}.',
  }),
  agentJobs: integerOption(1, 1000, {
    env: 'OCTAVO_AGENT_JOBS',
    default: '200',
    help: 'Agent jobs that this process has at work at the same time, {range}. Most of the time they wait for their model; of their tools as many work at once as OCTAVO_WORKERS says.',
  }),
  agentPatience: integerOption(1, 86_400, {
    env: 'OCTAVO_AGENT_PATIENCE',
    default: '600',
    help: 'Seconds that an agent job waits for a repository, a forge or a model that is away, {range}.',
  }),
  agentSelfReview: {
    env: 'OCTAVO_AGENT_SELF_REVIEW',
    default: 'true',
    help: 'Whether the agent is shown its whole change once more before it is published, which costs a step or a few of its turn: true or false. Projects can switch it off for themselves.',
  },
  agentAuthor: {
    env: 'OCTAVO_AGENT_AUTHOR',
    default: 'Octavo agent <agent@octavo.invalid>',
    help: 'Author of the commits of agent jobs, <name> <<e-mail>>.',
  },
  signingKey: {
    env: 'OCTAVO_SIGNING_KEY_FILE',
    help: 'File with the Ed25519 private key (PEM) that bundles are signed with. Left out: signing-key.pem in the data folder when it is there; octavo signing-key makes it.',
  },
} as const

/** Settings of the mail server. */
const MAIL_OPTIONS = {
  mailHost: {
    env: 'OCTAVO_MAIL_HOST',
    help: 'Mail server (SMTP) that invitations, new passwords and notifications are sent through; it may be in a private network. Left out: operators set it on the dashboard, else no mail is sent.',
  },
  mailPort: integerOption(1, 65_535, {
    env: 'OCTAVO_MAIL_PORT',
    help: 'Its port, {range}. Left out: 587 with STARTTLS, 465 with TLS, 25 with none.',
  }),
  mailTls: {
    env: 'OCTAVO_MAIL_TLS',
    default: 'starttls',
    help: 'How the connection to it is encrypted: starttls, tls from the first byte, or none, which takes no password but on this machine.',
  },
  mailUser: {
    env: 'OCTAVO_MAIL_USER',
    help: 'User that it asks for; goes with the password. Left out: nobody signs in there.',
  },
  mailPassword: {
    env: 'OCTAVO_MAIL_PASSWORD',
    isSecret: true,
    help: 'Password of that user; goes with the user. Left out: none.',
  },
  mailFrom: {
    env: 'OCTAVO_MAIL_FROM',
    help: 'Sender of mails, <address> or <name> <<address>>; goes with the server. Left out: no mail is sent.',
  },
  mailCaFile: {
    env: 'OCTAVO_MAIL_CA_FILE',
    help: "File of certificate authorities that mail servers are held against (PEM), those of the dashboard too. Left out: Node's own.",
  },
} as const

/** Settings of the readers' assistant; see config-options.ts. */
const ASSISTANT_OPTIONS = {
  assistantModel: {
    env: 'OCTAVO_ASSISTANT_MODEL',
    help: 'Language model that answers the questions of readers, <provider>:<model> as for OCTAVO_MODEL, at the address in OCTAVO_MODEL_URL when the provider is the same one or OCTAVO_MODEL is left out. Sites show the assistant from their next deployment on. Left out: the assistant is off.',
  },
  assistantQuestions: integerOption(0, 10_000_000, {
    env: 'OCTAVO_ASSISTANT_QUESTIONS',
    default: '5000',
    help: 'Questions of readers that are answered for one project in a calendar month (UTC), {range}.',
  }),
  assistantTokens: integerOption(0, 100_000_000_000, {
    env: 'OCTAVO_ASSISTANT_TOKENS',
    default: '30000000',
    help: 'Tokens that the answers for one project may use in a calendar month (UTC), input and output together, {range}: the cap of what they cost.',
  }),
} as const

export const OPTIONS = {
  port: integerOption(0, 65_535, {
    env: 'PORT',
    flag: 'port',
    default: '4000',
    help: 'TCP port to listen on; 0 picks a free one.',
  }),
  host: {
    env: 'HOST',
    flag: 'host',
    default: '127.0.0.1',
    help: 'Address to listen on; 0.0.0.0 for every interface.',
  },
  publicUrl: {
    env: 'OCTAVO_PUBLIC_URL',
    flag: 'public-url',
    help: 'Address at which callers reach the API, without a path. Left out: http://localhost and the port.',
  },
  dataFolder: {
    env: 'OCTAVO_DATA',
    flag: 'data',
    default: '.octavo',
    help: 'Folder of everything this node keeps: embedded database, blobs, git mirrors, generated secrets.',
  },
  role: {
    env: 'OCTAVO_ROLE',
    flag: 'role',
    default: 'all',
    help: 'What this process does: all, api (HTTP only) or worker (background jobs only).',
  },
  drainSeconds: integerOption(0, 300, {
    env: 'OCTAVO_DRAIN_SECONDS',
    help: 'Seconds that a node which is stopping still answers, {range}: /readyz says 503 and every answer closes its connection, so that a load balancer turns to other nodes first. Left out: 5 for the role api, else 0.',
  }),
  workers: integerOption(1, 64, {
    env: 'OCTAVO_WORKERS',
    default: '2',
    help: 'Exports that this process works on at the same time for one organization, and as many deployments, {range}; one more of each is for other organizations. Jobs that wait for a git server or a remote file do not count.',
  }),
  renderChildren: integerOption(1, 64, {
    env: 'OCTAVO_RENDER_CHILDREN',
    help: 'Render processes for each site being rendered, {range}. Left out: the number of cores.',
  }),
  siteMemory: integerOption(MIN_SITE_MEMORY_MB, 65_536, {
    env: 'OCTAVO_SITE_MEMORY_MB',
    default: String(SITE_MEMORY_MB),
    help: 'Megabytes that the process which reads one site may use, {range}. A site that needs more fails.',
  }),
  siteRetry: integerOption(1, 3600, {
    env: 'OCTAVO_SITE_RETRY_SECONDS',
    default: String(SITE_RETRY_SECONDS),
    help: 'Seconds before a site whose process was ended by its limits is tried again, {range}; twice as many the second time, and no third time.',
  }),
  logLevel: { env: 'OCTAVO_LOG', flag: 'log', default: 'info', help: 'debug, info, warn, error or silent.' },
  trustedProxies: integerOption(0, 16, {
    env: 'OCTAVO_TRUSTED_PROXIES',
    default: '0',
    help: "Reverse proxies in front of this node whose X-Forwarded-For is believed. 0: the connection's own address counts.",
  }),
  connections: integerOption(16, 1_000_000, {
    env: 'OCTAVO_CONNECTIONS',
    default: '10000',
    help: 'Connections that this process has open at once, {range}; more are closed as they come.',
  }),
  openByAddress: integerOption(4, 1_000_000, {
    env: 'OCTAVO_OPEN_BY_ADDRESS',
    default: '512',
    help: 'Requests that one address may have open at once, streams of events too, {range}; without a proxy in front its connections as well. Of IPv6, one network of 64 bits is one address.',
  }),
  openByOrganization: integerOption(4, 1_000_000, {
    env: 'OCTAVO_OPEN_BY_ORGANIZATION',
    default: '1000',
    help: 'Requests for one organization and its sites that may be open at once in this process, streams of events too, {range}.',
  }),
  metricsFrom: {
    env: 'OCTAVO_METRICS_FROM',
    default: '127.0.0.1,::1',
    help: 'Addresses and ranges that may read /metrics without a token, with commas between them; none when it is "none".',
  },
  metricsToken: {
    env: 'OCTAVO_METRICS_TOKEN',
    isSecret: true,
    help: 'Bearer token with which /metrics may be read from anywhere. Left out: there is none.',
  },
  metricsPort: integerOption(0, 65_535, {
    env: 'OCTAVO_METRICS_PORT',
    help: 'Port of its own for /metrics, /livez, /readyz and /healthz, at the address of HOST; a node of the role worker has no other. Left out: there is none.',
  }),
  databaseUrl: {
    env: 'DATABASE_URL',
    isSecret: true,
    help: 'PostgreSQL to use (postgres://…). Left out: an embedded PostgreSQL in the data folder.',
  },
  databaseDirectUrl: {
    env: 'OCTAVO_DATABASE_DIRECT_URL',
    isSecret: true,
    help: 'Where DATABASE_URL leads to a pooler such as PgBouncer: the same database past it, for locks and notifications. Left out: DATABASE_URL.',
  },
  databasePool: integerOption(2, 200, {
    env: 'OCTAVO_DATABASE_POOL',
    default: '16',
    help: 'Database connections of this process, {range}.',
  }),
  allowFsyncOff: {
    env: 'OCTAVO_ALLOW_FSYNC_OFF',
    default: 'false',
    help: 'true runs on a PostgreSQL whose fsync is off, which loses acknowledged data when the machine stops.',
  },
  s3Bucket: {
    env: 'OCTAVO_S3_BUCKET',
    help: 'Bucket for blobs and bundles. Left out: they live in the data folder.',
  },
  s3Region: { env: 'OCTAVO_S3_REGION', help: 'Region of the bucket. Left out: us-east-1.' },
  s3Endpoint: { env: 'OCTAVO_S3_ENDPOINT', help: 'Address of an S3-compatible server. Left out: AWS.' },
  s3Prefix: { env: 'OCTAVO_S3_PREFIX', help: 'Text before every key in the bucket. Left out: none.' },
  s3PathStyle: {
    env: 'OCTAVO_S3_PATH_STYLE',
    default: 'false',
    help: 'true puts the bucket into the path instead of the host name, as many S3-compatible servers need.',
  },
  s3AccessKeyId: {
    env: 'OCTAVO_S3_ACCESS_KEY_ID',
    isSecret: true,
    help: "Key id for the bucket. Left out: the AWS client's own credential chain.",
  },
  s3SecretAccessKey: {
    env: 'OCTAVO_S3_SECRET_ACCESS_KEY',
    isSecret: true,
    help: 'Secret key for the bucket; goes with the key id.',
  },
  secret: {
    env: 'OCTAVO_SECRET',
    isSecret: true,
    help: 'At least 32 characters; signs download links and cursors. Left out: made once and kept in the data folder. Nodes that share a database need the same one.',
  },
  gitTokens: {
    env: 'OCTAVO_GIT_TOKENS',
    isSecret: true,
    help: 'Access tokens for private https repositories and for pull requests, <host>[/<path>][@<organization>]=<token>, separated by commas; each goes to its own host only, the longest path counts. Without an organization a token is for the only one there is, and for nobody once there are two; @org_a+org_b names several, @* all of them. Organizations set further ones on the dashboard. Left out: none.',
  },
  ...EGRESS_OPTIONS,
  sourceRoots: {
    env: 'OCTAVO_SOURCE_ROOTS',
    help: 'Absolute folders, separated by commas, within which the folders that are sources of projects must lie; admins of every organization may then name folders within them. Left out: only the command line names folders, anywhere.',
  },
  previewDomain: {
    env: 'OCTAVO_PREVIEW_DOMAIN',
    help: 'Domain for previews of branches and pull requests, each at a name below it: point *.<domain> here. Take one with nothing else below it, and not that of the dashboard or of a site. Left out: operators set it on the dashboard, else previews.localhost when the public address is on localhost, else there are no previews.',
  },
  proveDomains: {
    env: 'OCTAVO_PROVE_DOMAINS',
    default: 'false',
    help: 'true serves a domain that a member names only once a TXT record or a file proves that it is theirs, and answers at no host name that nobody has. Wanted where organizations do not trust each other; the command line names domains without proof.',
  },
  dnsServers: {
    env: 'OCTAVO_DNS_SERVERS',
    help: "DNS servers that are asked for the proofs of domains, <address> or <address>:<port>, separated by commas. Left out: the system's.",
  },
  forges: {
    env: 'OCTAVO_FORGES',
    help: 'What runs at hosts of your own, <host>=<kind>, separated by commas; the kinds are github (GitHub Enterprise), gitlab, gitea, forgejo and bitbucket (Bitbucket Cloud behind a proxy of yours, not Data Center). Left out: only github.com, gitlab.com, codeberg.org and bitbucket.org are known, so jobs on other hosts cannot open pull requests.',
  },
  githubAppId: {
    env: 'OCTAVO_GITHUB_APP_ID',
    help: 'Id of a GitHub App that stands in where a GitHub host has no token; goes with its key. Left out: none.',
  },
  githubAppKeyFile: {
    env: 'OCTAVO_GITHUB_APP_KEY_FILE',
    help: 'File of the private key of the GitHub App, as GitHub gave it (PEM). Left out: none.',
  },
  githubAppFor: {
    env: 'OCTAVO_GITHUB_APP_FOR',
    help: 'What the GitHub App is for, <host>[/<owner>][@<organization>], separated by commas, as for OCTAVO_GIT_TOKENS. Left out: everything, for the only organization there is, and nothing once there are two.',
  },
  gitCaFile: {
    env: 'OCTAVO_GIT_CA_FILE',
    help: "File of certificate authorities that git and calls to forges trust. Left out: the system's.",
  },
  gitProxy: {
    env: 'OCTAVO_GIT_PROXY',
    help: 'Proxy through which git and forges are reached. Left out: none.',
  },
  gitAllowHttp: {
    env: 'OCTAVO_GIT_ALLOW_HTTP',
    default: 'false',
    help: 'true takes repositories and forges over http, which is not encrypted: tokens and documents can be read on the way.',
  },
  gitSshAgent: {
    env: 'OCTAVO_GIT_SSH_AGENT',
    help: 'Socket of the ssh agent that git asks for keys. Left out: none.',
  },
  gitSshFor: {
    env: 'OCTAVO_GIT_SSH_FOR',
    help: "What the keys of ssh are for, those of the agent and of this machine's user, <host>[/<path>][@<organization>], separated by commas, as for OCTAVO_GIT_TOKENS. Left out: everything, for the only organization there is, and nothing once there are two.",
  },
  model: {
    env: 'OCTAVO_MODEL',
    help: 'Language model of agent jobs, <provider>:<model>; the providers are anthropic, openai, google, openai-compatible, ollama, vllm, lmstudio, and replay with a recorded file. Left out: agent jobs are off.',
  },
  modelUrl: {
    env: 'OCTAVO_MODEL_URL',
    help: 'Address of the model, up to the part before /chat/completions, for example http://127.0.0.1:8000/v1. Left out: the own address of the provider.',
  },
  modelWait: integerOption(1, 3600, {
    env: 'OCTAVO_MODEL_WAIT',
    default: '300',
    help: 'Seconds until a model must have begun to answer, {range}: a slow machine reads a long conversation for minutes. In the middle of an answer it may be silent for as long, but for no more than 60.',
  }),
  modelContext: integerOption(8000, 10_000_000, {
    env: 'OCTAVO_MODEL_CONTEXT',
    help: 'Tokens that the model takes at once, input and output together, {range}. Left out: what is known of models of anthropic, openai and google, and 32000 of others.',
  }),
  modelEffort: {
    env: 'OCTAVO_MODEL_EFFORT',
    help: 'How much the model of agent jobs thinks before it answers, low, medium or high, where the provider has such a choice. Left out: what the provider does by itself.',
  },
  modelPictures: {
    env: 'OCTAVO_MODEL_PICTURES',
    default: 'false',
    help: 'Whether models of an openai-compatible server take pictures: true or false. Claude, Gemini and the newer models of OpenAI are known to.',
  },
  modelPrices: {
    env: 'OCTAVO_MODEL_PRICES',
    help: 'US dollars for a million tokens, <provider>:<model>=<input>/<output>, separated by commas; a third number is the price of input that the provider had in its cache. Left out: costs are not counted.',
  },
  modelRecord: {
    env: 'OCTAVO_MODEL_RECORD',
    help: 'File that prompts and answers of the model are written to, for a replay. Left out: nothing is recorded.',
  },
  ...ASSISTANT_OPTIONS,
  anthropicKey: {
    env: 'ANTHROPIC_API_KEY',
    isSecret: true,
    help: 'Key for models of anthropic. Left out: none.',
  },
  openaiKey: { env: 'OPENAI_API_KEY', isSecret: true, help: 'Key for models of openai. Left out: none.' },
  googleKey: {
    env: 'GOOGLE_GENERATIVE_AI_API_KEY',
    isSecret: true,
    help: 'Key for models of google. Left out: none.',
  },
  modelKey: {
    env: 'OCTAVO_MODEL_KEY',
    isSecret: true,
    help: 'Key for models of openai-compatible, ollama, vllm and lmstudio. Left out: none is sent.',
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
    help: `Days that things are kept, <kind>=<days>, separated by commas; 0 is for ever. The kinds are ${RETENTION_KINDS.join(', ')}. Organizations may choose their own with octavo storage keep, but for ${RETENTION_KINDS.filter((kind) => !RETENTION[kind].isByOrganization).join(', ')}. Left out: operators set it on the dashboard, else ${RETENTION_KINDS.map((kind) => `${kind}=${RETENTION[kind].days}`).join(',')}.`,
  },
  storageGrace: integerOption(MIN_GRACE_HOURS, 8760, {
    env: 'OCTAVO_STORAGE_GRACE_HOURS',
    default: '24',
    help: 'Hours that a stored object stays which nothing needs any more, {range}: longer than a job may run.',
  }),
  ...limitOptions(),
  countryDatabase: {
    env: 'OCTAVO_COUNTRY_DATABASE',
    help: 'File of a database of countries by address (MMDB, as MaxMind, DB-IP and IPinfo give it), read at start. Readers are counted by country, and their addresses are kept no more than without it. Left out: countries are not counted.',
  },
  oidcIssuer: {
    env: 'OCTAVO_OIDC_ISSUER',
    help: 'Address of an OpenID Connect provider for single sign-on, the part before /.well-known/openid-configuration. Left out: no single sign-on.',
  },
  oidcClientId: {
    env: 'OCTAVO_OIDC_CLIENT_ID',
    help: 'Client id that the provider gave; goes with the issuer. Left out: none.',
  },
  oidcClientSecret: {
    env: 'OCTAVO_OIDC_CLIENT_SECRET',
    isSecret: true,
    help: 'Client secret that the provider gave; goes with the issuer. Left out: none.',
  },
  oidcName: {
    env: 'OCTAVO_OIDC_NAME',
    default: DEFAULT_PROVIDER_NAME,
    help: 'What the button for single sign-on says.',
  },
  oidcDomain: {
    env: 'OCTAVO_OIDC_DOMAIN',
    help: 'Domains of e-mail addresses, separated by commas, whose people may join by single sign-on alone. Left out: only those who are members or invited.',
  },
  oidcRole: {
    env: 'OCTAVO_OIDC_ROLE',
    default: 'viewer',
    help: 'Role of those who join by their e-mail domain: viewer, editor or admin.',
  },
  oidcUnverified: {
    env: 'OCTAVO_OIDC_UNVERIFIED',
    default: 'false',
    help: 'For a provider that leaves email_verified out: true takes its addresses of OCTAVO_OIDC_DOMAIN as verified. All others are refused.',
  },
  oidcSecondFactor: {
    env: 'OCTAVO_OIDC_SECOND_FACTOR',
    default: 'false',
    help: 'Whether the provider asks for a second factor itself: true leaves out the one of the account.',
  },
} as const satisfies Record<string, Option>

export type OptionName = keyof typeof OPTIONS
/** Names of settings that are whole numbers. */
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

/** Returns the text of `example.env`: every variable with description and default, commented out. */
export function exampleEnv(): string {
  const blocks = Object.values(OPTIONS as Record<string, Option>).map(
    (option) => `# ${option.help}\n# ${option.env}=${option.default ?? ''}\n`,
  )
  return `# Settings of an Octavo node, each with what it does and what leaving it out means. Everything is optional.\n# Copy this file to .env in the folder where Octavo is called, and take the # from what you set. The environment wins\n# over .env, a flag over both.\n\n${blocks.join('\n')}`
}
