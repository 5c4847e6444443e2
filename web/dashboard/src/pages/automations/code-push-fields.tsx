/** Form fields of an automation that is triggered by pushes to a code repository. */

import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'preact/hooks'
import { useProjectId } from '../../app/current-project.ts'
import { Field, FieldError } from '../../ui/field.tsx'
import { Select } from '../../ui/input.tsx'
import { Link } from '../../ui/link.tsx'
import { TextareaField } from '../../ui/text-field.tsx'
import { rich, t } from '../../words/words.ts'
import { codeRepositoriesQuery } from '../code-repositories-query.ts'
import type { FieldGroupProps } from './automation-draft.ts'

export function PagesField({ draft, change, faults }: FieldGroupProps) {
  return (
    <TextareaField
      label={t('Only these pages')}
      isOptional
      hint={t('One pattern a line, such as /guides/**.')}
      error={faults['trigger/pages'] ?? (draft.kind === 'push' ? faults.trigger : undefined)}
      rows={2}
      value={draft.pages}
      onText={(pages) => change({ pages })}
    />
  )
}

/** A run starts when a push changes something that pages mention. */
export function CodePushFields({ draft, change, faults }: FieldGroupProps) {
  const projectId = useProjectId()
  const { data } = useQuery(codeRepositoriesQuery(projectId))
  const names = (data?.repositories ?? []).map(({ name }) => name)
  const knownNames = draft.code === '' || names.includes(draft.code) ? names : [draft.code, ...names]
  const first = draft.code === '' ? names[0] : undefined
  useEffect(() => {
    if (first !== undefined) change({ code: first })
  }, [first])
  if (data !== undefined && knownNames.length === 0)
    return <NoCode projectId={projectId} error={faults['trigger/repository']} />
  return (
    <>
      <Field
        label={t('Code repository')}
        hint={t(
          'Checked every hour. To check within a minute of a push, add a webhook for pushes to it, with the same address and secret as that of the docs.',
        )}
        error={faults['trigger/repository']}
      >
        {(field) => (
          <Select
            {...field}
            value={draft.code}
            options={knownNames.map((name) => ({ value: name, label: name }))}
            onChange={(code) => change({ code })}
          />
        )}
      </Field>
      <TextareaField
        label={t('Only these files')}
        isOptional
        hint={t('Files of the code that count, one pattern a line, such as src/**.')}
        error={faults.trigger}
        rows={2}
        value={draft.files}
        onText={(files) => change({ files })}
      />
      <PagesField draft={draft} change={change} faults={faults} />
    </>
  )
}

function NoCode({ projectId, error }: { projectId: string; error: string | undefined }) {
  return (
    <div class="mb-5 text-13">
      <p class="text-soft">
        {rich('This project has no code repository yet. <a>Add one in the settings</a>, then come back.', {
          a: (inner) => <Link href={`/p/${projectId}/settings`}>{inner}</Link>,
        })}
      </p>
      {error !== undefined && <FieldError>{error}</FieldError>}
    </div>
  )
}
