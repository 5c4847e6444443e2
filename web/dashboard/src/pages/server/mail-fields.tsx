import type { InstanceMail } from '../../../../../src/features/notifications/operations/mail.ts'
import {
  DEFAULT_MAIL_PORTS,
  MAIL_TLS,
  type MailTls,
} from '../../../../../src/features/notifications/operations/mail-tls.ts'
import { Field } from '../../ui/field.tsx'
import { Select } from '../../ui/input.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { RelativeTime } from '../../ui/time.tsx'
import { rich, t } from '../../words/words.ts'
import type { MailDraft } from './mail-draft.ts'

export const TLS_LABELS: Record<MailTls, string> = {
  starttls: 'STARTTLS',
  tls: t('TLS from the start'),
  none: t('None', { context: 'encryption' }),
}

const EXAMPLE_HOST = 'smtp.example.com'
const EXAMPLE_SENDER = 'Acme Docs <docs@example.com>'

interface FieldsProps {
  mail: InstanceMail
  draft: MailDraft
  faults: Partial<Record<string, string>>
  onChange: (change: Partial<MailDraft>) => void
}

export function MailFields({ mail, draft, faults, onChange }: FieldsProps) {
  return (
    <>
      <TextField
        label={t('Server')}
        isOptional
        error={faults.host}
        hint={t('Leave it empty to send no mail. It may be in the server’s own network.')}
        isMono
        maxLength={253}
        placeholder={EXAMPLE_HOST}
        value={draft.host}
        onText={(host) => onChange({ host })}
      />
      {draft.host.trim() !== '' && (
        <>
          <Field label={t('Encryption')} error={faults.tls}>
            {(field) => (
              <Select
                {...field}
                isFluid
                value={draft.tls}
                options={MAIL_TLS.map((tls) => ({ value: tls, label: TLS_LABELS[tls] }))}
                onChange={(tls) => onChange({ tls: tls as MailTls })}
              />
            )}
          </Field>
          <TextField
            label={t('Port')}
            isOptional
            error={faults.port}
            inputMode="numeric"
            autocomplete="off"
            maxLength={5}
            placeholder={String(DEFAULT_MAIL_PORTS[draft.tls])}
            value={draft.port}
            onText={(port) => onChange({ port })}
          />
          <LoginFields mail={mail} draft={draft} faults={faults} onChange={onChange} />
          <TextField
            label={t('Sender')}
            error={faults.from}
            hint={t('An e-mail address that this server may send as. With a name: {example}', {
              example: EXAMPLE_SENDER,
            })}
            maxLength={320}
            placeholder={EXAMPLE_SENDER}
            value={draft.from}
            onText={(from) => onChange({ from })}
          />
        </>
      )}
    </>
  )
}

function LoginFields({ mail, draft, faults, onChange }: FieldsProps) {
  return (
    <>
      <TextField
        label={t('User')}
        isOptional
        error={faults.user}
        isMono
        maxLength={320}
        autocomplete="off"
        value={draft.user}
        onText={(user) => onChange({ user })}
      />
      {draft.user.trim() !== '' && (
        <MailPasswordField mail={mail} draft={draft} faults={faults} onChange={onChange} />
      )}
    </>
  )
}

function MailPasswordField({ mail: { password }, draft, faults, onChange }: FieldsProps) {
  const isStored = password?.source === 'dashboard'
  return (
    <TextField
      label={t('Password')}
      isOptional={isStored}
      error={faults.password}
      hint={
        isStored ? (
          <>
            {password.setAt === null
              ? t('One is stored.')
              : rich('One is stored, set {when}.', { when: <RelativeTime at={password.setAt} /> })}{' '}
            {t('Leave this empty to keep it; for another server or user it has to be entered again.')}
          </>
        ) : (
          t('Stored encrypted, sent to this server only, and never shown again.')
        )
      }
      type="password"
      isMono
      maxLength={1000}
      autocomplete="off"
      value={draft.password}
      onText={(text) => onChange({ password: text })}
    />
  )
}
