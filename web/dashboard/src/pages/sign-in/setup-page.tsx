import { useState } from 'preact/hooks'
import { internal } from '../../api/internal.ts'
import { callAuth } from '../../api/send.ts'
import { useSession } from '../../app/session.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { CodeBlock } from '../../ui/code-block.tsx'
import { Form } from '../../ui/form.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { t } from '../../words/words.ts'
import { useCompleteSignIn } from './complete-sign-in.ts'
import { useLinkToken } from './link-token.ts'
import { NewPasswordField } from './new-password.tsx'
import { VisitorPage } from './visitor-page.tsx'

const START_COMMAND = 'octavo start'
const FIELDS = ['name', 'email', 'password'] as const

/** First run: the person with the link that the server printed becomes the owner. */
export function SetupPage() {
  const { isSetUp } = useSession()
  const token = useLinkToken()
  if (isSetUp) return <HasOwner />
  return token === '' ? <NoToken /> : <OwnerForm token={token} />
}

function HasOwner() {
  return (
    <VisitorPage
      title={t('This installation has its owner')}
      about={t('Sign in, or ask the owner for an invitation.')}
      action={
        <ButtonLink href="/sign-in" look="primary" size="large" class="w-full">
          {t('Sign in')}
        </ButtonLink>
      }
    />
  )
}

function NoToken() {
  return (
    <VisitorPage
      title={t('Open the link of the server')}
      about={t(
        'The first owner signs up with a one-time link that the server prints when it starts. Restart it for a new one:',
      )}
      action={<CodeBlock text={START_COMMAND} />}
    />
  )
}

function OwnerForm({ token }: { token: string }) {
  const completeSignIn = useCompleteSignIn('/')
  const [name, setName] = useState('')
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const submit = async () => {
    await internal('setUp', { body: { token, name: name.trim(), email: email.trim(), password } })
    await callAuth('sign-in/email', { email: email.trim(), password })
    await completeSignIn()
  }
  return (
    <VisitorPage
      title={t('Set up Octavo')}
      about={t('You become the owner: you can invite others, and decide what they may do.')}
    >
      <Form fields={FIELDS} onSubmit={submit}>
        {({ faults, isBusy }) => (
          <>
            <TextField
              label={t('Your name')}
              error={faults.name}
              required
              autoFocus
              maxLength={100}
              autocomplete="name"
              value={name}
              onText={setName}
            />
            <TextField
              label={t('E-mail address')}
              error={faults.email}
              hint={t('For signing in.')}
              type="email"
              required
              autocomplete="username"
              value={email}
              onText={setEmail}
            />
            <NewPasswordField value={password} onChange={setPassword} error={faults.password} />
            <Button type="submit" look="primary" size="large" class="mt-1 w-full" isBusy={isBusy}>
              {t('Create the owner account')}
            </Button>
          </>
        )}
      </Form>
    </VisitorPage>
  )
}
