/** How the connection is secured: STARTTLS before anything else, TLS from the first byte, or not at all. */
export const MAIL_TLS = ['starttls', 'tls', 'none'] as const
export type MailTls = (typeof MAIL_TLS)[number]

export const DEFAULT_MAIL_PORTS: Record<MailTls, number> = { starttls: 587, tls: 465, none: 25 }
