/** Egress settings for URLs supplied by users: a list of allowed private hosts per feature. */
import { WEB_PORTS } from '../../base/net/guarded-fetch.ts'
import { GIT_PORTS } from '../../git/pin-remote.ts'
import type { Option } from './option.ts'

interface EgressRow {
  env: string
  /** Subject of the setting's help text; "can connect to" follows it. */
  what: string
  /** Ports allowed on any host; null allows all. */
  ports: readonly number[] | null
}

export const EGRESS = {
  git: {
    env: 'OCTAVO_GIT_PRIVATE_HOSTS',
    what: 'URLs of repositories and forges',
    ports: GIT_PORTS,
  },
  webhooks: { env: 'OCTAVO_WEBHOOK_PRIVATE_HOSTS', what: 'webhooks', ports: WEB_PORTS },
  remoteFiles: {
    env: 'OCTAVO_REMOTE_FILE_PRIVATE_HOSTS',
    what: 'images, API descriptions and other files referenced by pages',
    ports: WEB_PORTS,
  },
  playground: {
    env: 'OCTAVO_PLAYGROUND_PRIVATE_HOSTS',
    what: 'calls of the API playground, which any reader can make,',
    ports: WEB_PORTS,
  },
  agent: {
    env: 'OCTAVO_AGENT_PRIVATE_HOSTS',
    what: 'pages that agent jobs read and links that they check',
    ports: WEB_PORTS,
  },
  models: {
    env: 'OCTAVO_MODEL_PRIVATE_HOSTS',
    what: 'models set on the dashboard',
    ports: null,
  },
  mail: { env: 'OCTAVO_MAIL_PRIVATE_HOSTS', what: 'mail servers set on the dashboard', ports: null },
  signIn: {
    env: 'OCTAVO_OIDC_PRIVATE_HOSTS',
    what: 'single sign-on providers set on the dashboard, and URLs that providers return,',
    ports: null,
  },
} as const satisfies Record<string, EgressRow>

export type EgressFeature = keyof typeof EGRESS

export const EGRESS_FEATURES = Object.keys(EGRESS) as EgressFeature[]

type EgressOptionName = `privateHosts.${EgressFeature}`

export const EGRESS_OPTIONS = Object.fromEntries(
  EGRESS_FEATURES.map((feature) => [`privateHosts.${feature}`, toOption(EGRESS[feature])]),
) as Record<EgressOptionName, Option>

function toOption({ env, what, ports }: EgressRow): Option {
  const exampleText = ports === null ? '<host> for all ports' : `<host> for the ports ${ports.join(', ')}`
  return {
    env,
    help: `Private hosts that ${what} can connect to, separated by commas: ${exampleText}, <host>:<port>, or <host>:* for all ports. Default: none.`,
  }
}
