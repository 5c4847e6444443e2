/** Transfer, archive and deletion of the project, and permanent deletion of feedback. Only visible to owners. */

import { useQuery } from '@tanstack/react-query'
import type {
  DeleteFeedbackBody,
  ProjectHoldings,
} from '../../../../../src/features/projects/operations/deletion.ts'
import type { ProjectDetail } from '../../../../../src/features/projects/operations/projects.ts'
import { octavo } from '../../api/octavo.ts'
import { confirmFirst } from '../../app/dialogs.tsx'
import { DELETED_KEY, refreshProjects } from '../../app/project-lists.ts'
import { queryClient } from '../../app/query-client.ts'
import { toast } from '../../app/toasts.ts'
import { FieldsForm } from '../../forms/fields-form.tsx'
import { Button } from '../../ui/button.tsx'
import { FactRows } from '../../ui/fact.tsx'
import { useGo } from '../../ui/link.tsx'
import { formatBytes, formatCount } from '../../ui/numbers.ts'
import { Section } from '../../ui/page.tsx'
import { Loaded, Skeleton } from '../../ui/states.tsx'
import { plural, t } from '../../words/words.ts'
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

function FeedbackDeletion({ project }: { project: ProjectDetail }) {
  return (
    <Section
      title={t('Delete feedback')}
      about={t('By contact address or by age. With both, only entries that match both are deleted.')}
    >
      <FieldsForm<DeleteFeedbackBody>
        operation="deleteFeedback"
        action={t('Count entries')}
        look="secondary"
        isOff={({ contact, before }) => !contact && !before}
        fields={() => [
          {
            name: 'contact',
            label: t('Contact address'),
            help: t('As the reader entered it.'),
            example: 'reader@example.com',
            input: { autocomplete: 'off' },
          },
          {
            name: 'before',
            label: t('Received before'),
            help: t('Entries without a date are kept.'),
            input: { type: 'date' },
          },
        ]}
        onSubmit={async (body) => {
          const { matched } = await octavo.deleteFeedback(project.id, { ...body, isDryRun: true })
          if (matched === 0) toast({ kind: 'info', title: t('No feedback matches.') })
          else deleteFeedback(project.id, body, matched)
        }}
      />
    </Section>
  )
}

function deleteFeedback(projectId: string, body: DeleteFeedbackBody, matched: number): void {
  confirmFirst({
    title: plural(matched, 'Delete {count} feedback entry?', 'Delete {count} feedback entries?'),
    action: t('Delete permanently'),
    text: t(
      'They are removed with their history and notes, from webhook events and from the input of agent jobs. This cannot be undone. Mentions in agent conversations stay until the job is archived.',
    ),
    run: async () => {
      let deleted = 0
      for (let hasMore = true; hasMore; ) {
        const part = await octavo.deleteFeedback(projectId, body)
        deleted += part.deleted
        hasMore = part.hasMore && part.deleted > 0
      }
      await queryClient.invalidateQueries()
      toast({ kind: 'done', title: plural(deleted, '{count} entry deleted', '{count} entries deleted') })
    },
  })
}

function ProjectDeletion({ project: { id, name } }: { project: ProjectDetail }) {
  const go = useGo()
  const ask = () =>
    confirmFirst({
      title: t('Delete {name}?', { name }),
      name,
      action: t('Delete the project'),
      text: <ProjectHoldingsList projectId={id} />,
      run: async () => {
        await octavo.deleteProject(id, { name })
        await refreshProjects(DELETED_KEY)
        toast({
          kind: 'done',
          title: t('{name} is deleted', { name }),
          detail: t('Restore it under Plan and limits.'),
        })
        await go('/')
      },
    })
  return (
    <Section
      title={t('Delete the project')}
      about={t(
        'Takes the site down immediately. You can restore the project for a while; after that, everything in it is removed.',
      )}
    >
      <Button look="danger" icon="trash-2" onClick={ask}>
        {t('Delete the project')}
      </Button>
    </Section>
  )
}

function ProjectHoldingsList({ projectId }: { projectId: string }) {
  const query = useQuery({
    queryKey: ['getProjectHoldings', projectId],
    queryFn: () => octavo.getProjectHoldings(projectId),
    gcTime: 0,
  })
  return (
    <Loaded query={query} skeleton={<Skeleton class="h-40 w-full rounded-md" />}>
      {(held) => (
        <>
          <p>{describeGrace(held)}</p>
          <FactRows
            rows={[
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
            ]}
          />
          <p>{t('Members, API keys, git tokens and the audit log stay: they belong to the organization.')}</p>
        </>
      )}
    </Loaded>
  )
}

function describeGrace({ domains, graceDays }: ProjectHoldings): string {
  const offline = plural(
    domains.length,
    '{domains} goes offline immediately.',
    '{domains} go offline immediately.',
    { domains: domains.join(', ') },
  )
  const grace =
    graceDays === 0
      ? t('You can restore it at any time.')
      : plural(graceDays, 'You can restore it for {count} day.', 'You can restore it for {count} days.')
  return `${offline} ${grace}`
}

function formatStored({ objects, bytes: stored, isAtLeast }: ProjectHoldings): string {
  const values = { size: formatBytes(stored) }
  return isAtLeast
    ? plural(objects, 'More than {count} object, {size}', 'More than {count} objects, {size}', values)
    : plural(objects, '{count} object, {size}', '{count} objects, {size}', values)
}
