import { startSingleSignOn } from '../../api/single-sign-on.ts'
import { useSession, useUser } from '../../app/session.ts'
import { Button } from '../../ui/button.tsx'
import { useFormSubmission } from '../../ui/form.tsx'
import { FormFailure } from '../../ui/form-failure.tsx'
import { Section } from '../../ui/page.tsx'
import { t } from '../../words/words.ts'

export function SingleSignOnSection() {
  const { signIn } = useSession()
  const { email, hasSingleSignOn } = useUser()
  const sending = useFormSubmission()
  if (signIn.sso === null) return null
  const connect = () => startSingleSignOn({ link: true, email, callbackURL: '/account' })
  return (
    <Section
      title={t('Single sign-on')}
      about={
        hasSingleSignOn
          ? t('Your account is connected to your identity at the provider.')
          : t(
              'Connect your identity at the provider to sign in with it. It must have the same email address.',
            )
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
