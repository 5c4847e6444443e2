/** Determines the mail server: from the environment, or set by an operator on the dashboard. */

import type { AddressGuard } from '../../../base/net/address-guard.ts'
import type { SecretBox } from '../../../base/secret-box.ts'
import type { Queries } from '../../../database/database.ts'
import {
  type InstanceSettings,
  openInstanceSecret,
  readInstanceSettings,
} from '../../accounts/settings/instance-settings.ts'
import { DEFAULT_MAIL_PORTS, MAIL_TLS, type MailTls } from '../operations/mail-tls.ts'
import type { MailChoice } from './mail-choice.ts'
import { type Mailbox, parseMailbox } from './mailbox.ts'
import type { UnsubscribeTokens } from './unsubscribe.ts'

/** A mail server with everything needed to send. */
export interface MailServer {
  host: string
  port: number
  tls: MailTls
  login: { user: string; password: string } | null
  from: Mailbox
  /** PEM certificate authorities that are trusted instead of the default ones. */
  authorities: string | null
  /** Restricts the addresses of mail servers. */
  guard: AddressGuard
}

export interface MailSource {
  /** Complete settings from the environment; null: set on the dashboard. */
  environmentMail: { choice: MailChoice; password: string | null; variables: string[] } | null
  /** Decrypts the secrets of operators. */
  instanceSecrets: SecretBox
  /** Encrypts the links of waiting mails. */
  linkSecrets: SecretBox
  unsubscribe: UnsubscribeTokens
  authorities: string | null
  guard: AddressGuard
}

const NO_MAIL: MailChoice = { host: null, port: null, tls: 'starttls', user: null, from: null }

/** Builds the mail settings that operators have chosen from the instance settings. */
export function readMailChoice(settings: ReadonlyMap<string, { value: string | null }>): MailChoice {
  const text = (name: string) => settings.get(name)?.value ?? null
  const host = text('mailHost')
  if (host === null) return NO_MAIL
  const port = text('mailPort')
  return {
    host,
    port: port === null ? null : Number(port),
    tls: MAIL_TLS.find((tls) => tls === text('mailTls')) ?? 'starttls',
    user: text('mailUser'),
    from: text('mailFrom'),
  }
}

/** Identifies the only server that the password may be sent to; null: none. */
export function passwordDestination({ host, port, tls, user }: MailChoice): string | null {
  if (host === null || user === null) return null
  return JSON.stringify([host.toLowerCase(), port ?? DEFAULT_MAIL_PORTS[tls], tls, user])
}

/** Returns null when no server is set, or when a required setting is missing. */
export function createMailServer(
  { authorities, guard }: Pick<MailSource, 'authorities' | 'guard'>,
  { host, port, tls, user, from }: MailChoice,
  password: string | null,
): MailServer | null {
  const sender = parseMailbox(from ?? '')
  if (host === null || sender === null) return null
  if (user !== null && password === null) return null
  const login = user === null || password === null ? null : { user, password }
  return { host, port: port ?? DEFAULT_MAIL_PORTS[tls], tls, login, from: sender, authorities, guard }
}

/** Returns the current server; null: no mail is sent. */
export async function readMailServer(source: MailSource, queries: Queries): Promise<MailServer | null> {
  if (source.environmentMail !== null)
    return createMailServer(source, source.environmentMail.choice, source.environmentMail.password)
  return chosenServer(source, await readInstanceSettings(queries))
}

function chosenServer(source: MailSource, settings: InstanceSettings): MailServer | null {
  const choice = readMailChoice(settings)
  const password = openInstanceSecret(
    source.instanceSecrets,
    settings,
    'mailPassword',
    passwordDestination(choice),
  )
  return createMailServer(source, choice, password)
}

/** Whether this server sends mail. Features that need it are hidden otherwise. */
export async function isMailEnabled(source: MailSource, queries: Queries): Promise<boolean> {
  return (await readMailServer(source, queries)) !== null
}
