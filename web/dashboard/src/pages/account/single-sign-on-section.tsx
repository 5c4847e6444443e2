import { callAuth } from '../../api/send.ts'
import { useSession, useUser } from '../../app/session.ts'
import { Button } from '../../ui/button.tsx'
import { useFormSubmission } from '../../ui/form.tsx'
import { FormFailure } from '../../ui/form-failure.tsx'
import { Section } from '../../ui/page.tsx'
import { t } from '../../words/words.ts'

/** Links the identity at the provider to this account. */
export function SingleSignOnSection() {
  const { signIn } = useSession()
  const { email, hasSingleSignOn } = useUser()
  const sending = useFormSubmission()
  if (signIn.sso === null) return null
  const connect = async () => {
    const { url } = await callAuth<{ url: string }>('sign-in/social', {
      ...{ link: true, email },
      callbackURL: '/account',
      errorCallbackURL: '/sign-in',
    })
    location.assign(url)
  }
  return (
    <Section
      title={t('Single sign-on')}
      about={
        hasSingleSignOn
          ? t('Your account is connected to your identity at the provider.')
          : t('Connect your identity at the provider, with the same e-mail address, to sign in with it.')
      }
      actions={
        !hasSingleSignOn && (
          <Button icon="building-2" isBusy={sending.isBusy} onClick={() => void sending.send(connect)}>
            {t('Connect {name}', { name: signIn.sso.name })}
          </Button>
        )
      }
    >
      <FormFailure error={sending.error} />
    </Section>
  )
}
