/** Deleted projects, as long as they can be brought back. Nothing stands there when there is none. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'preact/hooks'
import type { DeletedProject } from '../../../../../src/contract/deletion.ts'
import { currentOrganization, octavo } from '../../api/send.ts'
import { projectsQuery } from '../../app/places.ts'
import { queryClient } from '../../app/query-client.ts'
import { useMayDo } from '../../app/session.ts'
import { toast, toastFailure } from '../../app/toasts.ts'
import { Button } from '../../ui/button.tsx'
import { useGo } from '../../ui/link.tsx'
import { Section } from '../../ui/page.tsx'
import { relativeTime, timeUntil } from '../../ui/time.tsx'
import { ARCHIVED_KEY } from './archived-projects.tsx'

export const DELETED_KEY = ['listDeletedProjects']

export function DeletedProjects() {
  const { data } = useQuery({
    queryKey: [...DELETED_KEY, currentOrganization()],
    queryFn: () => octavo.listDeletedProjects(),
  })
  if (data === undefined || data.projects.length === 0) return null
  return (
    <Section
      title="Deleted projects"
      about="Their sites are offline, and their domains stay reserved. Owners can restore them."
    >
      <ul class="divide-y divide-line rounded-md border border-line" aria-label="Deleted projects">
        {data.projects.map((project) => (
          <DeletedRow key={project.projectId} project={project} />
        ))}
      </ul>
    </Section>
  )
}

function DeletedRow({ project }: { project: DeletedProject }) {
  const { projectId, name, domains, deletedAt, removedFrom } = project
  const mayRestore = useMayDo('deletion')
  const go = useGo()
  const [isBusy, setBusy] = useState(false)
  const restore = async () => {
    setBusy(true)
    try {
      await octavo.restoreProject(projectId)
      await queryClient.invalidateQueries({ queryKey: DELETED_KEY })
      await queryClient.refetchQueries({ queryKey: projectsQuery().queryKey })
      await queryClient.invalidateQueries({ queryKey: ARCHIVED_KEY })
      const atWork = queryClient.getQueryData(projectsQuery().queryKey)?.projects ?? []
      if (atWork.some(({ id }) => id === projectId)) {
        toast({ kind: 'done', title: `${name} is restored`, detail: 'Its site is online again.' })
        await go(`/p/${projectId}`)
      } else toast({ kind: 'done', title: `${name} is restored`, detail: 'It is archived, as it was.' })
    } catch (error) {
      toastFailure(`${name} could not be restored`, error)
      setBusy(false)
    }
  }
  return (
    <li class="flex flex-wrap items-center gap-x-3 gap-y-1 px-3 py-2">
      <div class="min-w-0 flex-1 basis-52">
        <p class="break-words">{name}</p>
        <p class="break-words text-13 text-soft">
          {domains.join(', ')}, deleted {relativeTime(deletedAt)}
          {removedFrom === null ? ', kept' : endWords(removedFrom)}
        </p>
      </div>
      {mayRestore && (
        <Button size="small" icon="undo-2" isBusy={isBusy} aria-label={`Restore ${name}`} onClick={restore}>
          Restore
        </Button>
      )}
    </li>
  )
}

function endWords(at: string): string {
  return Date.parse(at) > Date.now() ? `, removed in ${timeUntil(at)}` : ', about to be removed'
}
