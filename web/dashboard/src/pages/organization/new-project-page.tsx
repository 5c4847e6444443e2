import { useState } from 'preact/hooks'
import { NAME_CHARACTERS } from '../../../../../src/base/api/form-limits.ts'
import { internal } from '../../api/internal.ts'
import { octavo } from '../../api/octavo.ts'
import { projectsQuery } from '../../app/current-project.ts'
import { queryClient } from '../../app/query-client.ts'
import { useHasPermission, useMembership, useSession } from '../../app/session.ts'
import { toast } from '../../app/toasts.ts'
import { Button } from '../../ui/button.tsx'
import { Form } from '../../ui/form.tsx'
import { useGo } from '../../ui/link.tsx'
import { PageBody, PageHeader } from '../../ui/page.tsx'
import { EmptyState } from '../../ui/states.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { rich, t } from '../../words/words.ts'
import { ArchivedProjects } from './archived-projects.tsx'
import { DeletedProjects } from './deleted-projects.tsx'

const FIELDS = ['name', 'domains', 'source/repository', 'source/ref', 'source/docsFolder'] as const

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
            <p>{t('Admins and owners of {organization} can make one.', { organization })}</p>
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

const EXAMPLES = {
  localHost: 'guides.localhost',
  host: 'docs.example.com',
  repository: 'https://github.com/example/docs.git',
  branch: 'main',
  folder: 'docs',
}

const EMPTY = { name: '', domain: '', repository: '', ref: '', docsFolder: '' }
type Values = typeof EMPTY

interface FieldsProps {
  /** Returns the value and change handler of a field. */
  typed: (name: keyof Values) => { value: string; onText: (text: string) => void }
  faults: Partial<Record<(typeof FIELDS)[number], string>>
}

function ProjectForm() {
  const make = useMakeProject()
  const [values, setValues] = useState(EMPTY)
  const typed = (name: keyof Values) => ({
    value: values[name],
    onText: (text: string) => setValues({ ...values, [name]: text }),
  })
  return (
    <Form fields={FIELDS} onSubmit={() => make(values)}>
      {({ faults, isBusy }) => (
        <>
          <TextField
            label={t('Name')}
            error={faults.name}
            hint={t('What the project is called here; readers do not see it.')}
            required
            autoFocus
            maxLength={NAME_CHARACTERS.project}
            pattern=".*\S.*"
            autocomplete="off"
            placeholder={t('Product guides')}
            {...typed('name')}
          />
          <HostName typed={typed} faults={faults} />
          <SourceFields typed={typed} faults={faults} />
          <div class="pair mt-6">
            <div class="beside:col-start-2">
              <Button type="submit" look="primary" isBusy={isBusy}>
                {t('Create and publish')}
              </Button>
              <p class="mt-5 text-13 text-soft">
                {rich('A folder on the server is named by its operator, on the command line: {command}', {
                  command: (
                    <code class="font-mono text-12 whitespace-nowrap">
                      octavo projects create --source &lt;folder&gt;
                    </code>
                  ),
                })}
              </p>
            </div>
          </div>
        </>
      )}
    </Form>
  )
}

/** Creates the project and publishes it; the project exists even if the publication fails. */
function useMakeProject(): (values: Values) => Promise<void> {
  const go = useGo()
  return async ({ name, domain, repository, ref, docsFolder }) => {
    const project = await internal('createProject', {
      body: {
        name: name.trim(),
        domains: [domain.trim()],
        source: {
          kind: 'git',
          repository: repository.trim(),
          ...(ref.trim() ? { ref: ref.trim() } : {}),
          docsFolder: docsFolder.trim(),
        },
      },
    })
    await queryClient.invalidateQueries({ queryKey: projectsQuery().queryKey })
    await octavo.startDeployment(project.id).catch(() => undefined)
    toast({
      kind: 'done',
      title: t('{name} is made', { name: project.name }),
      detail: t('It is being published for the first time.'),
    })
    await go(`/p/${project.id}/site`)
  }
}

function HostName({ typed, faults }: FieldsProps) {
  const { publicUrl } = useSession()
  const isLocal = /^https?:\/\/(localhost|127\.0\.0\.1)(:|$)/.test(publicUrl)
  return (
    <TextField
      label={t('Host name')}
      error={faults.domains}
      hint={
        isLocal
          ? t(
              'Where readers find the site. Names under localhost work at once; others need a DNS record that points here.',
            )
          : t('Where readers find the site. Point a CNAME or A record at this server.')
      }
      isMono
      required
      pattern=".*\S.*"
      placeholder={isLocal ? EXAMPLES.localHost : EXAMPLES.host}
      {...typed('domain')}
    />
  )
}

function SourceFields({ typed, faults }: FieldsProps) {
  return (
    <>
      <TextField
        label={t('Address of the repository')}
        error={faults['source/repository']}
        hint={t(
          'https:// or ssh. It is fetched at each deployment; agent jobs create branches and pull requests in it.',
        )}
        isMono
        required
        pattern=".*\S.*"
        placeholder={EXAMPLES.repository}
        {...typed('repository')}
      />
      <TextField
        label={t('Branch')}
        isOptional
        error={faults['source/ref']}
        hint={t('Leave it empty for the default branch.')}
        isMono
        placeholder={EXAMPLES.branch}
        {...typed('ref')}
      />
      <TextField
        label={t('Docs folder')}
        isOptional
        error={faults['source/docsFolder']}
        hint={t('Where docs.json is. Leave it empty for the root.')}
        isMono
        placeholder={EXAMPLES.folder}
        {...typed('docsFolder')}
      />
    </>
  )
}
