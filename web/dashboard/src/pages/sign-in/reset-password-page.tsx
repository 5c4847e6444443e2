import { useState } from 'preact/hooks'
import { internal } from '../../api/internal.ts'
import { callAuth } from '../../api/send.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Form } from '../../ui/form.tsx'
import { t } from '../../words/words.ts'
import { useCompleteSignIn } from './complete-sign-in.ts'
import { useLinkToken } from './link-token.ts'
import { NewPasswordField } from './new-password.tsx'
import { SecondFactor } from './second-factor.tsx'
import { VisitorPage } from './visitor-page.tsx'

export function ResetPasswordPage() {
  const token = useLinkToken()
  const completeSignIn = useCompleteSignIn('/')
  const [password, setPassword] = useState('')
  const [isSecond, setSecond] = useState(false)
  const submit = async () => {
    const { email } = await internal('resetPassword', { body: { token, password } })
    const { twoFactorRedirect } = await callAuth<{ twoFactorRedirect?: boolean }>('sign-in/email', {
      email,
      password,
    })
    if (twoFactorRedirect === true) setSecond(true)
    else await completeSignIn()
  }
  if (isSecond) return <SecondFactor onDone={completeSignIn} onBack={() => location.assign('/sign-in')} />
  if (token === '') {
    return (
      <VisitorPage
        title={t('New password')}
        about={t('This page is opened with a link that you got by mail or from an operator of the server.')}
        action={
          <ButtonLink href="/sign-in" size="large" class="w-full">
            {t('Go to sign-in')}
          </ButtonLink>
        }
      />
    )
  }
  return (
    <VisitorPage title={t('Choose a new password')} about={t('All other sessions of your account end.')}>
      <Form fields={['password']} onSubmit={submit}>
        {({ faults, isBusy }) => (
          <>
            <NewPasswordField
              label={t('New password')}
              value={password}
              onChange={setPassword}
              error={faults.password}
            />
            <Button type="submit" look="primary" size="large" class="mt-1 w-full" isBusy={isBusy}>
              {t('Set the password')}
            </Button>
          </>
        )}
      </Form>
    </VisitorPage>
  )
}
