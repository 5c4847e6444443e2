/** Transfer, archive and deletion of the project, and permanent deletion of feedback. Only visible to owners. */

import { useQuery } from '@tanstack/react-query'
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type {
  DeleteFeedbackBody,
  ProjectHoldings,
} from '../../../../../src/features/projects/operations/deletion.ts'
import type { ProjectDetail } from '../../../../../src/features/projects/operations/projects.ts'
import { octavo } from '../../api/octavo.ts'
import { projectsQuery } from '../../app/current-project.ts'
import { queryClient } from '../../app/query-client.ts'
import { toast } from '../../app/toasts.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { Form } from '../../ui/form.tsx'
import { useGo } from '../../ui/link.tsx'
import { formatBytes, formatCount } from '../../ui/numbers.ts'
import { Section } from '../../ui/page.tsx'
import { Loaded, Skeleton } from '../../ui/states.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { plural, t } from '../../words/words.ts'
import { DELETED_KEY } from '../organization/deleted-projects.tsx'
import { ArchiveSection } from './archive-settings.tsx'
import { TransferSection } from './transfer-settings.tsx'

export function DeleteSettings({ project }: { project: ProjectDetail }) {
  return (
    <>
      <TransferSection project={project} />
      {/* An archived project has a banner with the unarchive button. */}
      {project.archivedAt === null && <ArchiveSection project={project} />}
      <FeedbackDeletion project={project} />
      <ProjectDeletion project={project} />
    </>
  )
}

const EXAMPLE_CONTACT = 'reader@example.com'
const FIELDS = ['contact', 'before'] as const

interface DeletionPreview {
  body: DeleteFeedbackBody
  matched: number
}

function FeedbackDeletion({ project }: { project: ProjectDetail }) {
  const [draft, setDraft] = useState({ contact: '', before: '' })
  const [deletionPreview, setMeant] = useState<DeletionPreview | null>(null)
  const countMatches = async () => {
    const body = {
      ...(draft.contact.trim() !== '' && { contact: draft.contact.trim() }),
      ...(draft.before !== '' && { before: draft.before }),
    }
    const { matched } = await octavo.deleteFeedback(project.id, { ...body, isDryRun: true })
    setMeant({ body, matched })
  }
  return (
    <Section
      title={t('Delete feedback')}
      about={t('When a reader asks for it, or by age. With both, only entries that match both are deleted.')}
    >
      <Form fields={FIELDS} onSubmit={countMatches}>
        {({ faults, isBusy }) => (
          <>
            <DeletionFields
              draft={draft}
              faults={faults}
              onChange={(part) => setDraft({ ...draft, ...part })}
            />
            <Button
              type="submit"
              class="mt-4"
              isBusy={isBusy}
              disabled={draft.contact.trim() === '' && draft.before === ''}
            >
              {t('Count entries')}
            </Button>
          </>
        )}
      </Form>
      {deletionPreview !== null && deletionPreview.matched === 0 && (
        <p class="mt-3 text-13 text-soft" role="status">
          {t('No feedback matches.')}
        </p>
      )}
      {deletionPreview !== null && deletionPreview.matched > 0 && (
        <FeedbackDialog
          projectId={project.id}
          deletionPreview={deletionPreview}
          onClose={() => setMeant(null)}
        />
      )}
    </Section>
  )
}

interface DeletionDraft {
  contact: string
  before: string
}

function DeletionFields({
  draft,
  faults,
  onChange,
}: {
  draft: DeletionDraft
  faults: Partial<Record<(typeof FIELDS)[number], string>>
  onChange: (part: Partial<DeletionDraft>) => void
}) {
  return (
    <div class="grid gap-4 *:mb-0 sm:grid-cols-2">
      <TextField
        label={t('Contact address')}
        isOptional
        error={faults.contact}
        hint={t('As the reader entered it.')}
        autocomplete="off"
        maxLength={320}
        placeholder={EXAMPLE_CONTACT}
        value={draft.contact}
        onText={(contact) => onChange({ contact })}
      />
      <TextField
        label={t('Received before')}
        isOptional
        error={faults.before}
        hint={t('Entries without a date are kept.')}
        type="date"
        value={draft.before}
        onText={(before) => onChange({ before })}
      />
    </div>
  )
}

