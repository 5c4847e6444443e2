import { useState } from 'preact/hooks'
import { internal } from '../../api/internal.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Form } from '../../ui/form.tsx'
import { Link } from '../../ui/link.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { t } from '../../words/words.ts'
import { VisitorPage } from './visitor-page.tsx'

/** Requests a password reset, where the server can send email. */
export function RequestPasswordPage() {
  const [email, setEmail] = useState('')
  const [asked, setAsked] = useState<{ isMailed: boolean } | null>(null)
  if (asked !== null) return <RequestSent email={email} isMailed={asked.isMailed} />
  return (
    <VisitorPage
      title={t('New password')}
      about={t('You get a link by mail with which you set a new one.')}
      footer={<Link href="/sign-in">{t('Back to sign-in')}</Link>}
    >
      <Form
        fields={['email']}
        onSubmit={async () => setAsked(await internal('requestPassword', { body: { email: email.trim() } }))}
      >
        {({ faults, isBusy }) => (
          <>
            <TextField
              label={t('E-mail address')}
              type="email"
              required
              autoFocus
              autocomplete="username"
              error={faults.email}
              value={email}
              onText={setEmail}
            />
            <Button type="submit" look="primary" size="large" class="mt-1 w-full" isBusy={isBusy}>
              {t('Send the link')}
            </Button>
          </>
        )}
      </Form>
    </VisitorPage>
  )
}

function RequestSent({ email, isMailed }: { email: string; isMailed: boolean }) {
  return (
    <VisitorPage
      title={isMailed ? t('Check your mail') : t('No mail is sent here')}
      about={
        isMailed
          ? t(
              'If {email} has an account with a password, a link is on its way. If nothing has come after some minutes, check the spam folder or ask an admin.',
              { email },
            )
          : t('Ask an operator of the server for a link.')
      }
      action={
        <ButtonLink href="/sign-in" size="large" class="w-full">
          {t('Go to sign-in')}
        </ButtonLink>
      }
    />
  )
}
