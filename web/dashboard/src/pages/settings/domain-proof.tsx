import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { PROOF_GRACE_DAYS } from '../../../../../src/features/projects/operations/domain-proofs.ts'
import type { ProjectDomain } from '../../../../../src/features/projects/operations/domains.ts'
import { internal, internalKey } from '../../api/internal.ts'
import { toastFailure } from '../../app/toasts.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { SegmentedControl } from '../../ui/choice.tsx'
import { CopyField } from '../../ui/copy.tsx'
import { formatExactTime, RelativeTime } from '../../ui/time.tsx'
import { rich, t } from '../../words/words.ts'

/** Maximum wait for the result of a requested check. */
const CHECK_TIMEOUT_MS = 60_000
const GRACE_MS = PROOF_GRACE_DAYS * 86_400_000

/** Whether a proof of ownership is missing that readers or the domain depend on. */
export function isUnproved({ state, proof, unprovedSince }: ProjectDomain): boolean {
  return state === 'pending' || (proof !== 'operator' && (proof === null || unprovedSince !== null))
}

export function DomainBadge({ one }: { one: ProjectDomain }) {
  if (one.state === 'pending') return <Badge tone="warning">{t('not served')}</Badge>
  return isUnproved(one) ? <Badge tone="warning">{t('no proof')}</Badge> : null
}

/** Verification state of a domain, and how to complete it. */
export function DomainProof({ projectId, one }: { projectId: string; one: ProjectDomain }) {
  if (!isUnproved(one)) return <Proved one={one} />
  return (
    <div class="mt-2 mb-1 space-y-3 text-13">
      <p class="text-pretty text-soft">
        <Consequence one={one} />
      </p>
      <Challenge one={one} />
      <LastCheck projectId={projectId} one={one} />
    </div>
  )
}

function Proved({ one: { proof, checkedAt } }: { one: ProjectDomain }) {
  if (proof === 'operator')
    return <p class="mt-0.5 text-12 text-faint">{t('The operator of this server vouches for it.')}</p>
  const when = checkedAt === null ? null : <RelativeTime at={checkedAt} />
  return (
    <p class="mt-0.5 text-12 text-faint">{proof === 'dns' ? provedByRecord(when) : provedByFile(when)}</p>
  )
}

function provedByRecord(when: ComponentChildren): ComponentChildren {
  return when === null
    ? t('Proved by its TXT record. Leave it in place.')
    : rich('Proved by its TXT record, last checked {when}. Leave it in place.', { when })
}

function provedByFile(when: ComponentChildren): ComponentChildren {
  return when === null
    ? t('Proved by its file. Leave it in place.')
    : rich('Proved by its file, last checked {when}. Leave it in place.', { when })
}

function Consequence({ one: { state, unprovedSince } }: { one: ProjectDomain }) {
  if (state === 'pending')
    return t(
      'Readers find nothing here until this server sees that the domain is yours. Create one of the two:',
    )
  if (unprovedSince === null)
    return t(
      'Readers find the site. This server asks for a proof that the domain is yours; create one of the two:',
    )
  const end = new Date(Date.parse(unprovedSince) + GRACE_MS).toISOString()
  return rich(
    'Readers still find the site, but no proof has been seen since {start}. From {end} on, an organization that proves the domain may take it. Create one of the two:',
    {
      start: <RelativeTime at={unprovedSince} class="text-text" />,
      end: <span class="text-text">{formatExactTime(end)}</span>,
    },
  )
}

function Challenge({ one: { domain, record, file } }: { one: ProjectDomain }) {
  const [way, setWay] = useState<'record' | 'file'>('record')
  return (
    <div>
      <SegmentedControl
        label={t('Proof of {domain}', { domain })}
        value={way}
        onChange={setWay}
        choices={[
          { value: 'record', label: t('TXT record') },
          { value: 'file', label: t('File') },
        ]}
      />
      <div class="mt-3 space-y-2">
        {way === 'record' ? (
          <>
            <Part label={t('Name')}>
              <CopyField label={t('Name of the record for {domain}', { domain })} text={record.name} />
            </Part>
            <Part label={t('Value')}>
              <CopyField label={t('Value of the record for {domain}', { domain })} text={record.value} />
            </Part>
          </>
        ) : (
          <>
            <Part label={t('Address')}>
              <CopyField label={t('Address of the file for {domain}', { domain })} text={file.url} />
            </Part>
            <Part label={t('Content')}>
              <CopyField label={t('Content of the file for {domain}', { domain })} text={file.content} />
            </Part>
            <p class="text-12 text-pretty text-faint">
              {t(
                'For a domain that still leads to another server; http does too. Once it leads here, only the record can be seen.',
              )}
            </p>
          </>
        )}
      </div>
    </div>
  )
}

function Part({ label, children }: { label: string; children: ComponentChildren }) {
  return (
    <div class="sm:flex sm:items-center sm:gap-3">
      <p class="mb-1 w-16 shrink-0 text-12 text-soft sm:mb-0" aria-hidden="true">
        {label}
      </p>
      <div class="min-w-0 flex-1">{children}</div>
    </div>
  )
}

function LastCheck({ projectId, one }: { projectId: string; one: ProjectDomain }) {
  const { domain, checkedAt, reason, nextCheckAt } = one
  const queries = useQueryClient()
  /** Time of the last check when a new one was requested; undefined if none was requested. */
  const [asked, setAsked] = useState<string | null | undefined>(undefined)
  const isLooking = asked !== undefined && asked === checkedAt
  useEffect(() => {
    if (!isLooking) return
    const timer = setTimeout(() => setAsked(undefined), CHECK_TIMEOUT_MS)
    return () => clearTimeout(timer)
  }, [isLooking])
  const check = useMutation({
    mutationFn: () => internal('checkDomain', { params: { projectId, domain } }),
    onSuccess: () => {
      setAsked(checkedAt)
      void queries.invalidateQueries({ queryKey: internalKey('getProject', { params: { projectId } }) })
    },
    onError: (error) => toastFailure(t('No check was asked for'), error),
  })
  return (
    <div class="flex flex-wrap items-start gap-x-3 gap-y-2">
      <p
        class="min-w-52 flex-1 basis-full text-12 text-pretty break-words text-soft sm:basis-0"
        role="status"
      >
        {checkedAt === null ? (
          t('Not checked yet.')
        ) : (
          <>
            {reason === null
              ? rich('Looked at {when}.', { when: <RelativeTime at={checkedAt} /> })
              : rich('Looked at {when}: {reason}', { when: <RelativeTime at={checkedAt} />, reason })}
            {nextCheckAt === null && ` ${t('It is no longer checked automatically.')}`}
          </>
        )}
      </p>
      <Button
        size="small"
        icon="refresh-cw"
        isBusy={isLooking || check.isPending}
        onClick={() => check.mutate()}
      >
        {t('Check now')}
      </Button>
    </div>
  )
}
