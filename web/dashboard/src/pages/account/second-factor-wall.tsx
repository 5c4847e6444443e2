import { useState } from 'preact/hooks'
import { queryClient } from '../../app/query-client.ts'
import { reloadSession, useMembership, useSession, useUser } from '../../app/session.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/card.tsx'
import { PageBody, PageHeader } from '../../ui/page.tsx'
import { t } from '../../words/words.ts'
import { ReauthenticationDialog } from '../sign-in/reauthentication-dialog.tsx'
import { PasskeysSection } from './passkeys-section.tsx'
import { SecondFactorSection } from './second-factor-section.tsx'

/** Replaces the pages of an organization for members who lack the second factor that the organization requires. */
export function SecondFactorWall({ isDue, onDone }: { isDue: boolean; onDone: () => void }) {
  const { name } = useMembership()
  const { signIn } = useSession()
  const user = useUser()
  const [isProving, setProving] = useState(false)
  const hasFactor = user.twoFactorEnabled || user.hasPasskey
  const goOn = async () => {
    await queryClient.invalidateQueries()
    onDone()
  }
  const proved = async (isProved: boolean) => {
    setProving(false)
    if (isProved) await reloadSession()
  }
  const confirm = hasFactor && (
    <Button look="primary" onClick={() => setProving(true)}>
      {t('Confirm with your second factor')}
    </Button>
  )
  return (
    <>
      <PageHeader title={t('A second factor is required')} about={name} />
      <PageBody isForm>
        {isDue ? (
          <Notice tone="warning" title={t('{name} requires a second factor', { name })} actions={confirm}>
            {hasFactor
              ? t('You have a second factor but have not used it in this session.')
              : user.hasPassword
                ? t('Set up an authenticator app or a passkey to get access again.')
                : signIn.sso === null
                  ? t('Add a passkey to get access again.')
                  : t(
                      'Add a passkey to get access again. Signing in with {provider} alone is not enough here.',
                      { provider: signIn.sso.name },
                    )}
          </Notice>
        ) : (
          <Notice
            tone="success"
            title={t('Your second factor is set up')}
            actions={
              <Button look="primary" onClick={() => void goOn()}>
                {t('Continue')}
              </Button>
            }
          />
        )}
        {user.hasPassword && <SecondFactorSection />}
        <PasskeysSection />
        {isProving && <ReauthenticationDialog isSecond onDone={(isProved) => void proved(isProved)} />}
      </PageBody>
    </>
  )
}
