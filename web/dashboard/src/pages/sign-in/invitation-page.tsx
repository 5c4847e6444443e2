import { useQuery } from '@tanstack/react-query'
import { useState } from 'preact/hooks'
import type { OpenInvitation } from '../../../../../src/features/accounts/operations/people.ts'
import { internal } from '../../api/internal.ts'
import { callAuth } from '../../api/send.ts'
import { useSession } from '../../app/session.ts'
import { signOut } from '../../app/sign-out.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { FormError } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { Skeleton } from '../../ui/states.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { formatTimeUntil } from '../../ui/time.tsx'
import { rich, t } from '../../words/words.ts'
import { useCompleteSignIn } from './complete-sign-in.ts'
import { useLinkToken } from './link-token.ts'
import { NewPasswordField } from './new-password.tsx'
import { Explanation, VisitorPage } from './visitor-page.tsx'

interface RoleTexts {
  invited: string
  invitedBy: (name: string) => string
  may: string
}

const ROLES: Record<OpenInvitation['role'], RoleTexts> = {
  viewer: {
    invited: t('You are invited as viewer.'),
    invitedBy: (name) => t('{name} invites you as viewer.', { name }),
    may: t('You will be able to look at everything, and change nothing.'),
  },
  editor: {
    invited: t('You are invited as editor.'),
    invitedBy: (name) => t('{name} invites you as editor.', { name }),
    may: t('You will be able to work on feedback, agent jobs and exports.'),
  },
  admin: {
    invited: t('You are invited as admin.'),
    invitedBy: (name) => t('{name} invites you as admin.', { name }),
    may: t('You will be able to manage projects, settings and members.'),
  },
  owner: {
    invited: t('You are invited as owner.'),
    invitedBy: (name) => t('{name} invites you as owner.', { name }),
    may: t('You will be able to do everything, the plan included.'),
  },
}

export function InvitationPage() {
  const token = useLinkToken()
  const { data, error } = useQuery({
    // Without the token, because cache keys are visible in developer tools.
    queryKey: ['getInvitation'],
    queryFn: () => internal('getInvitation', { body: { token } }),
    retry: false,
    gcTime: 0,
  })
  if (error !== null) {
    return (
      <VisitorPage
        title={t('This invitation cannot be used')}
        about={<Explanation error={error} />}
        action={
          <ButtonLink href="/sign-in" size="large" class="w-full">
            {t('Go to sign-in')}
          </ButtonLink>
        }
      />
    )
  }
  if (data === undefined) {
    return (
      <VisitorPage title={t('Invitation')}>
        <Skeleton class="h-40 w-full" />
      </VisitorPage>
    )
  }
  return <Invitation token={token} invitation={data} />
}

function Invitation({ token, invitation }: { token: string; invitation: OpenInvitation }) {
  const { user, signIn } = useSession()
  const { email, role, organizationName, invitedBy, expiresAt, hasAccount } = invitation
  const words = ROLES[role]
  const about = `${invitedBy === null ? words.invited : words.invitedBy(invitedBy)} ${words.may}`
  const title = t('Join {organization}', { organization: organizationName })
  const when = formatTimeUntil(expiresAt)
  const footer = t('The invitation is for {email}, and ends {when}.', { email, when })
  if (user !== null && user.email.toLowerCase() !== email.toLowerCase()) {
    return (
      <VisitorPage title={title} about={about} footer={footer}>
        <FormError
          title={t('You are signed in as {you}, but the invitation is for {email}.', {
            you: user.email,
            email,
          })}
        />
        <Button size="large" class="w-full" onClick={() => void signOut()}>
          {t('Sign out')}
        </Button>
      </VisitorPage>
    )
  }
  if (user === null && (hasAccount || !signIn.password)) {
    const back = `/invitation#token=${token}`
    const address = <strong class="font-medium break-words text-text">{email}</strong>
    return (
      <VisitorPage title={title} about={about} footer={footer}>
        <p class="mb-4 text-soft">
          {hasAccount
            ? rich('There is an account with the address {email}. Sign in with it to accept.', {
                email: address,
              })
            : rich('Sign in with the address {email} to accept.', { email: address })}
        </p>
        <ButtonLink
          href={`/sign-in?to=${encodeURIComponent(back)}`}
          look="primary"
          size="large"
          class="w-full"
        >
          {t('Sign in')}
        </ButtonLink>
      </VisitorPage>
    )
  }
  return (
    <VisitorPage
      title={title}
      about={about}
      footer={user === null ? t('The invitation ends {when}.', { when }) : footer}
    >
      <AcceptForm token={token} email={email} isNew={user === null} />
    </VisitorPage>
  )
}

const FIELDS = ['name', 'password'] as const

function AcceptForm({ token, email, isNew }: { token: string; email: string; isNew: boolean }) {
  const [name, setName] = useState('')
  const [password, setPassword] = useState('')
  const completeSignIn = useCompleteSignIn('/')
  const submit = async () => {
    const more = isNew ? { name: name.trim(), password } : {}
    await internal('acceptInvitation', { body: { token, ...more } })
    if (isNew) await callAuth('sign-in/email', { email, password })
    await completeSignIn()
  }
  return (
    <Form fields={FIELDS} onSubmit={submit}>
      {({ faults, isBusy }) => (
        <>
          {isNew && (
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
              <TextField label={t('E-mail address')} readOnly autocomplete="username" value={email} />
              <NewPasswordField value={password} onChange={setPassword} error={faults.password} />
            </>
          )}
          <Button type="submit" look="primary" size="large" class="mt-1 w-full" isBusy={isBusy}>
            {isNew ? t('Create the account and join') : t('Join')}
          </Button>
        </>
      )}
    </Form>
  )
}
