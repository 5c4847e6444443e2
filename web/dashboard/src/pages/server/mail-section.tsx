import { useState } from 'preact/hooks'
import type { InstanceMail, MailTrial } from '../../../../../src/contract/mail.ts'
import { internal, internalKey } from '../../api/internal.ts'
import { queryClient } from '../../app/query-client.ts'
import { toast } from '../../app/toasts.ts'
import { UnsavedGuard } from '../../app/unsaved.tsx'
import { Button } from '../../ui/button.tsx'
import { Card, Notice } from '../../ui/card.tsx'
import { SentForm, useSending } from '../../ui/form.tsx'
import { count } from '../../ui/numbers.ts'
import { PlainText } from '../../ui/plain-text.tsx'
import { RelativeTime } from '../../ui/time.tsx'
import { type MailDraft, mailBodyOf, mailDraftOf } from './mail-draft.ts'
import { MailFields, TLS_LABELS } from './mail-fields.tsx'

const FIELDS = ['host', 'port', 'tls', 'user', 'from', 'password'] as const

export function MailSection({ mail }: { mail: InstanceMail }) {
  const [isOpen, setOpen] = useState(mail.source !== 'none')
  return (
    <>
      <QueueNotice mail={mail} />
      {!isOpen && <NoMail onSet={() => setOpen(true)} />}
      {isOpen && (mail.source === 'environment' ? <MailGiven mail={mail} /> : <MailForm mail={mail} />)}
    </>
  )
}

function NoMail({ onSet }: { onSet: () => void }) {
  return (
    <Card class="flex flex-wrap items-center justify-between gap-3 p-4">
      <p class="text-13 text-soft">No mail is sent: links are copied and passed on by hand.</p>
      <Button onClick={onSet}>Set a mail server</Button>
    </Card>
  )
}

/** Said only where something does not go out. */
function QueueNotice({ mail: { queue, host } }: { mail: InstanceMail }) {
  const { waiting, failed, lastError } = queue
  if (lastError === null || (waiting === 0 && failed === 0)) return null
  const parts = [
    ...(waiting === 0 ? [] : [`${count(waiting)} waiting`]),
    ...(failed === 0 ? [] : [`${count(failed)} failed in the last 24 hours`]),
  ]
  return (
    <Notice tone="warning" title={`Mails: ${parts.join(', ')}`}>
      <p>
        Last error: <PlainText text={lastError} />
      </p>
      {waiting > 0 && host !== null && <p>Those that wait are tried again by themselves.</p>}
    </Notice>
  )
}

/** What the environment says is shown, and changed there. */
function MailGiven({ mail }: { mail: InstanceMail }) {
  const rows = [
    ['Server', mail.port === null ? mail.host : `${mail.host}:${mail.port}`],
    ['Encryption', TLS_LABELS[mail.tls]],
    ['User', mail.user ?? 'none'],
    ['Sender', mail.from],
  ]
  return (
    <>
      <Notice title="Set by the environment">
        To set the mail server here, take {mail.variables.join(', ')} out of the environment of the server and
        restart it.
      </Notice>
      <Card>
        <dl class="divide-y divide-line text-13">
          {rows.map(([label, value]) => (
            <div key={label} class="flex flex-wrap justify-between gap-x-4 px-4 py-2.5">
              <dt class="text-soft">{label}</dt>
              <dd class="min-w-0 font-medium break-words">{value}</dd>
            </div>
          ))}
        </dl>
      </Card>
    </>
  )
}

/** Saving sends a test mail first: what does not go out is stored only when somebody says so. */
function MailForm({ mail }: { mail: InstanceMail }) {
  const { draft, set, isDirty, sending, trial, isTesting, test, save } = useMailForm(mail)
  const isOff = draft.host.trim() === ''
  return (
    <>
      <UnsavedGuard isDirty={isDirty} what="The mail server" />
      {mail.password?.isUsable === false && (
        <Notice tone="warning" title="The stored password cannot be used">
          It was given for another server or user, or the secret of the server has changed. Enter it again.
        </Notice>
      )}
      <Card class="p-4">
        <SentForm sending={sending} onSubmit={() => save(false)} noValidate>
          <MailFields mail={mail} draft={draft} faults={sending.faults} onChange={set} />
          {trial !== null && (
            <MailTrialNotice trial={trial} onSaveAnyway={() => void sending.send(() => save(true))} />
          )}
          <div class="flex flex-wrap gap-2">
            <Button type="submit" look="primary" disabled={!isDirty} isBusy={sending.isBusy && !isTesting}>
              Save
            </Button>
            <Button disabled={isOff || sending.isBusy} isBusy={isTesting} onClick={test}>
              Send a test mail
            </Button>
          </div>
        </SentForm>
      </Card>
      {mail.changedAt !== null && (
        <p class="mt-2 text-13 text-soft">
          Changed <RelativeTime at={mail.changedAt} /> by {mail.changedBy ?? 'a former member'}.
        </p>
      )}
    </>
  )
}

function useMailForm(mail: InstanceMail) {
  const [draft, setDraft] = useState(() => mailDraftOf(mail))
  const [trial, setTrial] = useState<MailTrial | null>(null)
  const [isTesting, setTesting] = useState(false)
  const sending = useSending(FIELDS)
  const isDirty = JSON.stringify(draft) !== JSON.stringify(mailDraftOf(mail))
  const set = (change: Partial<MailDraft>) => {
    setDraft({ ...draft, ...change })
    setTrial(null)
  }
  const ask = async () => {
    const asked = await internal('testInstanceMail', { body: mailBodyOf(draft) })
    setTrial(asked)
    return asked
  }
  const test = () => {
    setTrial(null)
    setTesting(true)
    void sending.send(ask).finally(() => setTesting(false))
  }
  const save = async (isUntested: boolean) => {
    const body = mailBodyOf(draft)
    if (!isUntested && body.host !== null && (await ask()).failure !== null) return
    const saved = await internal('updateInstanceMail', { body })
    setDraft(mailDraftOf(saved))
    queryClient.setQueryData(internalKey('getInstanceMail'), saved)
    void queryClient.invalidateQueries({ queryKey: internalKey('getSession') })
    toast({ kind: 'done', title: saved.host === null ? 'Mail is off' : 'The mail server is saved' })
  }
  return { draft, set, isDirty, sending, trial, isTesting, test, save }
}

/** What the server answered; what it said is its own text. */
function MailTrialNotice({ trial, onSaveAnyway }: { trial: MailTrial; onSaveAnyway: () => void }) {
  const { failure, said, to, milliseconds } = trial
  if (failure !== null)
    return (
      <div role="alert">
        <Notice
          tone="danger"
          title={failure.sentence}
          actions={
            <Button size="small" onClick={onSaveAnyway}>
              Save anyway
            </Button>
          }
        >
          {failure.remedy}
        </Notice>
      </div>
    )
  return (
    <div role="status">
      <Notice
        tone="success"
        title={`The server took a mail to ${to} in ${(milliseconds / 1000).toFixed(1)} seconds`}
      >
        {said !== null && (
          <p>
            It said: <PlainText text={said} />
          </p>
        )}
      </Notice>
    </div>
  )
}
