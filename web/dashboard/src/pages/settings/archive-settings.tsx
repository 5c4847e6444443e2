/** Archives a project and sets what readers see in the meantime. Only visible to owners. */

import type { ProjectDetail } from '../../../../../src/features/projects/operations/projects.ts'
import { octavo } from '../../api/octavo.ts'
import { openDialog } from '../../app/dialogs.tsx'
import { ARCHIVED_KEY, refreshProjects } from '../../app/project-lists.ts'
import { toast } from '../../app/toasts.ts'
import { FieldsDialog } from '../../forms/fields-form.tsx'
import { Button } from '../../ui/button.tsx'
import { useGo } from '../../ui/link.tsx'
import { Section } from '../../ui/page.tsx'
import { t } from '../../words/words.ts'

export function ArchiveSection({ project }: { project: ProjectDetail }) {
  return (
    <Section
      title={t('Archive the project')}
      about={t(
        'For projects that nobody works on any more. An archived project is hidden from lists, keeps its data, and can be unarchived at any time.',
      )}
    >
      <Button
        icon="archive"
        onClick={() => openDialog((close) => <ArchiveDialog project={project} onClose={close} />)}
      >
        {t('Archive the project')}
      </Button>
    </Section>
  )
}

function ArchiveDialog({
  project: { id, name, domains },
  onClose,
}: {
  project: ProjectDetail
  onClose: () => void
}) {
  const go = useGo()
  return (
    <FieldsDialog
      title={t('Archive {name}?', { name })}
      action={t('Archive the project')}
      initial={{ serves: true }}
      fields={({ serves }) => [
        <p key="effect" class="mb-3 text-soft">
          {t(
            'Running deployments, exports and agent jobs are cancelled. Nothing is published, previewed or started, not even by automations. Visits are not counted, and the assistant does not answer.',
          )}
        </p>,
        {
          name: 'serves',
          kind: 'checkbox',
          label: t('Keep the site online as it is'),
          help: domains.join(', '),
        },
        {
          name: 'takesFeedback',
          kind: 'checkbox',
          label: t('Keep collecting feedback'),
          isOff: serves === false,
        },
      ]}
      onSubmit={async (_, { serves, takesFeedback }) => {
        await octavo.archiveProject(id, {
          serves: serves === true,
          takesFeedback: serves === true && takesFeedback === true,
        })
        await refreshProjects(ARCHIVED_KEY)
        toast({
          kind: 'done',
          title: t('{name} is archived', { name }),
          detail: t('You can open or unarchive it under Plan and limits.'),
        })
        onClose()
        await go('/')
      }}
      onClose={onClose}
    />
  )
}
