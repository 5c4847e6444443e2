/** What is chosen of a mail server, and what cannot be. Read by the configuration, which loads nothing else for it. */
import type { MailTls } from '../operations/mail-tls.ts'

/** What an operator chose. */
export interface MailChoice {
  /** Null: no mail is sent. */
  host: string | null
  /** Null: the usual one. */
  port: number | null
  tls: MailTls
  user: string | null
  /** `Name <address>` or an address. */
  from: string | null
}

/** Names of hosts and addresses of both kinds. */
export function isMailHost(text: string): boolean {
  return /^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,252})$/.test(text) || /^[0-9A-Fa-f:.]{2,45}$/.test(text)
}

/** Without TLS everybody on the way reads a password; on the machine itself there is no way. */
export function sendsPasswordOpenly({ host, tls, user }: MailChoice): boolean {
  return tls === 'none' && user !== null && !['localhost', '127.0.0.1', '::1'].includes(host ?? '')
}
