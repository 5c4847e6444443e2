import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { callAuth } from '../../api/send.ts'
import { reloadSession, useUser } from '../../app/session.ts'
import { toast } from '../../app/toasts.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { CodeBlock } from '../../ui/code-block.tsx'
import { CopyField } from '../../ui/copy.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Form } from '../../ui/form.tsx'
import { Section } from '../../ui/page.tsx'
import { QrCode } from '../../ui/qr-code.tsx'
import { PasswordField, TextField } from '../../ui/text-field.tsx'
import { t } from '../../words/words.ts'

type Task = 'enable' | 'disable' | 'recovery'

export function SecondFactorSection() {
  const { twoFactorEnabled } = useUser()
  const [task, setTask] = useState<Task | null>(null)
  return (
    <Section
      title={t('Two-step verification')}
      about={t('A code from an app on your phone, in addition to the password.')}
      actions={
        <>
          {twoFactorEnabled && <Badge tone="success">{t('On')}</Badge>}
          {twoFactorEnabled ? (
            <>
              <Button onClick={() => setTask('recovery')}>{t('New recovery codes')}</Button>
              <Button onClick={() => setTask('disable')}>{t('Turn off')}</Button>
            </>
          ) : (
            <Button onClick={() => setTask('enable')}>{t('Turn on')}</Button>
          )}
        </>
      }
    >
      {task !== null && <SecondFactorDialog task={task} onClose={() => setTask(null)} />}
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

/** Asks for the password; turning it on continues with the QR code, a code to confirm it, and the recovery codes. */
function SecondFactorDialog({ task, onClose }: { task: Task; onClose: () => void }) {
  const [password, setPassword] = useState('')
  const [enrolment, setEnrolment] = useState<Enrolment | null>(null)
  const [recoveryCodes, setRecoveryCodes] = useState<string[] | null>(null)
  const begin = async () => {
    if (task === 'enable') setEnrolment(await callAuth<Enrolment>('two-factor/enable', { password }))
    if (task === 'recovery') {
      const { backupCodes } = await callAuth<Enrolment>('two-factor/generate-backup-codes', { password })
      setRecoveryCodes(backupCodes)
    }
    if (task !== 'disable') return
    await callAuth('two-factor/disable', { password })
    await reloadSession()
    toast({ kind: 'done', title: t('Two-step verification is off') })
    onClose()
  }
  const verifyCode = async (code: string) => {
    await callAuth('two-factor/verify-totp', { code })
    await reloadSession()
    setRecoveryCodes(enrolment?.backupCodes ?? [])
  }

  if (recoveryCodes !== null) return <RecoveryCodes codes={recoveryCodes} onClose={onClose} />
  return (
    <Dialog title={TITLES[task]} width="sm" onClose={onClose}>
      {enrolment === null ? (
        <Form onSubmit={begin}>
          {({ isBusy }) => (
            <>
              <PasswordField
                label={t('Your password')}
                required
                autoFocus
                autocomplete="current-password"
                value={password}
                onText={setPassword}
              />
              <Button
                type="submit"
                look={task === 'disable' ? 'danger' : 'primary'}
                class="w-full"
                isBusy={isBusy}
              >
                {task === 'disable' ? t('Turn off') : t('Continue')}
              </Button>
            </>
          )}
        </Form>
      ) : (
        <VerifyStep uri={enrolment.totpURI} onCode={verifyCode} />
      )}
    </Dialog>
  )
}

function VerifyStep({ uri, onCode }: { uri: string; onCode: (code: string) => Promise<void> }) {
  const [code, setCode] = useState('')
  const field = useRef<HTMLInputElement>(null)
  // The browser only applies autofocus when a dialog opens, and this one is already open.
  useLayoutEffect(() => field.current?.focus(), [])
  const secret = new URL(uri).searchParams.get('secret') ?? ''
  return (
    <Form onSubmit={() => onCode(code)}>
      {({ isBusy }) => (
        <>
          <p class="mb-3 text-soft">
            {t('Scan this with an authenticator app, then enter the code it shows.')}
          </p>
          <div class="mb-4 flex justify-center">
            <QrCode text={uri} label={t('Picture of the secret, for the app')} />
          </div>
          <details class="mb-4 text-13">
            <summary class="text-soft">{t('I cannot scan it')}</summary>
            <div class="mt-2">
              <CopyField text={secret} label={t('Setup key')} />
            </div>
          </details>
          <TextField
            label={t('Code')}
            inputRef={field}
            isMono
            required
            inputMode="numeric"
            autocomplete="one-time-code"
            pattern="\d{6}"
            maxLength={6}
            class="h-11 text-center text-20 tracking-[0.4em]"
            value={code}
            onText={(text) => setCode(text.replace(/\D/g, ''))}
          />
          <Button type="submit" look="primary" class="w-full" isBusy={isBusy}>
            {t('Turn on')}
          </Button>
        </>
      )}
    </Form>
  )
}

function RecoveryCodes({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  return (
    <Dialog
      title={t('Save these recovery codes')}
      about={t('Each one lets you in once if you lose your phone. They are shown only now.')}
      width="sm"
      onClose={onClose}
      actions={
        <Button look="primary" onClick={onClose}>
          {t('I have saved them')}
        </Button>
      }
    >
      <CodeBlock text={codes.join('\n')} isFolded={false} />
    </Dialog>
  )
}
