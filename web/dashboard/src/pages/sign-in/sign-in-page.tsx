import { useEffect, useRef, useState } from 'preact/hooks'
import {
  canProposePasskeys,
  canUsePasskeys,
  isCancelled,
  requestPasskey,
  signInWithPasskey,
} from '../../api/passkeys.ts'
import { callAuth } from '../../api/send.ts'
import { startSingleSignOn } from '../../api/single-sign-on.ts'
import { useQueryParameters } from '../../app/query-parameters.ts'
import { useSession } from '../../app/session.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/card.tsx'
import { FormError } from '../../ui/field.tsx'
import { SubmissionForm, useFormSubmission } from '../../ui/form.tsx'
import { FormFailure } from '../../ui/form-failure.tsx'
import { Link } from '../../ui/link.tsx'
import { PasswordField, TextField } from '../../ui/text-field.tsx'
import { t } from '../../words/words.ts'
import { useCompleteSignIn } from './complete-sign-in.ts'
import { SecondFactor } from './second-factor.tsx'
import { VisitorPage } from './visitor-page.tsx'

/** Messages for the error codes in redirects from single sign-on. */
const SSO_ERRORS: Record<string, string> = {
  access_denied: t('The provider did not let you in. Try again, or sign in another way.'),
  not_invited: t('There is no account or invitation for this address. Ask an admin for an invitation.'),
  email_not_verified: t('The provider has not verified your email address. Verify it there, and try again.'),
  account_not_linked: t(
    'An account with this address exists. Sign in to it another way, then connect single sign-on on its account page.',
  ),
  other_identity_linked: t(
    'Your account is connected to a different identity at the provider. Sign in to the provider with that identity.',
  ),
  other_domain: t('This provider is not for your email address. Sign in another way, or ask an admin.'),
  state_mismatch: t('Sign-in took too long, or was started in another window. Try again here.'),
}

export function SignInPage() {
  const [parameters] = useQueryParameters()
  const { signIn, isSetUp } = useSession()
  const [isSecond, setSecond] = useState(parameters.code === '1')
  const completeSignIn = useCompleteSignIn(parameters.to)
  if (isSecond) return <SecondFactor onDone={completeSignIn} onBack={() => setSecond(false)} />
  return (
    <VisitorPage
      title={t('Sign in to Octavo')}
      footer={
        isSetUp
          ? t('No account? Ask an admin of your organization for an invitation.')
          : t('No owner yet? Open the one-time link that the server printed when it started.')
      }
    >
      {parameters.ended === '1' && (
        <Notice title={t('Your session has ended')}>
          {t('Sign in again to pick up where you left off.')}
        </Notice>
      )}
      {parameters.error !== undefined && (
        <FormError
          title={
            SSO_ERRORS[parameters.error] ?? t('Single sign-on did not work. Try again, or ask an admin.')
          }
        />
      )}
      <div class="flex flex-col gap-4">
        {signIn.sso !== null && <SingleSignOn {...signIn.sso} to={parameters.to} />}
        {signIn.sso !== null && (signIn.password || canUsePasskeys()) && <Or />}
        {!signIn.password && canUsePasskeys() && <PasskeyForm onDone={completeSignIn} />}
        {signIn.password && (
          <PasswordForm
            onDone={completeSignIn}
            onSecondFactor={() => setSecond(true)}
            hasPasskeys={signIn.passkey}
          />
        )}
      </div>
    </VisitorPage>
  )
}

function Or() {
  return (
    <div class="flex items-center gap-3 text-12 text-faint">
      <hr class="flex-1" />
      {t('or')}
      <hr class="flex-1" />
    </div>
  )
}

function SingleSignOn({
  name,
  byEmail = false,
  to,
}: {
  name: string
  byEmail?: boolean
  to: string | undefined
}) {
  const sending = useFormSubmission()
  const [email, setEmail] = useState<string | null>(null)
  const start = () =>
    startSingleSignOn({
      ...(email === null ? {} : { email: email.trim() }),
      callbackURL: to ?? '/',
      errorCallbackURL: `/sign-in${to ? `?to=${encodeURIComponent(to)}` : ''}`,
    })
  if (email !== null)
    return (
      <SubmissionForm sending={sending} onSubmit={start}>
        <TextField
          label={t('Your work email address')}
          hint={t('Its domain determines where you sign in.')}
          type="email"
          required
          autoFocus
          autocomplete="email"
          value={email}
          onText={setEmail}
        />
        <Button type="submit" size="large" class="w-full" icon="building-2" isBusy={sending.isBusy}>
          {t('Continue')}
        </Button>
      </SubmissionForm>
    )
  return (
    <div>
      <FormFailure error={sending.error} />
      <Button
        size="large"
        class="w-full"
        icon="building-2"
        isBusy={sending.isBusy}
        onClick={() => (byEmail ? setEmail('') : void sending.send(start))}
      >
        {t('Continue with {name}', { name })}
      </Button>
    </div>
  )
}

