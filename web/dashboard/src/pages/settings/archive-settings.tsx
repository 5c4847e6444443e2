/** Archives a project and sets what readers see in the meantime. Only visible to owners. */

import { useState } from 'preact/hooks'
import type { ProjectDetail } from '../../../../../src/features/projects/operations/projects.ts'
import { octavo } from '../../api/octavo.ts'
import { projectsQuery } from '../../app/current-project.ts'
import { queryClient } from '../../app/query-client.ts'
import { toast } from '../../app/toasts.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { useGo } from '../../ui/link.tsx'
import { Section } from '../../ui/page.tsx'
import { Checkbox } from '../../ui/switch.tsx'
import { t } from '../../words/words.ts'
import { ARCHIVED_KEY } from '../organization/project-list.tsx'

export function ArchiveSection({ project }: { project: ProjectDetail }) {
  const [isAsked, setAsked] = useState(false)
  return (
    <Section
      title={t('Archive the project')}
      about={t(
        'For a project that nobody works on any more: it leaves the lists, keeps everything, and can be unarchived at any time.',
      )}
    >
      <Button icon="archive" onClick={() => setAsked(true)}>
        {t('Archive the project')}
      </Button>
      {isAsked && <ArchiveDialog project={project} onClose={() => setAsked(false)} />}
    </Section>
  )
}

function ArchiveDialog({ project, onClose }: { project: ProjectDetail; onClose: () => void }) {
  const go = useGo()
  const [serves, setServes] = useState(true)
  const [takesFeedback, setTakesFeedback] = useState(false)
  const archive = async () => {
    await octavo.archiveProject(project.id, { serves, takesFeedback: serves && takesFeedback })
    await queryClient.invalidateQueries({ queryKey: ARCHIVED_KEY })
    await queryClient.refetchQueries({ queryKey: projectsQuery().queryKey })
    toast({
      kind: 'done',
      title: t('{name} is archived', { name: project.name }),
      detail: t('It can be read, and unarchived, under Plan and limits.'),
    })
    await go('/')
  }
  return (
    <ConfirmDialog
      title={t('Archive {name}?', { name: project.name })}
      action={t('Archive the project')}
      look="primary"
      onConfirm={archive}
      onClose={onClose}
    >
      <p>
        {t(
          'Running deployments, exports and agent jobs are cancelled. Nothing is published, previewed or started any more, not even by automations. Visits are not counted, and the assistant does not answer.',
        )}
      </p>
      <Checkbox label={t('Keep the site online as it is')} isOn={serves} onChange={setServes} />
      <Checkbox
        label={t('Keep taking feedback')}
        isOff={!serves}
        isOn={serves && takesFeedback}
        onChange={setTakesFeedback}
      />
    </ConfirmDialog>
  )
}
