/** Determines the mail server, which is set by the environment or by an operator on the dashboard. */

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

export interface MailServer {
  host: string
  port: number
  tls: MailTls
  login: { user: string; password: string } | null
  from: Mailbox
  /** PEM certificate authorities that replace the default ones. */
  authorities: string | null
  guard: AddressGuard
}

export interface MailSource {
  /** Complete settings of the environment; null if operators set them on the dashboard. */
  environmentMail: { choice: MailChoice; password: string | null; variables: string[] } | null
  instanceSecrets: SecretBox
  /** Encrypts the links of waiting mails. */
  linkSecrets: SecretBox
  unsubscribe: UnsubscribeTokens
  authorities: string | null
  guard: AddressGuard
}

const NO_MAIL: MailChoice = { host: null, port: null, tls: 'starttls', user: null, from: null }

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

/** Identifies the only server to which the password may be sent; null without a password. */
export function passwordDestination({ host, port, tls, user }: MailChoice): string | null {
  if (host === null || user === null) return null
  return JSON.stringify([host.toLowerCase(), port ?? DEFAULT_MAIL_PORTS[tls], tls, user])
}

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

/** Returns the current server; null disables mail. */
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

/** Returns true if this server sends mail. Features that need mail are hidden otherwise. */
export async function isMailEnabled(source: MailSource, queries: Queries): Promise<boolean> {
  return (await readMailServer(source, queries)) !== null
}
