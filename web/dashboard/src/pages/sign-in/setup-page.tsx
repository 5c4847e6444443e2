import { internal } from '../../api/internal.ts'
import { callAuth } from '../../api/send.ts'
import { useSession } from '../../app/session.ts'
import { FieldsForm } from '../../forms/fields-form.tsx'
import { ButtonLink } from '../../ui/button.tsx'
import { CodeBlock } from '../../ui/code-block.tsx'
import { t } from '../../words/words.ts'
import { useCompleteSignIn } from './complete-sign-in.ts'
import { useLinkToken } from './link-token.ts'
import { newPasswordField } from './new-password.tsx'
import { VisitorPage } from './visitor-page.tsx'

const START_COMMAND = 'octavo start'

/** First run: the person with the link that the server printed becomes the owner. */
export function SetupPage() {
  const { isSetUp } = useSession()
  const token = useLinkToken()
  if (isSetUp) return <OwnerExistsPage />
  return token === '' ? <MissingTokenPage /> : <OwnerForm token={token} />
}

function OwnerExistsPage() {
  return (
    <VisitorPage
      title={t('This installation already has an owner')}
      about={t('Sign in, or ask the owner for an invitation.')}
      action={
        <ButtonLink href="/sign-in" look="primary" size="large" class="w-full">
          {t('Sign in')}
        </ButtonLink>
      }
    />
  )
}

function MissingTokenPage() {
  return (
    <VisitorPage
      title={t('Open the server’s setup link')}
      about={t(
        'The first owner signs up with a one-time link that the server prints when it starts. To get a new link, restart the server:',
      )}
      action={<CodeBlock text={START_COMMAND} />}
    />
  )
}

function OwnerForm({ token }: { token: string }) {
  const completeSignIn = useCompleteSignIn('/')
  return (
    <VisitorPage
      title={t('Set up Octavo')}
      about={t('You become the owner: you can invite others, and decide what they may do.')}
    >
      <FieldsForm<{ name: string; email: string; password: string }>
        operation="setUp"
        size="large"
        action={t('Create the owner account')}
        fields={(draft) => [
          {
            name: 'name',
            label: t('Your name'),
            input: { required: true, autoFocus: true, autocomplete: 'name' },
          },
          {
            name: 'email',
            label: t('Email address'),
            help: t('For signing in.'),
            input: { type: 'email', required: true, autocomplete: 'username' },
          },
          newPasswordField(draft),
        ]}
        onSubmit={async (body) => {
          await internal('setUp', { body: { token, ...body } })
          await callAuth('sign-in/email', { email: body.email, password: body.password })
          await completeSignIn()
        }}
      />
    </VisitorPage>
  )
}
