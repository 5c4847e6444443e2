import { useQuery } from '@tanstack/react-query'
import { internalQuery } from '../../api/internal.ts'
import type { Preload } from '../../app/pages.tsx'
import { queryClient } from '../../app/query-client.ts'
import { PageBody, PageHeader, Section } from '../../ui/page.tsx'
import { Loaded, SkeletonRows } from '../../ui/states.tsx'
import { t } from '../../words/words.ts'
import { MailSection } from './mail-section.tsx'
import { ModelSection } from './model-section.tsx'
import { SignInSection } from './sign-in-section.tsx'

export const preload: Preload = () => {
  void queryClient.prefetchQuery(internalQuery('getInstanceModel'))
  void queryClient.prefetchQuery(internalQuery('getInstanceSignIn'))
  void queryClient.prefetchQuery(internalQuery('getInstanceMail'))
}

/** What holds for the whole server, for those who run it. */
export function ServerPage() {
  const model = useQuery(internalQuery('getInstanceModel'))
  return (
    <>
      <PageHeader title={t('Server')} about={t('For all organizations on this server')} width="form" />
      <PageBody width="form">
        {/* Who is no operator is told so once. */}
        <Loaded query={model} skeleton={<SkeletonRows label={t('Loading the settings of the server')} />}>
          {(loaded) => (
            <>
              <Section
                title={t('Language model')}
                about={t(
                  'Agent jobs and the assistant of sites ask it. A change takes effect on every node and worker within seconds.',
                )}
              >
                <ModelSection key={loaded.changedAt ?? ''} model={loaded} />
              </Section>
              <SignInOfServer />
              <MailOfServer />
            </>
          )}
        </Loaded>
      </PageBody>
    </>
  )
}

function SignInOfServer() {
  const signIn = useQuery(internalQuery('getInstanceSignIn'))
  return (
    <Section
      title={t('Sign-in')}
      about={t('How people come to this server. A change takes effect on every node at once.')}
    >
      <Loaded query={signIn} skeleton={<SkeletonRows label={t('Loading how people sign in')} />}>
        {(loaded) => <SignInSection signIn={loaded} />}
      </Loaded>
    </Section>
  )
}

function MailOfServer() {
  const mail = useQuery(internalQuery('getInstanceMail'))
  return (
    <Section
      title={t('Mail')}
      about={t(
        'Invitations, links for new passwords and notifications go out by mail when a mail server is set.',
      )}
    >
      <Loaded query={mail} skeleton={<SkeletonRows label={t('Loading the mail server')} />}>
        {(loaded) => <MailSection key={loaded.changedAt ?? ''} mail={loaded} />}
      </Loaded>
    </Section>
  )
}
