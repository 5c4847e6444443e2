/** Transfers the project to another organization, after listing what would be lost. Only visible to owners. */

import { useQuery } from '@tanstack/react-query'
import { useState } from 'preact/hooks'
import type { ProjectDetail } from '../../../../../src/features/projects/operations/projects.ts'
import type {
  ProjectTransfer,
  TransferOffer,
} from '../../../../../src/features/projects/operations/transfer.ts'
import { octavo } from '../../api/octavo.ts'
import { projectsQuery } from '../../app/current-project.ts'
import { queryClient } from '../../app/query-client.ts'
import { toast, toastFailure } from '../../app/toasts.ts'
import { Button } from '../../ui/button.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { useGo } from '../../ui/link.tsx'
import { Section } from '../../ui/page.tsx'
import { Loaded, Skeleton } from '../../ui/states.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { formatRelativeTime } from '../../ui/time.tsx'
import { language, plural, rich, t } from '../../words/words.ts'

const transferQueryKey = (projectId: string) => ['getProjectTransfer', projectId]

export function TransferSection({ project }: { project: ProjectDetail }) {
  const [isAsked, setAsked] = useState(false)
  const query = useQuery({
    queryKey: transferQueryKey(project.id),
    queryFn: () => octavo.getProjectTransfer(project.id),
  })
  const offer = query.data?.offer ?? null
  return (
    <Section
      title={t('Transfer the project')}
      about={t(
        'To another organization of this server. An owner of that organization accepts it; the site stays online at its domains.',
      )}
    >
      {offer !== null && <Offered projectId={project.id} offer={offer} />}
      {offer === null && (
        <Button icon="arrow-right" onClick={() => setAsked(true)}>
          {t('Transfer the project')}
        </Button>
      )}
      {isAsked && <TransferDialog project={project} query={query} onClose={() => setAsked(false)} />}
    </Section>
  )
}

function Offered({ projectId, offer }: { projectId: string; offer: TransferOffer }) {
  const [isBusy, setBusy] = useState(false)
  const withdraw = async () => {
    setBusy(true)
    try {
      await octavo.withdrawTransfer(projectId)
      await queryClient.invalidateQueries({ queryKey: transferQueryKey(projectId) })
      toast({ kind: 'done', title: t('The offer is withdrawn') })
    } catch (error) {
      toastFailure(t('The offer could not be withdrawn'), error)
    }
    setBusy(false)
  }
  return (
    <div class="flex flex-wrap items-center gap-3 rounded-md border border-line p-3">
      <p class="min-w-0 flex-1 basis-52 break-words text-13">
        {rich(
          'Offered to {organization} {when}. One of its owners can accept it under Plan and limits until {date}.',
          {
            organization: <code>{offer.toOrganizationId}</code>,
            when: formatRelativeTime(offer.offeredAt),
            date: new Date(offer.expiresAt).toLocaleDateString(language, { dateStyle: 'medium' }),
          },
        )}
      </p>
      <Button size="small" isBusy={isBusy} onClick={withdraw}>
        {t('Withdraw')}
      </Button>
    </div>
  )
}

const EXAMPLE_ID = 'org_…'
const FIELDS = ['organizationId'] as const

function TransferDialog({
  project,
  query,
  onClose,
}: {
  project: ProjectDetail
  query: ReturnType<typeof useQuery<ProjectTransfer>>
  onClose: () => void
}) {
  const go = useGo()
  const [organizationId, setOrganization] = useState('')
  const transfer = async () => {
    const { state } = await octavo.offerTransfer(project.id, { organizationId: organizationId.trim() })
    if (state === 'offered') {
      await queryClient.invalidateQueries({ queryKey: transferQueryKey(project.id) })
      toast({ kind: 'done', title: t('{name} is offered', { name: project.name }) })
      onClose()
      return
    }
    await queryClient.refetchQueries({ queryKey: projectsQuery().queryKey })
    toast({ kind: 'done', title: t('{name} belongs to the other organization', { name: project.name }) })
    await go('/')
  }
  return (
    <FormDialog
      title={t('Transfer {name}?', { name: project.name })}
      action={t('Transfer the project')}
      fields={FIELDS}
      isOff={organizationId.trim() === '' || (query.data?.atWork ?? 1) > 0}
      onSubmit={transfer}
      onClose={onClose}
    >
      {(faults) => (
        <>
          <TextField
            label={t('Organization')}
            autoFocus
            hint={t(
              'The organization’s id, which its members copy under Plan and limits. If you are an owner there too, the project is transferred at once.',
            )}
            error={faults.organizationId}
            maxLength={64}
            autocomplete="off"
            placeholder={EXAMPLE_ID}
            value={organizationId}
            onText={setOrganization}
          />
          <Loaded query={query} skeleton={<Skeleton class="h-40 w-full rounded-md" />}>
            {(plan) => <TransferPlan plan={plan} />}
          </Loaded>
        </>
      )}
    </FormDialog>
  )
}

/** Lists what is transferred and what is lost; shown to the sending and the receiving organization. */
export function TransferPlan({ plan }: { plan: Pick<ProjectTransfer, 'goesAlong' | 'losses' | 'atWork'> }) {
  const { goesAlong, losses, atWork } = plan
  return (
    <div class="space-y-3 text-13">
      {atWork > 0 && (
        <p role="alert" class="text-danger">
          {plural(
            atWork,
            '{count} deployment, export or agent job is at work. Wait for the end, or cancel.',
            '{count} deployments, exports or agent jobs are at work. Wait for the end, or cancel.',
          )}
        </p>
      )}
      <p>
        {t(
          'Everything in the project goes along: {entries}, {deployments}, {exports}, {jobs}, analytics and settings.',
          {
            entries: plural(goesAlong.feedback, '{count} entry of feedback', '{count} entries of feedback'),
            deployments: plural(goesAlong.deployments, '{count} deployment', '{count} deployments'),
            exports: plural(goesAlong.exports, '{count} export', '{count} exports'),
            jobs: plural(goesAlong.agentJobs, '{count} agent job', '{count} agent jobs'),
          },
        )}
      </p>
      {losses.length > 0 && (
        <>
          <p class="font-medium">{t('But:')}</p>
          <ul class="list-disc space-y-1 pl-5 text-soft">
            {losses.map(({ what, text }) => (
              <li key={what}>{text}</li>
            ))}
          </ul>
        </>
      )}
    </div>
  )
}
