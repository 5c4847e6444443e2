import { useState } from 'preact/hooks'
import { faultsByField } from '../../api/errors.ts'
import { internal } from '../../api/internal.ts'
import { octavo } from '../../api/send.ts'
import { projectsQuery } from '../../app/places.ts'
import { queryClient } from '../../app/query-client.ts'
import { useMayDo, useMembership, useSession } from '../../app/session.ts'
import { toast } from '../../app/toasts.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Field } from '../../ui/field.tsx'
import { FormFailure, useFocusOnFault } from '../../ui/form-failure.tsx'
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
  const { publicUrl } = useSession()
  const [values, setValues] = useState({ name: '', domain: '', repository: '', ref: '', docsFolder: '' })
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const form = useFocusOnFault(error)
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
            kind: 'git',
            repository: values.repository.trim(),
            ...(values.ref.trim() ? { ref: values.ref.trim() } : {}),
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
  const isLocal = /^https?:\/\/(localhost|127\.0\.0\.1)(:|$)/.test(publicUrl)
  return (
    <form
      ref={form}
      onSubmit={(event) => {
        event.preventDefault()
        if (!isBusy) void make()
      }}
    >
      <FormFailure error={error} others={others} />
      <Card class="p-4">
        <Field
          label="Name"
          error={byField.name}
          hint="How the project is called here; readers do not see it."
        >
          {(field) => (
            <Input
              {...field}
              required
              autoFocus
              maxLength={200}
              pattern=".*\S.*"
              autocomplete="off"
              placeholder="Product guides"
              value={values.name}
              onInput={set('name')}
            />
          )}
        </Field>
        <Field
          label="Host name"
          error={byField.domains}
          hint={
            isLocal
              ? 'Where readers find the site. Names under localhost work at once; others need a DNS record that points here.'
              : 'Where readers find the site. Let a CNAME or A record of it point to this server.'
          }
        >
          {(field) => (
            <Input
              {...field}
              isMono
              required
              pattern=".*\S.*"
              placeholder={isLocal ? 'guides.localhost' : 'docs.example.com'}
              value={values.domain}
              onInput={set('domain')}
            />
          )}
        </Field>
        <hr class="-mx-4 my-5" />
        <Field
          label="Address of the repository"
          error={byField['source/repository']}
          hint="https:// or ssh. It is fetched at each sync; agent jobs make branches and pull requests in it."
        >
          {(field) => (
            <Input
              {...field}
              isMono
              required
              pattern=".*\S.*"
              placeholder="https://github.com/example/docs.git"
              value={values.repository}
              onInput={set('repository')}
            />
          )}
        </Field>
        <div class="grid gap-4 *:mb-0 sm:grid-cols-2">
          <Field label="Branch" isOptional error={byField['source/ref']} hint="Empty: the default branch.">
            {(field) => (
              <Input {...field} isMono placeholder="main" value={values.ref} onInput={set('ref')} />
            )}
          </Field>
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
                placeholder="docs"
                value={values.docsFolder}
                onInput={set('docsFolder')}
              />
            )}
          </Field>
        </div>
      </Card>
      <Button type="submit" look="primary" class="mt-5" isBusy={isBusy}>
        Make the project and publish
      </Button>
      <p class="mt-5 text-13 text-soft">
        A folder of the server is named by its operator, on the command line:{' '}
        <code class="font-mono text-12">octavo projects create --source &lt;folder&gt;</code>
      </p>
    </form>
  )
}
