import type {
  InstanceMail,
  InstanceMailBody,
  MailTrial,
} from '../../../../../src/features/notifications/operations/mail.ts'
import {
  DEFAULT_MAIL_PORTS,
  MAIL_TLS,
  type MailTls,
} from '../../../../../src/features/notifications/operations/mail-tls.ts'
import { internal, internalKey } from '../../api/internal.ts'
import { queryClient } from '../../app/query-client.ts'
import { textOf } from '../../forms/draft.ts'
import type { Draft, Entry } from '../../forms/field-spec.ts'
import { SettingsForm, type TestResult } from '../../forms/settings-form.tsx'
import { Notice } from '../../ui/card.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import { plural, rich, t } from '../../words/words.ts'
import {
  EnvironmentSettings,
  failedResult,
  LastChange,
  QuotedAnswer,
  secretField,
  toSeconds,
  UnusableSecret,
} from './server-settings.tsx'

const TLS_LABELS: Record<MailTls, string> = {
  starttls: 'STARTTLS',
  tls: t('TLS from the start'),
  none: t('None', { context: 'encryption' }),
}
const EXAMPLE_SENDER = 'Acme Docs <docs@example.com>'

export function MailSettings({ stored: mail }: { stored: InstanceMail }) {
  if (mail.source === 'environment')
    return (
      <>
        <QueueNotice mail={mail} />
        <EnvironmentSettings
          variables={mail.variables}
          rows={[
            [t('Server'), mail.port === null ? mail.host : `${mail.host}:${mail.port}`],
            [t('Encryption'), TLS_LABELS[mail.tls]],
            [t('User'), mail.user ?? t('none', { context: 'user' })],
            [t('Sender'), mail.from],
          ]}
        />
      </>
    )
  return (
    <>
      <QueueNotice mail={mail} />
      <UnusableSecret stored={mail.password} />
      <SettingsForm<InstanceMail, InstanceMailBody>
        operation="updateInstanceMail"
        stored={mail}
        read={(stored) => ({ ...stored, password: '' })}
        fields={mailFields}
        trial={{
          isOn: hasHost,
          label: t('Send a test email'),
          run: async (body, draft) =>
            describeTest(await internal('testInstanceMail', { body: toMailBody(body, draft) })),
        }}
        save={async (_, { body, draft }) => {
          const saved = await internal('updateInstanceMail', { body: toMailBody(body, draft) })
          queryClient.setQueryData(internalKey('getInstanceMail'), saved)
          void queryClient.invalidateQueries({ queryKey: internalKey('getSession') })
          return saved
        }}
      />
      <LastChange of={mail} />
    </>
  )
}

const hasHost = (draft: Draft) => textOf(draft, 'host').trim() !== ''
const hasUser = (draft: Draft) => textOf(draft, 'user').trim() !== ''

/** Without a mail server, no other setting is stored; without a user, no password. */
function toMailBody(body: InstanceMailBody, draft: Draft): InstanceMailBody {
  if (!hasHost(draft))
    return { host: null, port: null, tls: 'starttls', user: null, from: null, password: null }
  return hasUser(draft) ? body : { ...body, password: null }
}

function mailFields(draft: Draft, { password }: InstanceMail): readonly Entry[] {
  const isHidden = !hasHost(draft)
  return [
    {
      name: 'host',
      label: t('Server'),
      isMono: true,
      help: t('Leave it empty to send no email. An address in this server’s own network is allowed.'),
    },
    {
      name: 'tls',
      kind: 'select',
      label: t('Encryption'),
      isHidden,
      choices: MAIL_TLS.map((value) => ({ value, label: TLS_LABELS[value] })),
    },
    {
      name: 'port',
      label: t('Port'),
      isHidden,
      placeholder: String(DEFAULT_MAIL_PORTS[textOf(draft, 'tls') as MailTls] ?? ''),
    },
    {
      name: 'user',
      label: t('User'),
      ...{ isHidden, isMono: true, input: { autocomplete: 'off' } },
    },
    secretField(
      { name: 'password', label: t('Password'), isHidden: isHidden || !hasUser(draft) },
      password?.source === 'dashboard' ? password : null,
    ),
    {
      name: 'from',
      label: t('Sender'),
      ...{ isHidden, isOptional: false },
      help: t('An email address that this server may send as. With a name: {example}', {
        example: EXAMPLE_SENDER,
      }),
    },
  ]
}

/** Only shown when messages are waiting or have failed. */
function QueueNotice({ mail: { queue, host } }: { mail: InstanceMail }) {
  const { waiting, failed, lastError } = queue
  if (lastError === null || (waiting === 0 && failed === 0)) return null
  const parts = [
    waiting > 0 && plural(waiting, '{count} email is waiting', '{count} emails are waiting'),
    failed > 0 &&
      plural(
        failed,
        '{count} email failed in the last 24 hours',
        '{count} emails failed in the last 24 hours',
      ),
  ]
  return (
    <Notice tone="warning" title={parts.filter(Boolean).join(' · ')}>
      <p>{rich('Last error: {error}', { error: <PlainText text={lastError} /> })}</p>
      {waiting > 0 && host !== null && <p>{t('Waiting emails are retried automatically.')}</p>}
    </Notice>
  )
}

function describeTest({ failure, said, to, milliseconds }: MailTrial): TestResult {
  if (failure !== null) return failedResult(failure)
  return {
    hasPassed: true,
    title: plural(
      toSeconds(milliseconds),
      'The server accepted an email to {address} in {count} second',
      'The server accepted an email to {address} in {count} seconds',
      { address: to },
    ),
    details: <QuotedAnswer text={said} />,
  }
}
