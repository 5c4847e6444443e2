/** Deleted projects, as long as they can be restored. */

import type { DeletedProject } from '../../../../../src/contract/deletion.ts'
import { octavo } from '../../api/send.ts'
import { projectsQuery } from '../../app/places.ts'
import { queryClient } from '../../app/query-client.ts'
import { useMayDo } from '../../app/session.ts'
import { toast } from '../../app/toasts.ts'
import { Button } from '../../ui/button.tsx'
import { useGo } from '../../ui/link.tsx'
import { relativeTime, timeUntil } from '../../ui/time.tsx'
import { t } from '../../words/words.ts'
import { ARCHIVED_KEY } from './archived-projects.tsx'
import { ProjectList, ProjectRow, renewProjects, useRowAction } from './project-list.tsx'

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
  const { projectId, name, domains, deletedAt, removedFrom } = project
  const mayRestore = useMayDo('deletion')
  const go = useGo()
  const { isBusy, run } = useRowAction(`${name} could not be restored`, async () => {
    await octavo.restoreProject(projectId)
    await renewProjects(DELETED_KEY, ARCHIVED_KEY)
    const title = `${name} is restored`
    const atWork = queryClient.getQueryData(projectsQuery().queryKey)?.projects ?? []
    if (!atWork.some(({ id }) => id === projectId))
      return toast({ kind: 'done', title, detail: 'It is archived, as it was.' })
    toast({ kind: 'done', title, detail: 'Its site is online again.' })
    await go(`/p/${projectId}`)
  })
  const end = removedFrom === null ? ', kept' : endWords(removedFrom)
  return (
    <ProjectRow name={name} about={`${domains.join(', ')}, deleted ${relativeTime(deletedAt)}${end}`}>
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

function endWords(at: string): string {
  return Date.parse(at) > Date.now() ? `, removed in ${timeUntil(at)}` : ', about to be removed'
}
