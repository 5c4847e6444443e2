/** Code repositories that the project's agent may read. */

import { useQuery } from '@tanstack/react-query'
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { CodeRepository } from '../../../../../src/features/projects/operations/code-repositories.ts'
import type { ProjectDetail } from '../../../../../src/features/projects/operations/projects.ts'
import { octavo } from '../../api/octavo.ts'
import { queryClient } from '../../app/query-client.ts'
import { useHasPermission } from '../../app/session.ts'
import { toast } from '../../app/toasts.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import { EmptyState, Loaded, SkeletonRows } from '../../ui/states.tsx'
import { t } from '../../words/words.ts'
import { codeRepositoriesQuery } from '../code-repositories-query.ts'
import { CodeDialog } from './code-dialog.tsx'

export function CodeSettings({ project }: { project: ProjectDetail }) {
  const projectId = project.id
  const mayChange = useHasPermission('projects')
  const query = useQuery(codeRepositoriesQuery(projectId))
  const [asked, setAsked] = useState<CodeRepository | 'new' | null>(null)
  const [leaving, setLeaving] = useState<CodeRepository | null>(null)
  const invalidateRepositories = () =>
    queryClient.invalidateQueries({ queryKey: codeRepositoriesQuery(projectId).queryKey })
  const add = mayChange ? (
    <Button look="primary" icon="plus" onClick={() => setAsked('new')}>
      {t('Add a repository')}
    </Button>
  ) : null
  return (
    <>
      <Loaded query={query} skeleton={<SkeletonRows label={t('Loading code repositories')} />}>
        {({ repositories }) =>
          repositories.length === 0 ? (
            <NoCode add={add} />
          ) : (
            <Rows
              repositories={repositories}
              add={add}
              onChange={mayChange ? setAsked : null}
              onRemove={setLeaving}
            />
          )
        }
      </Loaded>
      {asked !== null && (
        <CodeDialog
          projectId={projectId}
          repository={asked === 'new' ? null : asked}
          onSaved={invalidateRepositories}
          onClose={() => setAsked(null)}
        />
      )}
      {leaving !== null && (
        <ConfirmDialog
          title={t('Remove this repository?')}
          name={leaving.name}
          action={t('Remove it')}
          onClose={() => setLeaving(null)}
          onConfirm={async () => {
            const { repositoryId } = leaving
            await octavo.call('removeCodeRepository', { params: { projectId, repositoryId } })
            await invalidateRepositories()
            toast({ kind: 'done', title: t('The agent no longer reads {name}', { name: leaving.name }) })
          }}
        >
          <p>{t('The agent’s next turn does without it. The repository itself stays as it is.')}</p>
        </ConfirmDialog>
      )}
    </>
  )
}

function NoCode({ add }: { add: ComponentChildren }) {
  return (
    <EmptyState icon="code" title={t('No code yet')} actions={add}>
      <p>
        {t(
          'Name the repositories that your docs are about, and the agent reads the code before it writes. It never writes to them, and each claim of a pull request names the lines that it rests on.',
        )}
      </p>
    </EmptyState>
  )
}

interface RowActions {
  /** Null for read-only access. */
  onChange: ((repository: CodeRepository) => void) | null
  onRemove: (repository: CodeRepository) => void
}

interface RowsProps extends RowActions {
  repositories: readonly CodeRepository[]
  add: ComponentChildren
}

function Rows({ repositories, add, ...acts }: RowsProps) {
  return (
    <>
      <div class="mb-4 flex flex-wrap items-center justify-between gap-3">
        <p class="max-w-md text-13 text-soft">
          {t(
            'The agent reads these repositories, and never writes to them. Private ones are read with the tokens under Git access.',
          )}
        </p>
        {add}
      </div>
      <ul class="border-t border-line" aria-label={t('Code repositories')}>
        {repositories.map((one) => (
          <Row key={one.repositoryId} repository={one} {...acts} />
        ))}
      </ul>
    </>
  )
}

function Row({ repository: one, onChange, onRemove }: RowActions & { repository: CodeRepository }) {
  const what = [one.ref ?? t('default branch'), one.folder].filter(Boolean).join(' · ')
  return (
    <li class="flex min-h-(--row) flex-wrap items-center gap-x-3 gap-y-1 border-b border-line py-2">
      <span class="min-w-0 flex-1 basis-64">
        <span class="block truncate font-medium text-13">
          <PlainText text={one.name} />
        </span>
        <span class="block truncate font-mono text-12 text-soft" title={one.repository}>
          <PlainText text={one.repository} />
        </span>
        <span class="block truncate text-12 text-soft">
          <PlainText text={what} />
        </span>
      </span>
      {onChange !== null && (
        <span class="flex shrink-0 gap-1">
          <Button
            size="small"
            look="quiet"
            aria-label={t('Change {name}', { name: one.name })}
            onClick={() => onChange(one)}
          >
            {t('Change')}
          </Button>
          <Button
            size="small"
            look="quiet"
            aria-label={t('Remove {name}', { name: one.name })}
            onClick={() => onRemove(one)}
          >
            {t('Remove')}
          </Button>
        </span>
      )}
    </li>
  )
}
