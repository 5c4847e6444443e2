/**
 * Projects outside the main list: incoming transfers, archived projects, and deleted ones that can still be restored.
 */

import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import type { ComponentChildren } from 'preact'
import type { ArchivedProject } from '../../../../../src/features/projects/operations/archive.ts'
import type { DeletedProject } from '../../../../../src/features/projects/operations/deletion.ts'
import type { IncomingTransfer } from '../../../../../src/features/projects/operations/transfer.ts'
import { octavo } from '../../api/octavo.ts'
import { currentOrganizationId } from '../../api/send.ts'
import { ActionButton } from '../../app/action.tsx'
import { projectsQuery } from '../../app/current-project.ts'
import { confirmFirst } from '../../app/dialogs.tsx'
import { ARCHIVED_KEY, DELETED_KEY, OFFERS_KEY, refreshProjects } from '../../app/project-lists.ts'
import { queryClient } from '../../app/query-client.ts'
import { useHasPermission } from '../../app/session.ts'
import { toast } from '../../app/toasts.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { ItemRow, ItemRows } from '../../ui/item-rows.tsx'
import { useGo } from '../../ui/link.tsx'
import { MoreButton } from '../../ui/more-button.tsx'
import { Section } from '../../ui/page.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import { formatDurationUntil, formatRelativeTime } from '../../ui/time.tsx'
import { rich, t } from '../../words/words.ts'
import { TransferPlan } from '../settings/transfer-settings.tsx'

function List({
  title,
  about,
  items,
  more,
}: {
  title: string
  about: string
  items: readonly ComponentChildren[]
  more?: ComponentChildren
}) {
  if (items.length === 0) return null
  return (
    <Section title={title} about={about}>
      <ItemRows label={title}>{items}</ItemRows>
      {more}
    </Section>
  )
}

export function ArchivedProjects() {
  const { data } = useQuery({
    queryKey: [...ARCHIVED_KEY, currentOrganizationId()],
    queryFn: () => octavo.listArchivedProjects(),
  })
  return (
    <List
      title={t('Archived projects')}
      about={t('They are read-only and keep all data. Nothing is published or started in them.')}
      items={(data?.projects ?? []).map((project) => (
        <ArchivedRow key={project.projectId} project={project} />
      ))}
    />
  )
}

function ArchivedRow({ project }: { project: ArchivedProject }) {
  const { projectId, name } = project
  const mayUnarchive = useHasPermission('deletion')
  const go = useGo()
  const unarchive = async () => {
    await octavo.unarchiveProject(projectId)
    await refreshProjects(ARCHIVED_KEY)
    toast({ kind: 'done', title: t('{name} is no longer archived', { name }) })
    await go(`/p/${projectId}`)
  }
  return (
    <ItemRow title={name} about={describeArchivedState(project)}>
      <ButtonLink size="small" href={`/p/${projectId}`} aria-label={t('Open {name}', { name })}>
        {t('Open')}
      </ButtonLink>
      {mayUnarchive && (
        <ActionButton
          icon="undo-2"
          aria-label={t('Unarchive {name}', { name })}
          failed={t('{name} could not be unarchived', { name })}
          run={unarchive}
        >
          {t('Unarchive')}
        </ActionButton>
      )}
    </ItemRow>
  )
}

function describeArchivedState({ domains, archivedAt, serves, takesFeedback }: ArchivedProject): string {
  const values = { domains: domains.join(', '), when: formatRelativeTime(archivedAt) }
  if (!serves) return t('{domains}, offline, archived {when}', values)
  return takesFeedback
    ? t('{domains}, online, with feedback, archived {when}', values)
    : t('{domains}, online, archived {when}', values)
}

export function DeletedProjects() {
  const { data } = useQuery({
    queryKey: [...DELETED_KEY, currentOrganizationId()],
    queryFn: () => octavo.listDeletedProjects(),
  })
  return (
    <List
      title={t('Deleted projects')}
      about={t('Their sites are offline, and their domains stay reserved. Owners can restore them.')}
      items={(data?.projects ?? []).map((project) => (
        <DeletedRow key={project.projectId} project={project} />
      ))}
    />
  )
}

