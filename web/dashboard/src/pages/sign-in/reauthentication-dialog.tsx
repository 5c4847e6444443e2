import { useState } from 'preact/hooks'
import { canUsePasskeys, isCancelled, requestPasskey, signInWithPasskey } from '../../api/passkeys.ts'
import { callAuth } from '../../api/send.ts'
import { startSingleSignOn } from '../../api/single-sign-on.ts'
import { useSession } from '../../app/session.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { SubmissionForm, useFormSubmission } from '../../ui/form.tsx'
import { PasswordField, TextField } from '../../ui/text-field.tsx'
import { t } from '../../words/words.ts'
import { CODE_INPUT } from './code-input.ts'

type CredentialKind = 'password' | 'code'

/**
 * Asks a signed-in user to confirm their identity with any available method, or with the second factor alone where
 * that is required.
 */
export function ReauthenticationDialog({
  isSecond = false,
  onDone,
}: {
  isSecond?: boolean
  onDone: (isConfirmed: boolean) => void
}) {
  const { user, signIn } = useSession()
  const hasCodes = user?.twoFactorEnabled ?? false
  const hasPassword = (user?.hasPassword ?? false) && !isSecond
  const hasPasskey = (user?.hasPasskey ?? false) && canUsePasskeys()
  const [way, setWay] = useState<CredentialKind>(hasPassword ? 'password' : 'code')
  const sending = useFormSubmission()
  const withPasskey = async () => {
    try {
      await signInWithPasskey(await requestPasskey({ isProposal: false }))
      onDone(true)
    } catch (failure) {
      if (!isCancelled(failure)) throw failure
    }
  }
  const isTyped = hasPassword || hasCodes
  return (
    <Dialog
      title={t('Confirm that it is you')}
      about={
        isSecond
          ? t('This organization requires a second factor.')
          : t('This change is hard to undo, and you last confirmed your identity a while ago.')
      }
      width="sm"
      onClose={() => onDone(false)}
    >
      {isTyped && <TypedCredential key={way} way={way} onDone={() => onDone(true)} />}
      {hasPassword && hasCodes && (
        <Button
          look="quiet"
          class="mt-2 w-full"
          onClick={() => setWay(way === 'password' ? 'code' : 'password')}
        >
          {way === 'password' ? t('Use a code from the app') : t('Use the password')}
        </Button>
      )}
      {hasPasskey && (
        <SubmissionForm sending={sending} onSubmit={withPasskey} class={isTyped ? 'mt-3' : ''}>
          <Button type="submit" class="w-full" icon="fingerprint-pattern" isBusy={sending.isBusy}>
            {t('Use a passkey')}
          </Button>
        </SubmissionForm>
      )}
      {!isTyped && !hasPasskey && signIn.sso !== null && (
        <ReauthenticateWithProvider name={signIn.sso.name} email={user?.email ?? ''} />
      )}
    </Dialog>
  )
}

function TypedCredential({ way, onDone }: { way: CredentialKind; onDone: () => void }) {
  const [text, setText] = useState('')
  const sending = useFormSubmission()
  const send = async () => {
    if (way === 'password') await callAuth('verify-password', { password: text })
    else await callAuth('two-factor/verify-totp', { code: text.trim() })
    onDone()
  }
  const field = { required: true, autoFocus: true, value: text, onText: setText }
  return (
    <SubmissionForm sending={sending} onSubmit={send}>
      {way === 'password' ? (
        <PasswordField {...field} label={t('Your password')} autocomplete="current-password" />
      ) : (
        <TextField {...field} label={t('Code')} isMono {...(CODE_INPUT as object)} />
      )}
      <Button type="submit" look="primary" class="w-full" isBusy={sending.isBusy}>
        {t('Confirm')}
      </Button>
    </SubmissionForm>
  )
}

/** For users without a password or passkey: confirm with the provider, then repeat the action. */
function ReauthenticateWithProvider({ name, email }: { name: string; email: string }) {
  const sending = useFormSubmission()
  const back = location.pathname + location.search
  const start = () => startSingleSignOn({ email, callbackURL: back })
  return (
    <SubmissionForm sending={sending} onSubmit={start}>
      <p class="mb-3 text-soft">
        {t('After signing in, you return to this page and must repeat the action.')}
      </p>
      <Button type="submit" look="primary" class="w-full" icon="building-2" isBusy={sending.isBusy}>
        {t('Sign in again with {name}', { name })}
      </Button>
    </SubmissionForm>
  )
}
