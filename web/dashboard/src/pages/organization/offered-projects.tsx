/** Projects offered by other organizations, which owners can accept or decline. */

import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'preact/hooks'
import type { IncomingTransfer } from '../../../../../src/features/projects/operations/transfer.ts'
import { octavo } from '../../api/octavo.ts'
import { currentOrganizationId } from '../../api/send.ts'
import { queryClient } from '../../app/query-client.ts'
import { toast } from '../../app/toasts.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { useGo } from '../../ui/link.tsx'
import { MoreButton } from '../../ui/more-button.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import { formatRelativeTime } from '../../ui/time.tsx'
import { rich, t } from '../../words/words.ts'
import { TransferPlan } from '../settings/transfer-settings.tsx'
import { ProjectRow, ProjectRows, refreshProjects, useRowAction } from './project-list.tsx'

const OFFERS_KEY = ['listTransfers']

export function OfferedProjects() {
  const pages = useInfiniteQuery({
    queryKey: [...OFFERS_KEY, currentOrganizationId()],
    queryFn: ({ pageParam }) => octavo.listTransfers(pageParam === null ? {} : { cursor: pageParam }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  })
  return (
    <ProjectRows
      title={t('Offered projects')}
      about={t('Other organizations want to transfer these projects to this one.')}
      items={pages.data?.pages.flatMap(({ incoming }) => incoming) ?? []}
      row={(offer) => <OfferRow key={offer.transferId} offer={offer} />}
      more={<MoreButton pages={pages} label={t('Show older ones')} />}
    />
  )
}

function OfferRow({ offer }: { offer: IncomingTransfer }) {
  const { transferId, projectId, name, fromOrganization, domains, offeredAt } = offer
  const go = useGo()
  const [isAsked, setAsked] = useState(false)
  const accept = async () => {
    await octavo.acceptTransfer(transferId)
    await refreshProjects(OFFERS_KEY)
    toast({ kind: 'done', title: t('{name} belongs to this organization', { name }) })
    await go(`/p/${projectId}`)
  }
  const decline = useRowAction(t('The offer of {name} could not be declined', { name }), async () => {
    await octavo.declineTransfer(transferId)
    await queryClient.invalidateQueries({ queryKey: OFFERS_KEY })
    toast({ kind: 'done', title: t('The offer of {name} is declined', { name }) })
  })
  const about = rich('{domains}, offered by {organization} {when}', {
    domains: domains.join(', '),
    organization: <PlainText text={fromOrganization} />,
    when: formatRelativeTime(offeredAt),
  })
  return (
    <ProjectRow name={name} about={about}>
      <Button
        size="small"
        isBusy={decline.isBusy}
        aria-label={t('Decline {name}', { name })}
        onClick={decline.run}
      >
        {t('Decline')}
      </Button>
      <Button
        size="small"
        look="primary"
        aria-label={t('Accept {name}', { name })}
        onClick={() => setAsked(true)}
      >
        {t('Accept')}
      </Button>
      {isAsked && (
        <ConfirmDialog
          title={t('Accept {name}?', { name })}
          action={t('Accept the project')}
          look="primary"
          onConfirm={accept}
          onClose={() => setAsked(false)}
        >
          <TransferPlan plan={offer} />
        </ConfirmDialog>
      )}
    </ProjectRow>
  )
}