function DeletedRow({ project }: { project: DeletedProject }) {
  const { projectId, name } = project
  const mayRestore = useHasPermission('deletion')
  const go = useGo()
  const restore = async () => {
    await octavo.restoreProject(projectId)
    await refreshProjects(DELETED_KEY, ARCHIVED_KEY)
    const title = t('{name} is restored', { name })
    const active = queryClient.getQueryData(projectsQuery().queryKey)?.projects ?? []
    if (!active.some(({ id }) => id === projectId))
      return toast({ kind: 'done', title, detail: t('It is archived, as before.') })
    toast({ kind: 'done', title, detail: t('Its site is online again.') })
    await go(`/p/${projectId}`)
  }
  return (
    <ItemRow title={name} about={describeDeletedState(project)}>
      {mayRestore && (
        <ActionButton
          icon="undo-2"
          aria-label={t('Restore {name}', { name })}
          failed={t('{name} could not be restored', { name })}
          run={restore}
        >
          {t('Restore')}
        </ActionButton>
      )}
    </ItemRow>
  )
}

function describeDeletedState({ domains, deletedAt, removedFrom }: DeletedProject): string {
  const values = { domains: domains.join(', '), when: formatRelativeTime(deletedAt) }
  if (removedFrom === null) return t('{domains}, deleted {when}, not removed automatically', values)
  return Date.parse(removedFrom) > Date.now()
    ? t('{domains}, deleted {when}, removed in {duration}', {
        ...values,
        duration: formatDurationUntil(removedFrom),
      })
    : t('{domains}, deleted {when}, about to be removed', values)
}

export function OfferedProjects() {
  const pages = useInfiniteQuery({
    queryKey: [...OFFERS_KEY, currentOrganizationId()],
    queryFn: ({ pageParam }) => octavo.listTransfers(pageParam === null ? {} : { cursor: pageParam }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  })
  return (
    <List
      title={t('Incoming transfers')}
      about={t('Other organizations want to transfer these projects to this one.')}
      items={(pages.data?.pages.flatMap(({ incoming }) => incoming) ?? []).map((offer) => (
        <OfferRow key={offer.transferId} offer={offer} />
      ))}
      more={<MoreButton pages={pages} label={t('Show older ones')} />}
    />
  )
}

function OfferRow({ offer }: { offer: IncomingTransfer }) {
  const { transferId, projectId, name, fromOrganization, domains, offeredAt } = offer
  const go = useGo()
  const accept = () =>
    confirmFirst({
      title: t('Accept {name}?', { name }),
      action: t('Accept the project'),
      look: 'primary',
      text: <TransferPlan plan={offer} />,
      run: async () => {
        await octavo.acceptTransfer(transferId)
        await refreshProjects(OFFERS_KEY)
        toast({ kind: 'done', title: t('{name} belongs to this organization', { name }) })
        await go(`/p/${projectId}`)
      },
    })
  const decline = async () => {
    await octavo.declineTransfer(transferId)
    await queryClient.invalidateQueries({ queryKey: OFFERS_KEY })
    toast({ kind: 'done', title: t('The transfer of {name} is declined', { name }) })
  }
  const about = rich('{domains}, requested by {organization} {when}', {
    domains: domains.join(', '),
    organization: <PlainText text={fromOrganization} />,
    when: formatRelativeTime(offeredAt),
  })
  return (
    <ItemRow title={name} about={about}>
      <ActionButton
        aria-label={t('Decline {name}', { name })}
        failed={t('The transfer of {name} could not be declined', { name })}
        run={decline}
      >
        {t('Decline')}
      </ActionButton>
      <Button size="small" look="primary" aria-label={t('Accept {name}', { name })} onClick={accept}>
        {t('Accept')}
      </Button>
    </ItemRow>
  )
}
