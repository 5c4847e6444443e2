import { useState } from 'preact/hooks'
import { callAuth } from '../../api/send.ts'
import { Button } from '../../ui/button.tsx'
import { SubmissionForm, useFormSubmission } from '../../ui/form.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { t } from '../../words/words.ts'
import { VisitorPage } from './visitor-page.tsx'

const CODE_LENGTH = 6

export function SecondFactor({ onDone, onBack }: { onDone: () => Promise<void>; onBack: () => void }) {
  const [isRecovery, setRecovery] = useState(false)
  const [code, setCode] = useState('')
  const sending = useFormSubmission()

  const check = (given: string) => async () => {
    try {
      await callAuth(isRecovery ? 'two-factor/verify-backup-code' : 'two-factor/verify-totp', {
        code: given.trim(),
      })
      await onDone()
    } catch (failure) {
      setCode('')
      throw failure
    }
  }
  const type = (text: string) => {
    const next = isRecovery ? text : text.replace(/\D/g, '').slice(0, CODE_LENGTH)
    setCode(next)
    if (!isRecovery && next.length === CODE_LENGTH) void sending.send(check(next))
  }
  const switchKind = () => {
    setRecovery(!isRecovery)
    setCode('')
    sending.reset()
  }
  return (
    <VisitorPage
      title={t('One more step')}
      about={
        isRecovery
          ? t('Enter one of your recovery codes. Each works once.')
          : t('Enter the code that your app shows.')
      }
      footer={
        <Button look="quiet" size="small" icon="arrow-left" onClick={onBack}>
          {t('Sign in with another account')}
        </Button>
      }
    >
      <SubmissionForm sending={sending} onSubmit={check(code)}>
        <CodeField key={String(isRecovery)} isRecovery={isRecovery} code={code} onText={type} />
        <Button type="submit" look="primary" size="large" class="w-full" isBusy={sending.isBusy}>
          {t('Continue')}
        </Button>
        <Button look="quiet" class="mt-2 w-full" onClick={switchKind}>
          {isRecovery ? t('Use a code from the app') : t('Use a recovery code')}
        </Button>
      </SubmissionForm>
    </VisitorPage>
  )
}

function CodeField({
  isRecovery,
  code,
  onText,
}: {
  isRecovery: boolean
  code: string
  onText: (text: string) => void
}) {
  return (
    <TextField
      label={isRecovery ? t('Recovery code') : t('Code')}
      isMono
      autoFocus
      required
      autocomplete="one-time-code"
      inputMode={isRecovery ? 'text' : 'numeric'}
      class={isRecovery ? '' : 'h-11 text-center text-20 tracking-[0.4em]'}
      value={code}
      onText={onText}
    />
  )
}
