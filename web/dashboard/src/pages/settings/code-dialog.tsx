/** Form for a code repository, for creating and editing. */

import { useState } from 'preact/hooks'
import type { CodeRepository } from '../../../../../src/features/projects/operations/code-repositories.ts'
import { octavo } from '../../api/octavo.ts'
import { toast } from '../../app/toasts.ts'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { t } from '../../words/words.ts'

const FIELDS = ['name', 'repository', 'ref', 'folder'] as const
type Draft = Record<(typeof FIELDS)[number], string>

const EXAMPLES: Draft = {
  name: 'api',
  repository: 'https://github.com/acme/api',
  ref: 'main',
  folder: 'packages/server',
}

interface DialogProps {
  projectId: string
  /** Null for a new repository. */
  repository: CodeRepository | null
  onSaved: () => Promise<void>
  onClose: () => void
}

export function CodeDialog({ projectId, repository, onSaved, onClose }: DialogProps) {
  const [draft, setDraft] = useState<Draft>({
    name: repository?.name ?? '',
    repository: repository?.repository ?? '',
    ref: repository?.ref ?? '',
    folder: repository?.folder ?? '',
  })
  const set = (change: Partial<Draft>) => setDraft({ ...draft, ...change })
  const save = async () => {
    const body = {
      name: draft.name.trim(),
      repository: draft.repository.trim(),
      ref: draft.ref.trim() === '' ? null : draft.ref.trim(),
      folder: draft.folder.trim(),
    }
    const saved =
      repository === null
        ? await octavo.call('addCodeRepository', { params: { projectId }, body })
        : await octavo.call('updateCodeRepository', {
            params: { projectId, repositoryId: repository.repositoryId },
            body,
          })
    await onSaved()
    toast({ kind: 'done', title: t('The agent reads {name}', { name: saved.name }) })
    onClose()
  }
  return (
    <FormDialog
      title={repository === null ? t('Add a code repository') : t('Change {name}', { name: repository.name })}
      action={t('Save')}
      fields={FIELDS}
      noValidate
      onSubmit={save}
      onClose={onClose}
    >
      {(faults) => <Fields draft={draft} set={set} faults={faults} />}
    </FormDialog>
  )
}

interface FieldProps {
  draft: Draft
  set: (change: Partial<Draft>) => void
  faults: Partial<Record<keyof Draft, string>>
}

function Fields({ draft, set, faults }: FieldProps) {
  return (
    <>
      <TextField
        label={t('Name')}
        autoFocus
        hint={t('As the agent and its pull requests call it.')}
        error={faults.name}
        maxLength={40}
        value={draft.name}
        placeholder={EXAMPLES.name}
        autocomplete="off"
        onText={(name) => set({ name })}
      />
      <TextField
        label={t('Repository')}
        hint={t('Its address, without a token: private ones are read with those under Git access.')}
        error={faults.repository}
        isMono
        maxLength={2048}
        value={draft.repository}
        placeholder={EXAMPLES.repository}
        autocomplete="off"
        onText={(text) => set({ repository: text })}
      />
      <TextField
        label={t('Branch, tag or commit')}
        isOptional
        hint={t('The default branch when it is empty.')}
        error={faults.ref}
        isMono
        maxLength={255}
        value={draft.ref}
        placeholder={EXAMPLES.ref}
        autocomplete="off"
        onText={(ref) => set({ ref })}
      />
      <TextField
        label={t('Folder')}
        isOptional
        hint={t('Nothing outside of it is read.')}
        error={faults.folder}
        isMono
        maxLength={1024}
        value={draft.folder}
        placeholder={EXAMPLES.folder}
        autocomplete="off"
        onText={(folder) => set({ folder })}
      />
    </>
  )
}
