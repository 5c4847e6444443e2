import { callAuth } from '../../api/send.ts'
import { openDialog } from '../../app/dialogs.tsx'
import { reloadSession, useUser } from '../../app/session.ts'
import { showOnce } from '../../app/show-once.tsx'
import { toast } from '../../app/toasts.ts'
import { textOf } from '../../forms/draft.ts'
import { FieldsDialog } from '../../forms/fields-form.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { CodeBlock } from '../../ui/code-block.tsx'
import { CopyField } from '../../ui/copy.tsx'
import { Section } from '../../ui/page.tsx'
import { QrCode } from '../../ui/qr-code.tsx'
import { t } from '../../words/words.ts'
import { CODE_INPUT } from '../sign-in/code-input.ts'

type Task = 'enable' | 'disable' | 'recovery'

export function SecondFactorSection() {
  const { twoFactorEnabled } = useUser()
  return (
    <Section
      title={t('Two-step verification')}
      about={t('A code from an app on your phone, in addition to the password.')}
      actions={
        twoFactorEnabled ? (
          <>
            <Badge tone="success">{t('On')}</Badge>
            <Button onClick={() => begin('recovery')}>{t('New recovery codes')}</Button>
            <Button onClick={() => begin('disable')}>{t('Turn off')}</Button>
          </>
        ) : (
          <Button onClick={() => begin('enable')}>{t('Turn on')}</Button>
        )
      }
    >
      {null}
    </Section>
  )
}

const TITLES: Record<Task, string> = {
  enable: t('Turn on two-step verification'),
  disable: t('Turn off two-step verification'),
  recovery: t('New recovery codes'),
}

interface Enrolment {
  totpURI: string
  backupCodes: string[]
}

/**
 * Prompts for the password. If the second factor is being turned on, the QR code, a code to confirm it and the recovery
 * codes follow.
 */
function begin(task: Task): void {
  const run = async (password: string) => {
    if (task === 'enable') return verify(await callAuth<Enrolment>('two-factor/enable', { password }))
    if (task === 'recovery')
      return showCodes(await callAuth<Enrolment>('two-factor/generate-backup-codes', { password }))
    await callAuth('two-factor/disable', { password })
    await reloadSession()
    toast({ kind: 'done', title: t('Two-step verification is off') })
  }
  openDialog((close) => (
    <FieldsDialog
      title={TITLES[task]}
      action={task === 'disable' ? t('Turn off') : t('Continue')}
      width="sm"
      fields={() => [
        {
          name: 'password',
          kind: 'password',
          label: t('Your password'),
          input: { required: true, autoFocus: true, autocomplete: 'current-password' },
        },
      ]}
      onSubmit={async (_, draft) => {
        await run(textOf(draft, 'password'))
        close()
      }}
      onClose={close}
    />
  ))
}

function verify(enrolment: Enrolment): void {
  const { totpURI: uri } = enrolment
  const secret = new URL(uri).searchParams.get('secret') ?? ''
  openDialog((close) => (
    <FieldsDialog
      title={TITLES.enable}
      action={t('Turn on')}
      width="sm"
      fields={() => [
        <p key="about" class="mb-3 text-soft">
          {t('Scan this with an authenticator app, then enter the code it shows.')}
        </p>,
        <div key="code" class="mb-4 flex justify-center">
          <QrCode text={uri} label={t('QR code for the authenticator app')} />
        </div>,
        <details key="secret" class="mb-4 text-13">
          <summary class="text-soft">{t('Can’t scan it?')}</summary>
          <div class="mt-2">
            <CopyField text={secret} label={t('Setup key')} />
          </div>
        </details>,
        {
          name: 'code',
          label: t('Code'),
          isMono: true,
          input: { ...CODE_INPUT, pattern: '\\d{6}' },
        },
      ]}
      onSubmit={async (_, draft) => {
        await callAuth('two-factor/verify-totp', { code: textOf(draft, 'code').trim() })
        await reloadSession()
        close()
        showCodes(enrolment)
      }}
      onClose={close}
    />
  ))
}

function showCodes({ backupCodes }: Pick<Enrolment, 'backupCodes'>): void {
  showOnce({
    title: t('Save these recovery codes'),
    about: t(
      'If you lose your phone, sign in with one of these codes. Each works once. They won’t be shown again.',
    ),
    done: t('I have saved them'),
    width: 'sm',
    content: <CodeBlock text={backupCodes.join('\n')} isFolded={false} />,
  })
}
