import type { Preload } from '../../app/pages.tsx'
import { queryClient } from '../../app/query-client.ts'
import { useSession, useUser } from '../../app/session.ts'
import { SaveBar } from '../../forms/save-bar.tsx'
import { CopyId } from '../../ui/copy.tsx'
import { PageBody, PageHeader } from '../../ui/page.tsx'
import { t } from '../../words/words.ts'
import { NotificationsSection } from './notifications-section.tsx'
import { PasskeysSection, passkeysQuery } from './passkeys-section.tsx'
import { PasswordSection } from './password-section.tsx'
import { ProfileSection } from './profile-section.tsx'
import { SecondFactorSection } from './second-factor-section.tsx'
import { SessionsSection, sessionsQuery } from './sessions-section.tsx'
import { SingleSignOnSection } from './single-sign-on-section.tsx'

export const preload: Preload = () => {
  void queryClient.prefetchQuery(sessionsQuery)
  void queryClient.prefetchQuery(passkeysQuery)
}

export function AccountPage() {
  const user = useUser()
  const { organizations } = useSession()
  return (
    <>
      <PageHeader
        title={t('Your account')}
        about={user.email}
        actions={<CopyId id={user.id} label={t('Copy your ID')} />}
      />
      <PageBody isForm>
        <ProfileSection />
        {organizations.length > 0 && <NotificationsSection />}
        {user.hasPassword && <PasswordSection />}
        {user.hasPassword && <SecondFactorSection />}
        <PasskeysSection />
        <SingleSignOnSection />
        <SessionsSection />
        <SaveBar />
      </PageBody>
    </>
  )
}
