import { useQuery } from '@tanstack/react-query'
import { internalQuery } from '../../api/internal.ts'
import type { Preload } from '../../app/pages.tsx'
import { queryClient } from '../../app/query-client.ts'
import { PageBody, PageHeader, Section } from '../../ui/page.tsx'
import { Loaded, SkeletonRows } from '../../ui/states.tsx'
import { t } from '../../words/words.ts'
import { MailSection } from './mail-section.tsx'
import { ModelSection } from './model-section.tsx'
import { PreviewsSection } from './previews-section.tsx'
import { RetentionSection } from './retention-section.tsx'
import { SignInSection } from './sign-in-section.tsx'

export const preload: Preload = () => {
  void queryClient.prefetchQuery(internalQuery('getInstanceModel'))
  void queryClient.prefetchQuery(internalQuery('getInstanceSignIn'))
  void queryClient.prefetchQuery(internalQuery('getInstanceMail'))
  void queryClient.prefetchQuery(internalQuery('getInstancePreviews'))
  void queryClient.prefetchQuery(internalQuery('getInstanceRetention'))
}

/** Settings of the whole server, for its operators. */
export function ServerPage() {
  const model = useQuery(internalQuery('getInstanceModel'))
  return (
    <>
      <PageHeader title={t('Server')} about={t('For all organizations on this server')} />
      <PageBody isForm>
        {/* Without operator permission only this query fails visibly, so the error appears once. */}
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
              <ServerSignIn />
              <ServerMail />
              <ServerPreviews />
              <ServerRetention />
            </>
          )}
        </Loaded>
      </PageBody>
    </>
  )
}

function ServerSignIn() {
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

function ServerMail() {
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

function ServerPreviews() {
  const previews = useQuery(internalQuery('getInstancePreviews'))
  return (
    <Section
      title={t('Previews')}
      about={t(
        'Previews of branches and pull requests have their host names below this domain. A change takes effect on every node within seconds.',
      )}
    >
      <Loaded query={previews} skeleton={<SkeletonRows label={t('Loading the domain of previews')} />}>
        {(loaded) => <PreviewsSection key={loaded.changedAt ?? ''} previews={loaded} />}
      </Loaded>
    </Section>
  )
}

function ServerRetention() {
  const retention = useQuery(internalQuery('getInstanceRetention'))
  return (
    <Section
      title={t('Retention')}
      about={t(
        'For how long things are kept where an organization has not chosen its own days, under Plan and limits.',
      )}
    >
      <Loaded query={retention} skeleton={<SkeletonRows label={t('Loading the retention')} />}>
        {(loaded) => <RetentionSection retention={loaded} />}
      </Loaded>
    </Section>
  )
}
