/** Archived projects: in no list but this one, and unarchived with one click. */

import type { ArchivedProject } from '../../../../../src/contract/archive.ts'
import { octavo } from '../../api/send.ts'
import { useMayDo } from '../../app/session.ts'
import { toast } from '../../app/toasts.ts'
import { Button } from '../../ui/button.tsx'
import { useGo } from '../../ui/link.tsx'
import { relativeTime } from '../../ui/time.tsx'
import { t } from '../../words/words.ts'
import { ProjectList, ProjectRow, renewProjects, useRowAction } from './project-list.tsx'

export const ARCHIVED_KEY = ['listArchivedProjects']

export function ArchivedProjects() {
  return (
    <ProjectList
      title={t('Archived projects')}
      about={t('They keep everything. Nothing starts and nothing is collected in them.')}
      queryKey={ARCHIVED_KEY}
      ask={() => octavo.listArchivedProjects()}
      itemsOf={({ projects }) => projects}
      row={(project) => <ArchivedRow key={project.projectId} project={project} />}
    />
  )
}

function ArchivedRow({ project }: { project: ArchivedProject }) {
  const { projectId, name, domains, archivedAt, serves, takesFeedback } = project
  const mayUnarchive = useMayDo('deletion')
  const go = useGo()
  const { isBusy, run } = useRowAction(`${name} could not be unarchived`, async () => {
    await octavo.unarchiveProject(projectId)
    await renewProjects(ARCHIVED_KEY)
    toast({ kind: 'done', title: t('{name} is no longer archived', { name }) })
    await go(`/p/${projectId}`)
  })
  const site = serves ? (takesFeedback ? 'online, with feedback' : 'online') : 'offline'
  return (
    <ProjectRow name={name} about={`${domains.join(', ')}, ${site}, archived ${relativeTime(archivedAt)}`}>
      {mayUnarchive && (
        <Button
          size="small"
          icon="undo-2"
          isBusy={isBusy}
          aria-label={t('Unarchive {name}', { name })}
          onClick={run}
        >
          {t('Unarchive')}
        </Button>
      )}
    </ProjectRow>
  )
}