function FeedbackDialog({
  projectId,
  deletionPreview: { body, matched },
  onClose,
}: {
  projectId: string
  deletionPreview: DeletionPreview
  onClose: () => void
}) {
  const remove = async () => {
    let deleted = 0
    for (let hasMore = true; hasMore; ) {
      const part = await octavo.deleteFeedback(projectId, body)
      deleted += part.deleted
      hasMore = part.hasMore && part.deleted > 0
    }
    await queryClient.invalidateQueries()
    toast({ kind: 'done', title: plural(deleted, '{count} entry deleted', '{count} entries deleted') })
  }
  return (
    <ConfirmDialog
      title={plural(matched, 'Delete {count} entry of feedback?', 'Delete {count} entries of feedback?')}
      action={t('Delete for good')}
      onConfirm={remove}
      onClose={onClose}
    >
      <p>
        {t(
          'They go with their history and notes, from events of webhooks, and from what agent jobs were given. Nothing brings them back. What the agent said of them in a conversation stays until that is archived.',
        )}
      </p>
    </ConfirmDialog>
  )
}

function ProjectDeletion({ project }: { project: ProjectDetail }) {
  const [isAsked, setAsked] = useState(false)
  return (
    <Section
      title={t('Delete the project')}
      about={t(
        'Takes the site down immediately. You can restore the project for a while; after that, everything in it is removed.',
      )}
    >
      <Button look="danger" icon="trash-2" onClick={() => setAsked(true)}>
        {t('Delete the project')}
      </Button>
      {isAsked && <ProjectDialog project={project} onClose={() => setAsked(false)} />}
    </Section>
  )
}

function ProjectDialog({ project, onClose }: { project: ProjectDetail; onClose: () => void }) {
  const go = useGo()
  const query = useQuery({
    queryKey: ['getProjectHoldings', project.id],
    queryFn: () => octavo.getProjectHoldings(project.id),
    gcTime: 0,
  })
  const remove = async () => {
    await octavo.deleteProject(project.id, { name: project.name })
    await queryClient.invalidateQueries({ queryKey: DELETED_KEY })
    await queryClient.refetchQueries({ queryKey: projectsQuery().queryKey })
    toast({
      kind: 'done',
      title: t('{name} is deleted', { name: project.name }),
      detail: t('Restore it under Plan and limits.'),
    })
    await go('/')
  }
  return (
    <ConfirmDialog
      title={t('Delete {name}?', { name: project.name })}
      name={project.name}
      action={t('Delete the project')}
      onConfirm={remove}
      onClose={onClose}
    >
      <Loaded query={query} skeleton={<Skeleton class="h-40 w-full rounded-md" />}>
        {(held) => <Holdings held={held} />}
      </Loaded>
    </ConfirmDialog>
  )
}

function Holdings({ held }: { held: ProjectHoldings }) {
  const rows: [string, ComponentChildren][] = [
    [t('Feedback'), formatCount(held.feedback)],
    [t('Questions to the assistant'), formatCount(held.questions)],
    [t('Deployments'), formatCount(held.deployments)],
    [t('Static exports'), formatCount(held.exports)],
    [t('Agent jobs'), formatCount(held.agentJobs)],
    [t('Webhooks'), formatCount(held.webhooks)],
    [t('Passwords and signed links'), formatCount(held.passes)],
    [
      t('Web analytics'),
      held.hasAnalytics
        ? t('All counts', { context: 'web analytics' })
        : t('None', { context: 'web analytics' }),
    ],
    [t('In storage'), formatStored(held)],
  ]
  const grace =
    held.graceDays === 0
      ? t('You can restore it at any time.')
      : plural(held.graceDays, 'You can restore it for {count} day.', 'You can restore it for {count} days.')
  return (
    <>
      <p>
        {plural(
          held.domains.length,
          '{domains} goes offline immediately.',
          '{domains} go offline immediately.',
          { domains: held.domains.join(', ') },
        )}{' '}
        {grace}
      </p>
      <dl class="divide-y divide-line rounded-md border border-line text-13">
        {rows.map(([what, amount]) => (
          <div key={what} class="flex justify-between gap-4 px-3 py-1.5">
            <dt>{what}</dt>
            <dd class="text-right tabular-nums text-text">{amount}</dd>
          </div>
        ))}
      </dl>
      <p>{t('Members, API keys, git tokens and the audit log stay: they belong to the organization.')}</p>
    </>
  )
}

function formatStored({ objects, bytes: stored, isAtLeast }: ProjectHoldings): string {
  const values = { size: formatBytes(stored) }
  return isAtLeast
    ? plural(objects, 'More than {count} object, {size}', 'More than {count} objects, {size}', values)
    : plural(objects, '{count} object, {size}', '{count} objects, {size}', values)
}
