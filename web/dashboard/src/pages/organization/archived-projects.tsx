/** Archived projects, which appear in no other list, with a button to unarchive them. */

import type { ArchivedProject } from '../../../../../src/features/projects/operations/archive.ts'
import { octavo } from '../../api/octavo.ts'
import { useHasPermission } from '../../app/session.ts'
import { toast } from '../../app/toasts.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { useGo } from '../../ui/link.tsx'
import { formatRelativeTime } from '../../ui/time.tsx'
import { t } from '../../words/words.ts'
import { ARCHIVED_KEY, ProjectList, ProjectRow, refreshProjects, useRowAction } from './project-list.tsx'

export function ArchivedProjects() {
  return (
    <ProjectList
      title={t('Archived projects')}
      about={t('They keep everything and can be read. Nothing starts and nothing is collected in them.')}
      queryKey={ARCHIVED_KEY}
      ask={() => octavo.listArchivedProjects()}
      itemsOf={({ projects }) => projects}
      row={(project) => <ArchivedRow key={project.projectId} project={project} />}
    />
  )
}

function ArchivedRow({ project }: { project: ArchivedProject }) {
  const { projectId, name } = project
  const mayUnarchive = useHasPermission('deletion')
  const go = useGo()
  const { isBusy, run } = useRowAction(t('{name} could not be unarchived', { name }), async () => {
    await octavo.unarchiveProject(projectId)
    await refreshProjects(ARCHIVED_KEY)
    toast({ kind: 'done', title: t('{name} is no longer archived', { name }) })
    await go(`/p/${projectId}`)
  })
  return (
    <ProjectRow name={name} about={describeArchivedState(project)}>
      <ButtonLink size="small" href={`/p/${projectId}`} aria-label={t('Open {name}', { name })}>
        {t('Open')}
      </ButtonLink>
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

function describeArchivedState({ domains, archivedAt, serves, takesFeedback }: ArchivedProject): string {
  const values = { domains: domains.join(', '), when: formatRelativeTime(archivedAt) }
  if (!serves) return t('{domains}, offline, archived {when}', values)
  return takesFeedback
    ? t('{domains}, online, with feedback, archived {when}', values)
    : t('{domains}, online, archived {when}', values)
}
