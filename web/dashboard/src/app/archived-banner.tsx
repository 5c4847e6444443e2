/** Banner above every page of an archived project, with a button to unarchive it for members who may. */
import { ARCHIVED_KEY, refreshProjects, useRowAction } from '../pages/organization/project-list.tsx'
import { Button } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { PlainText } from '../ui/plain-text.tsx'
import { rich, t } from '../words/words.ts'
import { useProjectSummary } from './current-project.ts'
import { queryClient } from './query-client.ts'
import { useHasPermission } from './session.ts'
import { toast } from './toasts.ts'

export function ArchivedBanner() {
  const project = useProjectSummary()
  return (
    <div role="status" class="shrink-0">
      {project !== null && project.archivedAt !== null && (
        <div class="flex flex-wrap items-center justify-center gap-x-3 gap-y-1 border-b border-line bg-sunken px-4 py-1.5 text-13">
          <p class="flex min-w-0 items-center gap-2">
            <Icon name="archive" />
            <span class="min-w-0 break-words">
              {rich('{name} is archived: everything in it can be read, and nothing is changed.', {
                name: <PlainText text={project.name} />,
              })}
            </span>
          </p>
          <Unarchive key={project.id} id={project.id} name={project.name} />
        </div>
      )}
    </div>
  )
}

function Unarchive({ id, name }: { id: string; name: string }) {
  const mayUnarchive = useHasPermission('deletion')
  const { isBusy, run } = useRowAction(t('{name} could not be unarchived', { name }), async () => {
    // Loaded on demand, because the public API client is not part of the initial bundle.
    const { octavo } = await import('../api/octavo.ts')
    await octavo.unarchiveProject(id)
    await refreshProjects(ARCHIVED_KEY)
    await queryClient.invalidateQueries()
    toast({ kind: 'done', title: t('{name} is no longer archived', { name }) })
  })
  if (!mayUnarchive) return null
  return (
    <Button size="small" icon="undo-2" isBusy={isBusy} onClick={run}>
      {t('Unarchive')}
    </Button>
  )
}
