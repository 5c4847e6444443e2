/**
 * Mail: the server settings that operators view, change and test on the dashboard, and password links requested by
 * mail.
 */
import { type Static, Type } from 'typebox'
import { type DashboardOperation, DASHBOARD_ROW as ROW } from '../../../base/api/operation.ts'
import { DateTime, Line, Nullable } from '../../../base/api/schema.ts'
import { FailedTrial } from '../../../base/api/trial.ts'
import { Email, LINKS } from '../../accounts/operations/people.ts'
import { MAIL_TLS } from './mail-tls.ts'

const closed = (title: string) => ({ additionalProperties: false, title })

/** Settings that operators may change, by their names in the configuration. */
export const MAIL_SETTINGS = [
  'mailHost',
  'mailPort',
  'mailTls',
  'mailUser',
  'mailFrom',
  'mailPassword',
] as const

export const MAIL_STATUSES = ['waiting', 'sent', 'failed', 'dropped'] as const
export type MailStatus = (typeof MAIL_STATUSES)[number]

const Port = Type.Integer({ minimum: 1, maximum: 65_535, description: 'Null: the usual one.' })
const Tls = Type.Enum([...MAIL_TLS])

export const InstanceMail = Type.Object(
  {
    source: Type.Enum(['environment', 'dashboard', 'none'], {
      description: 'What says it. What the environment says is not changed here.',
    }),
    variables: Type.Array(Type.String(), { description: 'Of the environment, that say it.' }),
    host: Nullable(Type.String({ description: 'Null: no mail is sent.' })),
    port: Nullable(Type.Integer()),
    tls: Tls,
    user: Nullable(Type.String()),
    from: Nullable(Type.String({ description: 'Sender: `Name <address>` or an address.' })),
    password: Nullable(
      Type.Object(
        {
          source: Type.Enum(['environment', 'dashboard']),
          setAt: Nullable(DateTime),
          isUsable: Type.Boolean({
            description:
              'False when it was given for another server, or the secret of the node is another one.',
          }),
        },
        { additionalProperties: false },
      ),
    ),
    changedBy: Nullable(Type.String({ description: 'Name of the operator who changed it last.' })),
    changedAt: Nullable(DateTime),
    queue: Type.Object(
      {
        waiting: Type.Integer({ minimum: 0, description: 'Counting stops at 1000.' }),
        failed: Type.Integer({ minimum: 0, description: 'Of the last 24 hours; counting stops at 1000.' }),
        lastError: Nullable(Type.String({ description: 'Of those that wait or failed; untrusted text.' })),
      },
      { additionalProperties: false },
    ),
  },
  closed('InstanceMail'),
)
export type InstanceMail = Static<typeof InstanceMail>

export const InstanceMailBody = Type.Object(
  {
    host: Nullable(Line(253, { examples: ['smtp.example.com'] })),
    port: Nullable(Port),
    tls: Tls,
    user: Nullable(Line(320)),
    from: Nullable(Line(320, { examples: ['Acme Docs <docs@example.com>'] })),
    password: Type.Optional(
      Nullable(
        Type.String({
          minLength: 1,
          maxLength: 1000,
          description:
            'Sealed at rest, sent to this server only, in no answer. Left out: stays, unless server or user are others; null: is removed.',
        }),
      ),
    ),
  },
  closed('ChangeInstanceMail'),
)
export type InstanceMailBody = Static<typeof InstanceMailBody>

export const MailTrial = Type.Object(
  {
    milliseconds: Type.Integer({ minimum: 0 }),
    to: Type.String({ description: 'The address of the caller.' }),
    said: Nullable(Type.String({ description: 'The answer of the server; untrusted text.' })),
    failure: Nullable(FailedTrial),
  },
  closed('MailTrial'),
)
export type MailTrial = Static<typeof MailTrial>

export const RequestPasswordBody = Type.Object({ email: Email }, closed('RequestPassword'))

export const RequestedPassword = Type.Object(
  { isMailed: Type.Boolean({ description: 'Whether mail is sent here; says nothing about the account.' }) },
  closed('PasswordRequested'),
)

export const MAIL_OPERATIONS = {
  requestPassword: {
    ...ROW,
    method: 'POST',
    path: '/internal/password-request',
    permission: null,
    summary: 'Have a link for a new password sent to an address, if there is an account with a password',
    audit: { none: 'it changes nothing until the link is used, which is recorded' },
    limit: LINKS,
    body: RequestPasswordBody,
    success: { status: 200, schema: RequestedPassword },
  },
  getInstanceMail: {
    ...ROW,
    method: 'GET',
    path: '/internal/instance/mail',
    summary: 'The mail server, without its password, and how many mails wait',
    permission: 'instance',
    success: { status: 200, schema: InstanceMail },
  },
  updateInstanceMail: {
    ...ROW,
    method: 'PATCH',
    path: '/internal/instance/mail',
    summary: 'Change the mail server, on all nodes within seconds',
    audit: 'instance.mail_changed',
    needsFresh: true,
    permission: 'instance',
    body: InstanceMailBody,
    success: { status: 200, schema: InstanceMail },
  },
  testInstanceMail: {
    ...ROW,
    method: 'POST',
    path: '/internal/instance/mail/test',
    summary: 'Send one mail to the caller before the mail server is saved',
    audit: 'instance.mail_tested',
    permission: 'instance',
    body: InstanceMailBody,
    success: { status: 200, schema: MailTrial },
  },
} as const satisfies Record<string, DashboardOperation>
