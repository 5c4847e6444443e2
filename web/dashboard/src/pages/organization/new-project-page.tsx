import { useState } from 'preact/hooks'
import type { CreateProjectBody } from '../../../../../src/features/projects/operations/projects.ts'
import { internal } from '../../api/internal.ts'
import { octavo } from '../../api/octavo.ts'
import { projectsQuery } from '../../app/current-project.ts'
import { queryClient } from '../../app/query-client.ts'
import { useHasPermission, useMembership, useSession } from '../../app/session.ts'
import { toast } from '../../app/toasts.ts'
import { isSame } from '../../forms/draft.ts'
import type { Draft } from '../../forms/field-spec.ts'
import { FieldsForm } from '../../forms/fields-form.tsx'
import { Notice } from '../../ui/card.tsx'
import { Link, useGo } from '../../ui/link.tsx'
import { PageBody, PageHeader } from '../../ui/page.tsx'
import { EmptyState } from '../../ui/states.tsx'
import { rich, t } from '../../words/words.ts'
import { type EndedJob, Reason, ReasonDetails } from '../job-reason.tsx'
import { EXAMPLE_SOURCE, locationFields } from '../settings/source-settings.tsx'
import { ArchivedProjects, DeletedProjects } from './other-projects.tsx'

export function NewProjectPage() {
  const { name: organization } = useMembership()
  const mayMake = useHasPermission('projects')
  return (
    <>
      <PageHeader title={t('New project')} about={t('In {organization}', { organization })} />
      <PageBody isForm>
        {mayMake ? (
          <ProjectForm />
        ) : (
          <EmptyState icon="book-open" title={t('No project yet')}>
            <p>{t('Admins and owners of {organization} can create one.', { organization })}</p>
          </EmptyState>
        )}
        <div class="mt-10">
          <ArchivedProjects />
          <DeletedProjects />
        </div>
      </PageBody>
    </>
  )
}

const EXAMPLES = { localHost: 'guides.localhost', host: 'docs.example.com' }

function ProjectForm() {
  const go = useGo()
  const { publicUrl } = useSession()
  const { id: organizationId } = useMembership()
  const isLocal = /^https?:\/\/(localhost|127\.0\.0\.1)(:|$)/.test(publicUrl)
  // Failed test of this draft; submitting the same draft again creates the project anyway.
  const [failed, setFailed] = useState<{ draft: Draft; test: EndedJob } | null>(null)
  const hasFailed = (draft: Draft) => failed !== null && isSame(failed.draft, draft)
  /** Creates and publishes the project. It exists even if the publication fails. */
  const create = async ({ domains, ...more }: CreateProjectBody, draft: Draft) => {
    const source = { ...more.source, kind: 'git' as const }
    const body = { ...more, source, domains: [domains].flat() }
    if (!hasFailed(draft)) {
      const test = await internal('testSource', { body })
      if (test.error !== null) return setFailed({ draft, test })
    }
    const project = await internal('createProject', { body })
    await queryClient.invalidateQueries({ queryKey: projectsQuery().queryKey })
    await octavo.startDeployment(project.id).catch(() => undefined)
    toast({
      kind: 'done',
      title: t('{name} is created', { name: project.name }),
      detail: t('It is being published for the first time.'),
    })
    await go(`/p/${project.id}/site`)
  }
  return (
    <FieldsForm<CreateProjectBody>
      operation="createProject"
      action={(draft) => (hasFailed(draft) ? t('Create anyway') : t('Create and publish'))}
      fields={(draft) => [
        {
          name: 'name',
          label: t('Name'),
          help: t('What the project is called here; readers do not see it.'),
          placeholder: t('Product guides'),
          input: { required: true, autoFocus: true, pattern: '.*\\S.*', autocomplete: 'off' },
        },
        {
          name: 'domains',
          kind: 'text',
          label: t('Host name'),
          isMono: true,
          help: isLocal
            ? t(
                'Where readers find the site. Names under localhost work immediately; others need a DNS record that points here.',
              )
            : t('Where readers find the site. Point a CNAME or A record at this server.'),
          example: isLocal ? EXAMPLES.localHost : EXAMPLES.host,
          input: { required: true, pattern: '.*\\S.*' },
        },
        {
          name: 'source/repository',
          label: t('URL of the repository'),
          isMono: true,
          help: t(
            'https:// or ssh. It is fetched at each deployment; agent jobs create branches and pull requests in it.',
          ),
          example: EXAMPLE_SOURCE.repository,
          input: { required: true, pattern: '.*\\S.*' },
        },
        ...locationFields(),
        failed !== null && hasFailed(draft) && (
          <div role="alert">
            <Notice tone="danger" title={t('The repository cannot be read')}>
              <Reason job={failed.test} otherwise="" />
              <ReasonDetails job={failed.test} />
              <p>
                {rich('A private repository needs a token under <a>Git access</a>.', {
                  a: (text) => <Link href={`/o/${organizationId}/git`}>{text}</Link>,
                })}
              </p>
            </Notice>
          </div>
        ),
      ]}
      onSubmit={create}
    >
      <p class="w-full text-13 text-soft">
        {rich('For a folder on the server, its operator runs: {command}', {
          command: (
            <code class="font-mono text-12 whitespace-nowrap">
              octavo projects create --source &lt;folder&gt;
            </code>
          ),
        })}
      </p>
    </FieldsForm>
  )
}