function PasswordForm({
  onDone,
  onSecondFactor,
  hasPasskeys,
}: {
  onDone: () => Promise<void>
  onSecondFactor: () => void
  hasPasskeys: boolean
}) {
  const [busy, setBusy] = useState<'password' | 'passkey' | null>(null)
  const [error, setError] = useState<unknown>(null)
  const form = useRef<HTMLFormElement>(null)
  const proposal = usePasskeyAutofill(hasPasskeys, onDone, setError)

  const attempt = async (kind: 'password' | 'passkey', work: () => Promise<void>) => {
    setBusy(kind)
    setError(null)
    try {
      await work()
    } catch (failure) {
      if (!isCancelled(failure)) setError(failure)
      if (kind === 'password') form.current?.querySelector<HTMLInputElement>('[name="password"]')?.select()
    }
    setBusy(null)
  }
  const withPassword = async () => {
    const { email, password } = Object.fromEntries(new FormData(form.current ?? undefined))
    const { twoFactorRedirect } = await callAuth<{ twoFactorRedirect?: boolean }>('sign-in/email', {
      email,
      password,
    })
    proposal.stop()
    if (twoFactorRedirect === true) onSecondFactor()
    else await onDone()
  }
  const withPasskey = async () => {
    proposal.stop()
    await signInWithPasskey(await requestPasskey({ isProposal: false }))
    await onDone()
  }

  return (
    <form
      ref={form}
      onSubmit={(event) => {
        event.preventDefault()
        void attempt('password', withPassword)
      }}
    >
      <FormFailure error={error} />
      <PasswordFields isBusy={busy === 'password'} />
      {hasPasskeys && canUsePasskeys() && (
        <PasskeyButton isBusy={busy === 'passkey'} onUse={() => void attempt('passkey', withPasskey)} />
      )}
    </form>
  )
}

/** Sign-in form when passwords are disabled. */
function PasskeyForm({ onDone }: { onDone: () => Promise<void> }) {
  const sending = useFormSubmission()
  const signInWith = async () => {
    try {
      await signInWithPasskey(await requestPasskey({ isProposal: false }))
      await onDone()
    } catch (failure) {
      if (!isCancelled(failure)) throw failure
    }
  }
  return (
    <div>
      <FormFailure error={sending.error} />
      <PasskeyButton isBusy={sending.isBusy} onUse={() => void sending.send(signInWith)} />
    </div>
  )
}

function PasskeyButton({ isBusy, onUse }: { isBusy: boolean; onUse: () => void }) {
  return (
    <Button size="large" class="mt-3 w-full" icon="fingerprint-pattern" isBusy={isBusy} onClick={onUse}>
      {t('Use a passkey')}
    </Button>
  )
}

function PasswordFields({ isBusy }: { isBusy: boolean }) {
  const { sendsMail } = useSession()
  return (
    <>
      <TextField
        label={t('Email address')}
        type="email"
        name="email"
        required
        autoFocus
        autocomplete="username webauthn"
      />
      <PasswordField label={t('Password')} name="password" required autocomplete="current-password" />
      <Button type="submit" look="primary" size="large" class="mt-1 w-full" isBusy={isBusy}>
        {t('Sign in')}
      </Button>
      {sendsMail && (
        <p class="mt-3 text-center text-13">
          <Link href="/forgotten-password">{t('Forgot your password?')}</Link>
        </p>
      )}
    </>
  )
}

/**
 * Offers passkeys in the autofill of the email field until aborted. Failures are not reported, because the user did not
 * request a passkey and the button remains available.
 */
function usePasskeyAutofill(isOn: boolean, onDone: () => Promise<void>, onError: (error: unknown) => void) {
  const stop = useRef<AbortController>(null)
  useEffect(() => {
    const controller = new AbortController()
    const { signal } = controller
    stop.current = controller
    const propose = async () =>
      isOn && (await canProposePasskeys()) ? await requestPasskey({ signal, isProposal: true }) : null
    const signInWith = async (passkey: PublicKeyCredential | null) => {
      if (passkey === null || signal.aborted) return
      await signInWithPasskey(passkey)
      await onDone()
    }
    propose()
      .catch(() => null)
      .then(signInWith)
      .catch((error) => {
        if (!signal.aborted) onError(error)
      })
    return () => controller.abort()
  }, [isOn])
  return { stop: () => stop.current?.abort() }
}
