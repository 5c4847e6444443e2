import { useState } from 'preact/hooks'
import { internal } from '../../api/internal.ts'
import { FieldsForm } from '../../forms/fields-form.tsx'
import { ButtonLink } from '../../ui/button.tsx'
import { Link } from '../../ui/link.tsx'
import { t } from '../../words/words.ts'
import { VisitorPage } from './visitor-page.tsx'

export function RequestPasswordPage() {
  const [sent, setSent] = useState<{ email: string; isMailed: boolean } | null>(null)
  if (sent !== null) return <RequestSent {...sent} />
  return (
    <VisitorPage
      title={t('New password')}
      about={t('You will get an email with a link to set a new password.')}
      footer={<Link href="/sign-in">{t('Back to sign-in')}</Link>}
    >
      <FieldsForm<{ email: string }>
        operation="requestPassword"
        size="large"
        action={t('Send the link')}
        fields={() => [
          {
            name: 'email',
            label: t('Email address'),
            input: { type: 'email', required: true, autoFocus: true, autocomplete: 'username' },
          },
        ]}
        onSubmit={async (body) => setSent({ ...body, ...(await internal('requestPassword', { body })) })}
      />
    </VisitorPage>
  )
}

function RequestSent({ email, isMailed }: { email: string; isMailed: boolean }) {
  return (
    <VisitorPage
      title={isMailed ? t('Check your email') : t('This server doesn’t send email')}
      about={
        isMailed
          ? t(
              'If {email} has an account with a password, a link is on its way. If it does not arrive within a few minutes, check the spam folder or ask an admin.',
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
