/** Projects that other organizations offer: looked at, accepted or declined by owners. Nothing stands there when there is none. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'preact/hooks'
import type { IncomingTransfer } from '../../../../../src/contract/transfer.ts'
import { currentOrganization, octavo } from '../../api/send.ts'
import { projectsQuery } from '../../app/places.ts'
import { queryClient } from '../../app/query-client.ts'
import { toast, toastFailure } from '../../app/toasts.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { useGo } from '../../ui/link.tsx'
import { Section } from '../../ui/page.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import { relativeTime } from '../../ui/time.tsx'
import { TransferPlan } from '../settings/transfer-settings.tsx'

const OFFERS_KEY = ['listTransfers']

export function OfferedProjects() {
  const { data } = useQuery({
    queryKey: [...OFFERS_KEY, currentOrganization()],
    queryFn: () => octavo.listTransfers(),
  })
  if (data === undefined || data.incoming.length === 0) return null
  return (
    <Section
      title="Offered projects"
      about="Other organizations want to transfer these projects to this one."
    >
      <ul class="divide-y divide-line rounded-md border border-line" aria-label="Offered projects">
        {data.incoming.map((offer) => (
          <OfferRow key={offer.transferId} offer={offer} />
        ))}
      </ul>
    </Section>
  )
}

function OfferRow({ offer }: { offer: IncomingTransfer }) {
  const { transferId, projectId, name, fromOrganization, domains, offeredAt } = offer
  const go = useGo()
  const [isAsked, setAsked] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const accept = async () => {
    await octavo.acceptTransfer(transferId)
    await queryClient.invalidateQueries({ queryKey: OFFERS_KEY })
    await queryClient.refetchQueries({ queryKey: projectsQuery().queryKey })
    toast({ kind: 'done', title: `${name} belongs to this organization` })
    await go(`/p/${projectId}`)
  }
  const decline = async () => {
    setBusy(true)
    try {
      await octavo.declineTransfer(transferId)
      await queryClient.invalidateQueries({ queryKey: OFFERS_KEY })
      toast({ kind: 'done', title: `The offer of ${name} is declined` })
    } catch (error) {
      toastFailure(`The offer of ${name} could not be declined`, error)
      setBusy(false)
    }
  }
  return (
    <li class="flex flex-wrap items-center gap-x-3 gap-y-1 px-3 py-2">
      <div class="min-w-0 flex-1 basis-52">
        <p class="break-words">
          <PlainText text={name} />
        </p>
        <p class="break-words text-13 text-soft">
          {domains.join(', ')}, offered by <PlainText text={fromOrganization} /> {relativeTime(offeredAt)}
        </p>
      </div>
      <Button size="small" isBusy={isBusy} aria-label={`Decline ${name}`} onClick={decline}>
        Decline
      </Button>
      <Button size="small" look="primary" aria-label={`Accept ${name}`} onClick={() => setAsked(true)}>
        Accept
      </Button>
      {isAsked && (
        <ConfirmDialog
          title={`Accept ${name}?`}
          action="Accept the project"
          look="primary"
          onConfirm={accept}
          onClose={() => setAsked(false)}
        >
          <TransferPlan plan={offer} />
        </ConfirmDialog>
      )}
    </li>
  )
}
