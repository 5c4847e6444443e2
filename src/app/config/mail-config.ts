/** Mail, read from the settings. */

import {
  isMailHost,
  type MailChoice,
  sendsPasswordOpenly,
} from '../../features/notifications/mail/mail-choice.ts'
import { parseMailbox } from '../../features/notifications/mail/mailbox.ts'
import { MAIL_TLS, type MailTls } from '../../features/notifications/operations/mail-tls.ts'
import type { Reader, Text } from './read-setting.ts'

export interface MailConfig extends MailChoice {
  /** Null: those that Node knows. */
  caFile: string | null
}

export function readMailConfig(text: Text, read: Reader): MailConfig {
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
export function mailFaults(text: Text): string[] {
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
