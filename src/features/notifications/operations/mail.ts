/**
 * Mail operations: server settings that operators read, change and test, and password links requested by
 * mail.
 */
import { type Static, Type } from 'typebox'
import { type DashboardOperation, DASHBOARD_ROW as ROW } from '../../../base/api/operation.ts'
import { DateTime, Line, Nullable } from '../../../base/api/schema.ts'
import { FailedTrial } from '../../../base/api/trial.ts'
import { Email, LINKS } from '../../accounts/operations/people.ts'
import { MAIL_TLS } from './mail-tls.ts'

const closedObject = (title: string) => ({ additionalProperties: false, title })

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

const Port = Type.Integer({ minimum: 1, maximum: 65_535, description: 'Null: the default.' })
const Tls = Type.Enum([...MAIL_TLS])

export const InstanceMail = Type.Object(
  {
    source: Type.Enum(['environment', 'dashboard', 'none'], {
      description: 'Where the mail server is set. Environment variables cannot be changed here.',
    }),
    variables: Type.Array(Type.String(), { description: 'Environment variables that set it.' }),
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
              "False if it was saved for another server, or if the node's secret has changed since.",
          }),
        },
        { additionalProperties: false },
      ),
    ),
    changedBy: Nullable(Type.String({ description: 'Operator who last changed it.' })),
    changedAt: Nullable(DateTime),
    queue: Type.Object(
      {
        waiting: Type.Integer({ minimum: 0, description: 'Counting stops at 1000.' }),
        failed: Type.Integer({ minimum: 0, description: 'In the last 24 hours; counting stops at 1000.' }),
        lastError: Nullable(
          Type.String({ description: 'Last error of queued or failed emails; untrusted text.' }),
        ),
      },
      { additionalProperties: false },
    ),
  },
  closedObject('InstanceMail'),
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
            'Encrypted at rest, sent only to this mail server, and never returned. If omitted, the stored password is unchanged, unless the server or user changes; null removes it.',
        }),
      ),
    ),
  },
  closedObject('ChangeInstanceMail'),
)
export type InstanceMailBody = Static<typeof InstanceMailBody>

export const MailTrial = Type.Object(
  {
    milliseconds: Type.Integer({ minimum: 0 }),
    to: Type.String({ description: 'Email address of the caller.' }),
    said: Nullable(Type.String({ description: 'Response of the server; untrusted text.' })),
    failure: Nullable(FailedTrial),
  },
  closedObject('MailTrial'),
)
export type MailTrial = Static<typeof MailTrial>

export const RequestPasswordBody = Type.Object({ email: Email }, closedObject('RequestPassword'))

export const RequestedPassword = Type.Object(
  {
    isMailed: Type.Boolean({
      description: 'Whether this server sends mail. Does not reveal whether the account exists.',
    }),
  },
  closedObject('PasswordRequested'),
)

export const MAIL_OPERATIONS = {
  requestPassword: {
    ...ROW,
    method: 'POST',
    path: '/internal/password-request',
    permission: null,
    summary: 'Send a password reset link, if the email address has an account with a password',
    audit: { none: 'it changes nothing until the link is used, which is recorded' },
    limit: LINKS,
    body: RequestPasswordBody,
    success: { status: 200, schema: RequestedPassword },
  },
  getInstanceMail: {
    ...ROW,
    method: 'GET',
    path: '/internal/instance/mail',
    summary: 'Get the mail server, without its password, and the number of queued emails',
    permission: 'instance',
    success: { status: 200, schema: InstanceMail },
  },
  updateInstanceMail: {
    ...ROW,
    method: 'PATCH',
    path: '/internal/instance/mail',
    summary: 'Update the mail server; applies to all nodes within seconds',
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
    summary: 'Send a test email to the caller before the mail server is saved',
    audit: 'instance.mail_tested',
    permission: 'instance',
    body: InstanceMailBody,
    success: { status: 200, schema: MailTrial },
  },
} as const satisfies Record<string, DashboardOperation>
