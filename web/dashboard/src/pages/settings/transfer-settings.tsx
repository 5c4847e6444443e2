/** Transfers the project to another organization, after listing what would be lost. Only visible to owners. */

import { useQuery } from '@tanstack/react-query'
import type { ProjectDetail } from '../../../../../src/features/projects/operations/projects.ts'
import type {
  ProjectTransfer,
  TransferOffer,
} from '../../../../../src/features/projects/operations/transfer.ts'
import { octavo } from '../../api/octavo.ts'
import { useAction } from '../../app/action.tsx'
import { projectsQuery } from '../../app/current-project.ts'
import { openDialog } from '../../app/dialogs.tsx'
import { queryClient } from '../../app/query-client.ts'
import { toast } from '../../app/toasts.ts'
import { FieldsDialog } from '../../forms/fields-form.tsx'
import { Button } from '../../ui/button.tsx'
import { useGo } from '../../ui/link.tsx'
import { Section } from '../../ui/page.tsx'
import { Loaded, Skeleton } from '../../ui/states.tsx'
import { formatRelativeTime } from '../../ui/time.tsx'
import { language, plural, rich, t } from '../../words/words.ts'

const transferKey = (projectId: string) => ['getProjectTransfer', projectId]

const useTransfer = (projectId: string) =>
  useQuery({ queryKey: transferKey(projectId), queryFn: () => octavo.getProjectTransfer(projectId) })

export function TransferSection({ project }: { project: ProjectDetail }) {
  const offer = useTransfer(project.id).data?.offer ?? null
  return (
    <Section
      title={t('Transfer the project')}
      about={t(
        'To another organization on this server. An owner of that organization accepts it; the site stays online at its domains.',
      )}
    >
      {offer === null ? (
        <Button
          icon="arrow-right"
          onClick={() => openDialog((close) => <TransferDialog project={project} onClose={close} />)}
        >
          {t('Transfer the project')}
        </Button>
      ) : (
        <Offered projectId={project.id} offer={offer} />
      )}
    </Section>
  )
}

function Offered({ projectId, offer }: { projectId: string; offer: TransferOffer }) {
  const withdraw = useAction({
    failed: t('The transfer request could not be withdrawn'),
    run: async () => {
      await octavo.withdrawTransfer(projectId)
      await queryClient.invalidateQueries({ queryKey: transferKey(projectId) })
      toast({ kind: 'done', title: t('The transfer request is withdrawn') })
    },
  })
  return (
    <div class="flex flex-wrap items-center gap-3 rounded-md border border-line p-3">
      <p class="min-w-0 flex-1 basis-52 break-words text-13">
        {rich(
          'Transfer to {organization} requested {when}. One of its owners can accept it under Plan and limits until {date}.',
          {
            organization: <code>{offer.toOrganizationId}</code>,
            when: formatRelativeTime(offer.offeredAt),
            date: new Date(offer.expiresAt).toLocaleDateString(language, { dateStyle: 'medium' }),
          },
        )}
      </p>
      <Button size="small" isBusy={withdraw.isPending} onClick={() => withdraw.mutate()}>
        {t('Withdraw')}
      </Button>
    </div>
  )
}

function TransferDialog({ project: { id, name }, onClose }: { project: ProjectDetail; onClose: () => void }) {
  const go = useGo()
  const query = useTransfer(id)
  const transfer = async (body: { organizationId: string }) => {
    const { state } = await octavo.offerTransfer(id, body)
    onClose()
    if (state === 'offered') {
      await queryClient.invalidateQueries({ queryKey: transferKey(id) })
      toast({ kind: 'done', title: t('Transfer of {name} requested', { name }) })
      return
    }
    await queryClient.refetchQueries({ queryKey: projectsQuery().queryKey })
    toast({ kind: 'done', title: t('{name} now belongs to the other organization', { name }) })
    await go('/')
  }
  return (
    <FieldsDialog
      operation="offerTransfer"
      title={t('Transfer {name}?', { name })}
      action={t('Transfer the project')}
      fields={() => [
        {
          name: 'organizationId',
          label: t('Organization'),
          example: 'org_…',
          help: t(
            'The organization’s ID, which its members can copy under Plan and limits. If you are an owner there too, the project is transferred immediately.',
          ),
          input: { autoFocus: true, autocomplete: 'off' },
        },
        <Loaded key="plan" query={query} skeleton={<Skeleton class="h-40 w-full rounded-md" />}>
          {(plan) => <TransferPlan plan={plan} />}
        </Loaded>,
      ]}
      isOff={({ organizationId }) => !organizationId || (query.data?.atWork ?? 1) > 0}
      onSubmit={transfer as (body: Record<string, unknown>) => Promise<void>}
      onClose={onClose}
    />
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
            '{count} deployment, export or agent job is running. Wait until it finishes, or cancel it.',
            '{count} deployments, exports or agent jobs are running. Wait until they finish, or cancel them.',
          )}
        </p>
      )}
      <p>
        {t(
          'Everything in the project moves with it: {entries}, {deployments}, {exports}, {jobs}, analytics and settings.',
          {
            entries: plural(goesAlong.feedback, '{count} feedback entry', '{count} feedback entries'),
            deployments: plural(goesAlong.deployments, '{count} deployment', '{count} deployments'),
            exports: plural(goesAlong.exports, '{count} export', '{count} exports'),
            jobs: plural(goesAlong.agentJobs, '{count} agent job', '{count} agent jobs'),
          },
        )}
      </p>
      {losses.length > 0 && (
        <>
          <p class="font-medium">{t('Not transferred:')}</p>
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
