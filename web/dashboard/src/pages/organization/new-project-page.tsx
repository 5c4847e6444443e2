import { useState } from 'preact/hooks'
import { faultsByField } from '../../api/errors.ts'
import { internal } from '../../api/internal.ts'
import { octavo } from '../../api/send.ts'
import { projectsQuery } from '../../app/places.ts'
import { queryClient } from '../../app/query-client.ts'
import { useMayDo, useMembership } from '../../app/session.ts'
import { toast } from '../../app/toasts.ts'
import { Button } from '../../ui/button.tsx'
import { RadioGroup } from '../../ui/choice.tsx'
import { Field, FieldSet } from '../../ui/field.tsx'
import { FormFailure } from '../../ui/form-failure.tsx'
import { Input } from '../../ui/input.tsx'
import { useGo } from '../../ui/link.tsx'
import { PageBody, PageHeader } from '../../ui/page.tsx'
import { EmptyState } from '../../ui/states.tsx'

const FIELDS = ['name', 'domains', 'source/repository', 'source/ref', 'source/docsFolder'] as const

export function NewProjectPage() {
  const { name: organization } = useMembership()
  const mayMake = useMayDo('projects')
  return (
    <>
      <PageHeader title="New project" about={`In ${organization}`} />
      <PageBody width="form">
        {mayMake ? (
          <ProjectForm />
        ) : (
          <EmptyState icon="book-open" title="There is no project yet">
            <p>Admins and owners of {organization} can make one.</p>
          </EmptyState>
        )}
      </PageBody>
    </>
  )
}

function ProjectForm() {
  const go = useGo()
  const [kind, setKind] = useState<'git' | 'folder'>('git')
  const [values, setValues] = useState({ name: '', domain: '', repository: '', ref: '', docsFolder: '' })
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const set = (name: keyof typeof values) => (event: { currentTarget: HTMLInputElement }) =>
    setValues({ ...values, [name]: event.currentTarget.value })

  const make = async () => {
    setBusy(true)
    setError(null)
    try {
      const project = await internal('createProject', {
        body: {
          name: values.name.trim(),
          domains: [values.domain.trim()],
          source: {
            kind,
            repository: values.repository.trim(),
            ...(kind === 'git' && values.ref.trim() ? { ref: values.ref.trim() } : {}),
            docsFolder: values.docsFolder.trim(),
          },
        },
      })
      await queryClient.invalidateQueries({ queryKey: projectsQuery().queryKey })
      // The project is there, whatever comes of its first publication.
      await octavo.startDeployment(project.id).catch(() => undefined)
      toast({
        kind: 'done',
        title: `${project.name} is made`,
        detail: 'It is being published for the first time.',
      })
      await go(`/p/${project.id}/site`)
    } catch (failure) {
      setError(failure)
      setBusy(false)
    }
  }
  const { byField, others } = faultsByField(error, FIELDS)
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (!isBusy) void make()
      }}
    >
      <FormFailure error={error} others={others} />
      <Field label="Name" error={byField.name}>
        {(field) => (
          <Input {...field} required autoFocus maxLength={200} value={values.name} onInput={set('name')} />
        )}
      </Field>
      <Field
        label="Host name"
        error={byField.domains}
        hint="Where readers find the site: docs.example.com. Let its DNS point to this server; names under localhost work at once."
      >
        {(field) => (
          <Input
            {...field}
            isMono
            required
            placeholder="docs.example.com"
            spellcheck={false}
            autocapitalize="off"
            value={values.domain}
            onInput={set('domain')}
          />
        )}
      </Field>
      <FieldSet label="Source">
        <RadioGroup
          label="Source"
          value={kind}
          onChange={setKind}
          choices={[
            {
              value: 'git',
              label: 'Git repository',
              about: 'Fetched by address; agent jobs make branches and pull requests in it.',
            },
            {
              value: 'folder',
              label: 'Folder of the server',
              about: 'Read where it lies; changes show with the next publication.',
            },
          ]}
        />
      </FieldSet>
      <Field
        label={kind === 'git' ? 'Address of the repository' : 'Absolute path'}
        error={byField['source/repository']}
      >
        {(field) => (
          <Input
            {...field}
            isMono
            required
            spellcheck={false}
            autocapitalize="off"
            placeholder={kind === 'git' ? 'https://github.com/example/docs.git' : '/srv/docs'}
            value={values.repository}
            onInput={set('repository')}
          />
        )}
      </Field>
      {kind === 'git' && (
        <Field label="Branch" isOptional error={byField['source/ref']} hint="Empty: the default branch.">
          {(field) => (
            <Input
              {...field}
              isMono
              spellcheck={false}
              placeholder="main"
              value={values.ref}
              onInput={set('ref')}
            />
          )}
        </Field>
      )}
      <Field
        label="Docs folder"
        isOptional
        error={byField['source/docsFolder']}
        hint="Where docs.json lies. Empty: at the root."
      >
        {(field) => (
          <Input
            {...field}
            isMono
            spellcheck={false}
            placeholder="docs"
            value={values.docsFolder}
            onInput={set('docsFolder')}
          />
        )}
      </Field>
      <Button type="submit" look="primary" class="mt-2" isBusy={isBusy}>
        Make the project and publish
      </Button>
    </form>
  )
}
