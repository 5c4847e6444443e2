/** Code repositories that the project's agent may read. */

import { useQuery } from '@tanstack/react-query'
import type { CodeRepository } from '../../../../../src/features/projects/operations/code-repositories.ts'
import type { ProjectDetail } from '../../../../../src/features/projects/operations/projects.ts'
import { octavo } from '../../api/octavo.ts'
import { confirmFirst, openDialog } from '../../app/dialogs.tsx'
import { queryClient } from '../../app/query-client.ts'
import { useHasPermission } from '../../app/session.ts'
import { toast } from '../../app/toasts.ts'
import { FieldsDialog } from '../../forms/fields-form.tsx'
import { Button } from '../../ui/button.tsx'
import { ItemRow, ItemRows } from '../../ui/item-rows.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import { EmptyState, Loaded, SkeletonRows } from '../../ui/states.tsx'
import { t } from '../../words/words.ts'
import { codeRepositoriesQuery } from '../code-repositories-query.ts'

export function CodeSettings({ project: { id: projectId } }: { project: ProjectDetail }) {
  const mayChange = useHasPermission('projects')
  const query = useQuery(codeRepositoriesQuery(projectId))
  const add = mayChange ? (
    <Button look="primary" icon="plus" onClick={() => editRepository(projectId, null)}>
      {t('Add a repository')}
    </Button>
  ) : null
  return (
    <Loaded query={query} skeleton={<SkeletonRows label={t('Loading code repositories')} />}>
      {({ repositories }) =>
        repositories.length === 0 ? (
          <EmptyState icon="code" title={t('No code repositories yet')} actions={add}>
            <p>
              {t(
                'Add the repositories that your docs describe, and the agent reads the code before it writes. It never writes to them, and each statement in a pull request names the lines that support it.',
              )}
            </p>
          </EmptyState>
        ) : (
          <>
            <div class="mb-4 flex flex-wrap items-center justify-between gap-3">
              <p class="max-w-md text-13 text-soft">
                {t(
                  'The agent reads these repositories and never writes to them. Private ones are read with the tokens under Git access.',
                )}
              </p>
              {add}
            </div>
            <ItemRows label={t('Code repositories')}>
              {repositories.map((one) => (
                <Repository
                  key={one.repositoryId}
                  projectId={projectId}
                  repository={one}
                  mayChange={mayChange}
                />
              ))}
            </ItemRows>
          </>
        )
      }
    </Loaded>
  )
}

function Repository({
  projectId,
  repository: one,
  mayChange,
}: {
  projectId: string
  repository: CodeRepository
  mayChange: boolean
}) {
  const part = [one.ref ?? t('default branch'), one.folder].filter(Boolean).join(' · ')
  const about = (
    <>
      <span class="block font-mono text-12">
        <PlainText text={one.repository} />
      </span>
      <PlainText text={part} />
    </>
  )
  return (
    <ItemRow title={one.name} about={about}>
      {mayChange && (
        <>
          <Button
            size="small"
            look="quiet"
            aria-label={t('Change {name}', { name: one.name })}
            onClick={() => editRepository(projectId, one)}
          >
            {t('Change')}
          </Button>
          <Button
            size="small"
            look="quiet"
            aria-label={t('Remove {name}', { name: one.name })}
            onClick={() => removeRepository(projectId, one)}
          >
            {t('Remove')}
          </Button>
        </>
      )}
    </ItemRow>
  )
}

const refresh = (projectId: string) =>
  queryClient.invalidateQueries({ queryKey: codeRepositoriesQuery(projectId).queryKey })

function editRepository(projectId: string, repository: CodeRepository | null): void {
  openDialog((close) => (
    <FieldsDialog<Pick<CodeRepository, 'name' | 'repository' | 'ref' | 'folder'>>
      operation="addCodeRepository"
      title={repository === null ? t('Add a code repository') : t('Change {name}', { name: repository.name })}
      action={t('Save')}
      noValidate
      initial={repository ?? {}}
      fields={() => [
        {
          name: 'name',
          label: t('Name'),
          help: t('Used by the agent and in its pull requests.'),
          input: { autoFocus: true, maxLength: 40, autocomplete: 'off' },
        },
        {
          name: 'repository',
          label: t('Repository'),
          isMono: true,
          help: t('A URL without a token. Private repositories are read with the tokens under Git access.'),
        },
        {
          name: 'ref',
          label: t('Branch, tag or commit'),
          isMono: true,
          help: t('Leave it empty for the default branch.'),
        },
        { name: 'folder', label: t('Folder'), isMono: true, help: t('Nothing outside it is read.') },
      ]}
      onSubmit={async (body) => {
        const saved =
          repository === null
            ? await octavo.call('addCodeRepository', { params: { projectId }, body })
            : await octavo.call('updateCodeRepository', {
                params: { projectId, repositoryId: repository.repositoryId },
                body,
              })
        await refresh(projectId)
        toast({ kind: 'done', title: t('The agent reads {name}', { name: saved.name }) })
        close()
      }}
      onClose={close}
    />
  ))
}

function removeRepository(projectId: string, { repositoryId, name }: CodeRepository): void {
  confirmFirst({
    title: t('Remove this repository?'),
    name,
    action: t('Remove it'),
    text: t('The agent stops reading it from its next turn. The repository itself does not change.'),
    run: async () => {
      await octavo.call('removeCodeRepository', { params: { projectId, repositoryId } })
      await refresh(projectId)
      toast({ kind: 'done', title: t('The agent no longer reads {name}', { name }) })
    },
  })
}
