/** Form state of the mail server, and the request body built from it. */
import type {
  InstanceMail,
  InstanceMailBody,
} from '../../../../../src/features/notifications/operations/mail.ts'
import type { MailTls } from '../../../../../src/features/notifications/operations/mail-tls.ts'

export interface MailDraft {
  /** Empty disables email. */
  host: string
  port: string
  tls: MailTls
  user: string
  from: string
  /** Empty leaves the stored password unchanged. */
  password: string
}

export function toMailDraft({ host, port, tls, user, from }: InstanceMail): MailDraft {
  return {
    host: host ?? '',
    port: port?.toString() ?? '',
    tls,
    user: user ?? '',
    from: from ?? '',
    password: '',
  }
}

export function toMailBody({ host, port, tls, user, from, password }: MailDraft): InstanceMailBody {
  const trimmedOrNull = (text: string) => (text.trim() === '' ? null : text.trim())
  if (trimmedOrNull(host) === null)
    return { host: null, port: null, tls: 'starttls', user: null, from: null, password: null }
  return {
    host: trimmedOrNull(host),
    // Anything but a number is sent unchanged, so that the server's error appears at the field.
    port: trimmedOrNull(port) === null ? null : ((/^\d+$/.test(port.trim()) ? Number(port) : port) as number),
    tls,
    user: trimmedOrNull(user),
    from: trimmedOrNull(from),
    ...(trimmedOrNull(user) === null ? { password: null } : password === '' ? {} : { password }),
  }
}
