/**
 * Settings of a mail server and their validation. Imports nothing, because the configuration imports this
 * module.
 */
import type { MailTls } from '../operations/mail-tls.ts'

export interface MailChoice {
  /** Null disables mail. */
  host: string | null
  /** Null selects the default port. */
  port: number | null
  tls: MailTls
  user: string | null
  /** `Name <address>` or a bare address. */
  from: string | null
}

/** Accepts host names, IPv4 and IPv6 addresses. */
export function isMailHost(text: string): boolean {
  return /^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,252})$/.test(text) || /^[0-9A-Fa-f:.]{2,45}$/.test(text)
}

/** Returns true for a remote server without TLS, where anyone on the network path can read the password. */
export function sendsPasswordUnencrypted({ host, tls, user }: MailChoice): boolean {
  return tls === 'none' && user !== null && !['localhost', '127.0.0.1', '::1'].includes(host ?? '')
}
