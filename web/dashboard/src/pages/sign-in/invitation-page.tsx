import { useQuery } from '@tanstack/react-query'
import type { OpenInvitation } from '../../../../../src/features/accounts/operations/people.ts'
import { internal } from '../../api/internal.ts'
import { callAuth } from '../../api/send.ts'
import { useSession } from '../../app/session.ts'
import { signOut } from '../../app/sign-out.ts'
import { FieldsForm } from '../../forms/fields-form.tsx'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { FormError } from '../../ui/field.tsx'
import { Skeleton } from '../../ui/states.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { formatTimeUntil } from '../../ui/time.tsx'
import { rich, t } from '../../words/words.ts'
import { useCompleteSignIn } from './complete-sign-in.ts'
import { useLinkToken } from './link-token.ts'
import { newPasswordField } from './new-password.tsx'
import { Explanation, VisitorPage } from './visitor-page.tsx'

const ROLES: Record<OpenInvitation['role'], string> = {
  viewer: t('As a viewer, you can see everything but change nothing.'),
  editor: t('As an editor, you can work on feedback, agent jobs and exports.'),
  admin: t('As an admin, you can manage projects, settings and members.'),
  owner: t('As an owner, you can do everything, including changing the plan.'),
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
  const invited = invitedBy === null ? t('You are invited.') : t('{name} invites you.', { name: invitedBy })
  const about = `${invited} ${ROLES[role]}`
  const title = t('Join {organization}', { organization: organizationName })
  const when = formatTimeUntil(expiresAt)
  const footer = t('The invitation is for {email}, and expires {when}.', { email, when })
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
      footer={user === null ? t('The invitation expires {when}.', { when }) : footer}
    >
      <AcceptForm token={token} email={email} isNew={user === null} />
    </VisitorPage>
  )
}

function AcceptForm({ token, email, isNew }: { token: string; email: string; isNew: boolean }) {
  const completeSignIn = useCompleteSignIn('/')
  return (
    <FieldsForm<{ name?: string; password?: string }>
      operation="acceptInvitation"
      size="large"
      action={isNew ? t('Create the account and join') : t('Join')}
      fields={(draft) =>
        isNew
          ? [
              {
                name: 'name',
                label: t('Your name'),
                isOptional: false,
                input: { required: true, autoFocus: true, autocomplete: 'name' },
              },
              <TextField
                key="email"
                label={t('Email address')}
                readOnly
                autocomplete="username"
                value={email}
              />,
              newPasswordField(draft),
            ]
          : []
      }
      onSubmit={async (body) => {
        await internal('acceptInvitation', { body: { token, ...body } })
        if (isNew) await callAuth('sign-in/email', { email, password: body.password })
        await completeSignIn()
      }}
    />
  )
}
