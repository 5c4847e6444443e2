/** What the form of the mail server holds while it is typed, and what is sent of it. */
import type {
  InstanceMail,
  InstanceMailBody,
} from '../../../../../src/features/notifications/operations/mail.ts'
import type { MailTls } from '../../../../../src/features/notifications/operations/mail-tls.ts'

export interface MailDraft {
  /** Empty: no mail is sent. */
  host: string
  port: string
  tls: MailTls
  user: string
  from: string
  /** Empty: the stored one stays. */
  password: string
}

export function mailDraftOf({ host, port, tls, user, from }: InstanceMail): MailDraft {
  return {
    host: host ?? '',
    port: port?.toString() ?? '',
    tls,
    user: user ?? '',
    from: from ?? '',
    password: '',
  }
}

export function mailBodyOf({ host, port, tls, user, from, password }: MailDraft): InstanceMailBody {
  const typed = (text: string) => (text.trim() === '' ? null : text.trim())
  if (typed(host) === null)
    return { host: null, port: null, tls: 'starttls', user: null, from: null, password: null }
  return {
    host: typed(host),
    // What is no number is sent as it is, so that the server's sentence about it stands at its field.
    port: typed(port) === null ? null : ((/^\d+$/.test(port.trim()) ? Number(port) : port) as number),
    tls,
    user: typed(user),
    from: typed(from),
    ...(typed(user) === null ? { password: null } : password === '' ? {} : { password }),
  }
}
