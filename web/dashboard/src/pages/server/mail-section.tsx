import { useState } from 'preact/hooks'
import type { InstanceMail, MailTrial } from '../../../../../src/features/notifications/operations/mail.ts'
import { internal, internalKey } from '../../api/internal.ts'
import { queryClient } from '../../app/query-client.ts'
import { toast } from '../../app/toasts.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/card.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import { plural, rich, t } from '../../words/words.ts'
import { EnvironmentSettings, LastChange, UnusableSecret } from './environment-settings.tsx'
import { type MailDraft, toMailBody, toMailDraft } from './mail-draft.ts'
import { MailFields, TLS_LABELS } from './mail-fields.tsx'
import {
  FailedFinding,
  PassedTrial,
  QuotedAnswer,
  TrialForm,
  toSeconds,
  useTrialForm,
} from './trial-form.tsx'

const FIELDS = ['host', 'port', 'tls', 'user', 'from', 'password'] as const

export function MailSection({ mail }: { mail: InstanceMail }) {
  const [isOpen, setOpen] = useState(mail.source !== 'none')
  return (
    <>
      <QueueNotice mail={mail} />
      {!isOpen && <NoMail onSet={() => setOpen(true)} />}
      {isOpen && (mail.source === 'environment' ? <EnvironmentMail mail={mail} /> : <MailForm mail={mail} />)}
    </>
  )
}

function NoMail({ onSet }: { onSet: () => void }) {
  return (
    <div class="flex flex-wrap items-center justify-between gap-3">
      <p class="text-13 text-soft">{t('No mail is sent: links are copied and passed on by hand.')}</p>
      <Button onClick={onSet}>{t('Set a mail server')}</Button>
    </div>
  )
}

/** Only shown when messages are waiting or have failed. */
function QueueNotice({ mail: { queue, host } }: { mail: InstanceMail }) {
  const { waiting, failed, lastError } = queue
  if (lastError === null || (waiting === 0 && failed === 0)) return null
  const parts = [
    ...(waiting === 0 ? [] : [plural(waiting, '{count} mail is waiting', '{count} mails are waiting')]),
    ...(failed === 0
      ? []
      : [
          plural(
            failed,
            '{count} mail failed in the last 24 hours',
            '{count} mails failed in the last 24 hours',
          ),
        ]),
  ]
  return (
    <Notice tone="warning" title={parts.join(' · ')}>
      <p>{rich('Last error: {error}', { error: <PlainText text={lastError} /> })}</p>
      {waiting > 0 && host !== null && <p>{t('Those that wait are tried again by themselves.')}</p>}
    </Notice>
  )
}

function EnvironmentMail({ mail }: { mail: InstanceMail }) {
  const rows = [
    [t('Server'), mail.port === null ? mail.host : `${mail.host}:${mail.port}`],
    [t('Encryption'), TLS_LABELS[mail.tls]],
    [t('User'), mail.user ?? t('none', { context: 'user' })],
    [t('Sender'), mail.from],
  ] as const
  const advice = t(
    'To set the mail server here, remove {variables} from the environment of the server and restart it.',
    { variables: mail.variables.join(', ') },
  )
  return <EnvironmentSettings advice={advice} rows={rows} />
}

function MailForm({ mail }: { mail: InstanceMail }) {
  const form = useTrialForm({
    fields: FIELDS,
    stored: toMailDraft(mail),
    isOn: ({ host }) => host.trim() !== '',
    test: (draft: MailDraft) => internal('testInstanceMail', { body: toMailBody(draft) }),
    hasPassed: ({ failure }) => failure === null,
    save: async (draft) => {
      const saved = await internal('updateInstanceMail', { body: toMailBody(draft) })
      queryClient.setQueryData(internalKey('getInstanceMail'), saved)
      void queryClient.invalidateQueries({ queryKey: internalKey('getSession') })
      toast({ kind: 'done', title: saved.host === null ? t('Mail is off') : t('The mail server is saved') })
      return toMailDraft(saved)
    },
  })
  return (
    <>
      {mail.password?.isUsable === false && (
        <UnusableSecret
          title={t('The stored password cannot be used')}
          about={t(
            'It was given for another server or user, or the secret of the server has changed. Enter it again.',
          )}
        />
      )}
      <TrialForm
        form={form}
        warning={t('Your changes to the mail server will be lost.')}
        testLabel={t('Send a test mail')}
        notice={mailNotice}
      >
        <MailFields mail={mail} draft={form.draft} faults={form.sending.faults} onChange={form.set} />
      </TrialForm>
      <LastChange of={mail} />
    </>
  )
}

function mailNotice({ failure, said, to, milliseconds }: MailTrial, onSaveAnyway: () => void) {
  if (failure !== null) return <FailedFinding finding={failure} onSaveAnyway={onSaveAnyway} />
  return (
    <PassedTrial
      title={plural(
        toSeconds(milliseconds),
        'The server took a mail to {address} in {count} second',
        'The server took a mail to {address} in {count} seconds',
        { address: to },
      )}
    >
      <QuotedAnswer text={said} />
    </PassedTrial>
  )
}
