/** Archived projects: in no list but this one, and unarchived with one click. Nothing stands there when there is none. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'preact/hooks'
import type { ArchivedProject } from '../../../../../src/contract/archive.ts'
import { currentOrganization, octavo } from '../../api/send.ts'
import { projectsQuery } from '../../app/places.ts'
import { queryClient } from '../../app/query-client.ts'
import { useMayDo } from '../../app/session.ts'
import { toast, toastFailure } from '../../app/toasts.ts'
import { Button } from '../../ui/button.tsx'
import { useGo } from '../../ui/link.tsx'
import { Section } from '../../ui/page.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import { relativeTime } from '../../ui/time.tsx'

export const ARCHIVED_KEY = ['listArchivedProjects']

export function ArchivedProjects() {
  const { data } = useQuery({
    queryKey: [...ARCHIVED_KEY, currentOrganization()],
    queryFn: () => octavo.listArchivedProjects(),
  })
  if (data === undefined || data.projects.length === 0) return null
  return (
    <Section
      title="Archived projects"
      about="They keep everything. Nothing starts and nothing is collected in them."
    >
      <ul class="divide-y divide-line rounded-md border border-line" aria-label="Archived projects">
        {data.projects.map((project) => (
          <ArchivedRow key={project.projectId} project={project} />
        ))}
      </ul>
    </Section>
  )
}

function ArchivedRow({ project }: { project: ArchivedProject }) {
  const { projectId, name, domains, archivedAt, serves, takesFeedback } = project
  const mayRestore = useMayDo('deletion')
  const go = useGo()
  const [isBusy, setBusy] = useState(false)
  const restore = async () => {
    setBusy(true)
    try {
      await octavo.unarchiveProject(projectId)
      await queryClient.invalidateQueries({ queryKey: ARCHIVED_KEY })
      await queryClient.refetchQueries({ queryKey: projectsQuery().queryKey })
      toast({ kind: 'done', title: `${name} is no longer archived` })
      await go(`/p/${projectId}`)
    } catch (error) {
      toastFailure(`${name} could not be unarchived`, error)
      setBusy(false)
    }
  }
  const site = serves ? (takesFeedback ? 'online, with feedback' : 'online') : 'offline'
  return (
    <li class="flex flex-wrap items-center gap-x-3 gap-y-1 px-3 py-2">
      <div class="min-w-0 flex-1 basis-52">
        <p class="break-words">
          <PlainText text={name} />
        </p>
        <p class="break-words text-13 text-soft">
          {domains.join(', ')}, {site}, archived {relativeTime(archivedAt)}
        </p>
      </div>
      {mayRestore && (
        <Button size="small" icon="undo-2" isBusy={isBusy} aria-label={`Unarchive ${name}`} onClick={restore}>
          Unarchive
        </Button>
      )}
    </li>
  )
}
