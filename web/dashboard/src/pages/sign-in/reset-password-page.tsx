import { useState } from 'preact/hooks'
import { internal } from '../../api/internal.ts'
import { callAuth } from '../../api/send.ts'
import { FieldsForm } from '../../forms/fields-form.tsx'
import { ButtonLink } from '../../ui/button.tsx'
import { t } from '../../words/words.ts'
import { useCompleteSignIn } from './complete-sign-in.ts'
import { useLinkToken } from './link-token.ts'
import { newPasswordField } from './new-password.tsx'
import { SecondFactor } from './second-factor.tsx'
import { VisitorPage } from './visitor-page.tsx'

export function ResetPasswordPage() {
  const token = useLinkToken()
  const completeSignIn = useCompleteSignIn('/')
  const [isSecond, setSecond] = useState(false)
  const submit = async ({ password }: { password: string }) => {
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
        about={t('Open the link that you got by email or from an operator of the server.')}
        action={
          <ButtonLink href="/sign-in" size="large" class="w-full">
            {t('Go to sign-in')}
          </ButtonLink>
        }
      />
    )
  }
  return (
    <VisitorPage
      title={t('Choose a new password')}
      about={t('This ends all other sessions of your account.')}
    >
      <FieldsForm<{ password: string }>
        operation="resetPassword"
        size="large"
        action={t('Set the password')}
        fields={(draft) => [newPasswordField(draft, t('New password'))]}
        onSubmit={submit}
      />
    </VisitorPage>
  )
}
