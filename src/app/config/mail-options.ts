/** Settings of the server that mail goes through. */
import { whole } from './option.ts'

export const MAIL_OPTIONS = {
  mailHost: {
    env: 'OCTAVO_MAIL_HOST',
    help: 'Mail server (SMTP) that invitations, new passwords and notifications are sent through; it may be in a private network. Left out: operators set it on the dashboard, else no mail is sent.',
  },
  mailPort: whole(1, 65_535, {
    env: 'OCTAVO_MAIL_PORT',
    help: 'Its port, {range}. Left out: 587 with STARTTLS, 465 with TLS, 25 with none.',
  }),
  mailTls: {
    env: 'OCTAVO_MAIL_TLS',
    default: 'starttls',
    help: 'How the connection to it is encrypted: starttls, tls from the first byte, or none, which takes no password but on this machine.',
  },
  mailUser: {
    env: 'OCTAVO_MAIL_USER',
    help: 'User that it asks for; goes with the password. Left out: nobody signs in there.',
  },
  mailPassword: {
    env: 'OCTAVO_MAIL_PASSWORD',
    isSecret: true,
    help: 'Password of that user; goes with the user. Left out: none.',
  },
  mailFrom: {
    env: 'OCTAVO_MAIL_FROM',
    help: 'Sender of mails, <address> or <name> <<address>>; goes with the server. Left out: no mail is sent.',
  },
  mailCaFile: {
    env: 'OCTAVO_MAIL_CA_FILE',
    help: "File of certificate authorities that mail servers are held against (PEM), those of the dashboard too. Left out: Node's own.",
  },
} as const
