/** `starttls` secures the connection before any other command, `tls` from the first byte, `none` never. */
export const MAIL_TLS = ['starttls', 'tls', 'none'] as const
export type MailTls = (typeof MAIL_TLS)[number]

export const DEFAULT_MAIL_PORTS: Record<MailTls, number> = { starttls: 587, tls: 465, none: 25 }
