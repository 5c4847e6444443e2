/** Banner above every page of an archived project, in which members with the permission can unarchive it. */
import { Icon } from '../ui/icon.tsx'
import { PlainText } from '../ui/plain-text.tsx'
import { rich, t } from '../words/words.ts'
import { ActionButton } from './action.tsx'
import { useProjectSummary } from './current-project.ts'
import { ARCHIVED_KEY, refreshProjects } from './project-lists.ts'
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
              {rich('{name} is archived and read-only.', {
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
  const unarchive = async () => {
    // Loaded on demand, because the public API client is not part of the initial bundle.
    const { octavo } = await import('../api/octavo.ts')
    await octavo.unarchiveProject(id)
    await refreshProjects(ARCHIVED_KEY)
    await queryClient.invalidateQueries()
    toast({ kind: 'done', title: t('{name} is no longer archived', { name }) })
  }
  if (!mayUnarchive) return null
  return (
    <ActionButton icon="undo-2" failed={t('{name} could not be unarchived', { name })} run={unarchive}>
      {t('Unarchive')}
    </ActionButton>
  )
}
