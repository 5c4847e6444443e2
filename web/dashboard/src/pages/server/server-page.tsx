import { useQuery } from '@tanstack/react-query'
import type { ComponentType } from 'preact'
import { internalQuery } from '../../api/internal.ts'
import type { Preload } from '../../app/pages.tsx'
import { queryClient } from '../../app/query-client.ts'
import { SaveBar } from '../../forms/save-bar.tsx'
import { PageBody, PageHeader, Section } from '../../ui/page.tsx'
import { Loaded, SkeletonRows } from '../../ui/states.tsx'
import { t } from '../../words/words.ts'
import { MailSettings } from './mail-settings.tsx'
import { ModelSettings } from './model-settings.tsx'
import { PreviewDomainSettings } from './preview-domain-settings.tsx'
import { RetentionSettings } from './retention-settings.tsx'
import { SignInSettings } from './sign-in-settings.tsx'

const MODEL = {
  operation: 'getInstanceModel',
  title: t('Language model'),
  about: t(
    'Used by agent jobs and the site assistant. A change takes effect on every node and worker within seconds.',
  ),
  View: ModelSettings,
} as const

const OTHERS = [
  {
    operation: 'getInstanceSignIn',
    title: t('Sign-in'),
    about: t('How people sign in to this server. A change takes effect on every node immediately.'),
    View: SignInSettings,
  },
  {
    operation: 'getInstanceMail',
    title: t('Email'),
    about: t('Invitations, password links and notifications are sent by email when a mail server is set.'),
    View: MailSettings,
  },
  {
    operation: 'getInstancePreviews',
    title: t('Previews'),
    about: t(
      'Host names of previews for branches and pull requests are below this domain. A change takes effect on every node within seconds.',
    ),
    View: PreviewDomainSettings,
  },
  {
    operation: 'getInstanceRetention',
    title: t('Retention'),
    about: t('How long data is stored for organizations without their own settings under Plan and limits.'),
    View: RetentionSettings,
  },
] as const

type Part = typeof MODEL | (typeof OTHERS)[number]

export const preload: Preload = () => {
  for (const { operation } of [MODEL, ...OTHERS])
    void queryClient.prefetchQuery(internalQuery(operation) as never)
}

export function ServerPage() {
  // Renders the other sections only after this query succeeds. Without operator permission, the error appears only
  // once.
  const isAllowed = useQuery(internalQuery('getInstanceModel')).data !== undefined
  return (
    <>
      <PageHeader title={t('Server')} about={t('For all organizations on this server')} />
      <PageBody isForm>
        <ServerSection {...MODEL} />
        {isAllowed && OTHERS.map((part) => <ServerSection key={part.operation} {...part} />)}
        <SaveBar />
      </PageBody>
    </>
  )
}

function ServerSection({ operation, title, about, View }: Part) {
  const query = useQuery<unknown>(internalQuery(operation) as never)
  const Settings = View as ComponentType<{ stored: unknown }>
  return (
    <Section title={title} about={about}>
      <Loaded query={query} skeleton={<SkeletonRows />}>
        {(stored) => <Settings stored={stored} />}
      </Loaded>
    </Section>
  )
}
