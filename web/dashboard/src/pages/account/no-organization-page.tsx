import { useUser } from '../../app/session.ts'
import { signOut } from '../../app/sign-out.ts'
import { Button } from '../../ui/button.tsx'
import { t } from '../../words/words.ts'
import { VisitorPage } from '../sign-in/visitor-page.tsx'

/** Page for signed-in users who are not members of any organization. */
export function NowherePage() {
  const { email } = useUser()
  return (
    <VisitorPage
      title={t('You are not a member of an organization')}
      about={t('Ask an admin for an invitation, and open its link while signed in with this account.')}
      action={
        <Button size="large" class="w-full" icon="log-out" onClick={() => void signOut()}>
          {t('Sign out')}
        </Button>
      }
      footer={t('You are signed in as {email}.', { email })}
    />
  )
}
