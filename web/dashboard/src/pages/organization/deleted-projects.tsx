/** Deleted projects that can still be restored. */

import type { DeletedProject } from '../../../../../src/features/projects/operations/deletion.ts'
import { octavo } from '../../api/octavo.ts'
import { projectsQuery } from '../../app/current-project.ts'
import { queryClient } from '../../app/query-client.ts'
import { useHasPermission } from '../../app/session.ts'
import { toast } from '../../app/toasts.ts'
import { Button } from '../../ui/button.tsx'
import { useGo } from '../../ui/link.tsx'
import { formatDurationUntil, formatRelativeTime } from '../../ui/time.tsx'
import { t } from '../../words/words.ts'
import { ARCHIVED_KEY, ProjectList, ProjectRow, refreshProjects, useRowAction } from './project-list.tsx'

export const DELETED_KEY = ['listDeletedProjects']

export function DeletedProjects() {
  return (
    <ProjectList
      title={t('Deleted projects')}
      about={t('Their sites are offline, and their domains stay reserved. Owners can restore them.')}
      queryKey={DELETED_KEY}
      ask={() => octavo.listDeletedProjects()}
      itemsOf={({ projects }) => projects}
      row={(project) => <DeletedRow key={project.projectId} project={project} />}
    />
  )
}

function DeletedRow({ project }: { project: DeletedProject }) {
  const { projectId, name } = project
  const mayRestore = useHasPermission('deletion')
  const go = useGo()
  const { isBusy, run } = useRowAction(t('{name} could not be restored', { name }), async () => {
    await octavo.restoreProject(projectId)
    await refreshProjects(DELETED_KEY, ARCHIVED_KEY)
    const title = t('{name} is restored', { name })
    const atWork = queryClient.getQueryData(projectsQuery().queryKey)?.projects ?? []
    if (!atWork.some(({ id }) => id === projectId))
      return toast({ kind: 'done', title, detail: t('It is archived, as it was.') })
    toast({ kind: 'done', title, detail: t('Its site is online again.') })
    await go(`/p/${projectId}`)
  })
  return (
    <ProjectRow name={name} about={describeDeletedState(project)}>
      {mayRestore && (
        <Button
          size="small"
          icon="undo-2"
          isBusy={isBusy}
          aria-label={t('Restore {name}', { name })}
          onClick={run}
        >
          {t('Restore')}
        </Button>
      )}
    </ProjectRow>
  )
}

function describeDeletedState({ domains, deletedAt, removedFrom }: DeletedProject): string {
  const values = { domains: domains.join(', '), when: formatRelativeTime(deletedAt) }
  if (removedFrom === null) return t('{domains}, deleted {when}, kept', values)
  return Date.parse(removedFrom) > Date.now()
    ? t('{domains}, deleted {when}, removed in {duration}', {
        ...values,
        duration: formatDurationUntil(removedFrom),
      })
    : t('{domains}, deleted {when}, about to be removed', values)
}
