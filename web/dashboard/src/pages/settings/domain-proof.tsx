import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { PROOF_GRACE_DAYS } from '../../../../../src/features/projects/operations/domain-proofs.ts'
import type { ProjectDomain } from '../../../../../src/features/projects/operations/domains.ts'
import { internal } from '../../api/internal.ts'
import { ActionButton } from '../../app/action.tsx'
import { Badge } from '../../ui/badge.tsx'
import { SegmentedControl } from '../../ui/choice.tsx'
import { CopyField } from '../../ui/copy.tsx'
import { formatExactTime, RelativeTime } from '../../ui/time.tsx'
import { rich, t } from '../../words/words.ts'

const CHECK_TIMEOUT_MS = 60_000
const GRACE_MS = PROOF_GRACE_DAYS * 86_400_000

/** Returns whether the domain or its readers depend on a verification of ownership that is missing. */
export function isUnproved({ state, proof, unprovedSince }: ProjectDomain): boolean {
  return state === 'pending' || (proof !== 'operator' && (proof === null || unprovedSince !== null))
}

export function DomainBadge({ one }: { one: ProjectDomain }) {
  if (one.state === 'pending') return <Badge tone="warning">{t('not active')}</Badge>
  return isUnproved(one) ? <Badge tone="warning">{t('not verified')}</Badge> : null
}

export function DomainProof({ projectId, one }: { projectId: string; one: ProjectDomain }) {
  if (!isUnproved(one)) return <OwnershipProof one={one} />
  return (
    <div class="mt-2 mb-1 space-y-3 text-13">
      <p class="text-pretty text-soft">
        <UnverifiedDomainNotice one={one} />
      </p>
      <Challenge one={one} />
      <LastCheck projectId={projectId} one={one} />
    </div>
  )
}

function OwnershipProof({ one: { proof, checkedAt } }: { one: ProjectDomain }) {
  if (proof === 'operator')
    return <p class="mt-0.5 text-12 text-faint">{t('Confirmed by the operator of this server.')}</p>
  const when = checkedAt === null ? null : <RelativeTime at={checkedAt} />
  return (
    <p class="mt-0.5 text-12 text-faint">{proof === 'dns' ? describeRecord(when) : describeFile(when)}</p>
  )
}

function describeRecord(when: ComponentChildren): ComponentChildren {
  return when === null
    ? t('Verified by its TXT record. Leave it in place.')
    : rich('Verified by its TXT record, last checked {when}. Leave it in place.', { when })
}

function describeFile(when: ComponentChildren): ComponentChildren {
  return when === null
    ? t('Verified by its file. Leave it in place.')
    : rich('Verified by its file, last checked {when}. Leave it in place.', { when })
}

function UnverifiedDomainNotice({ one: { state, unprovedSince } }: { one: ProjectDomain }) {
  if (state === 'pending')
    return t('Readers cannot open the site at this domain until it is verified. Create one of these:')
  if (unprovedSince === null)
    return t(
      'Readers can open the site. This server requires proof that the domain is yours. Create one of these:',
    )
  const end = new Date(Date.parse(unprovedSince) + GRACE_MS).toISOString()
  return rich(
    'Readers can still open the site, but the domain has not been verified since {start}. From {end}, an organization that verifies it can take it over. Create one of these:',
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
        label={t('Verification of {domain}', { domain })}
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
              <CopyField label={t('URL of the file for {domain}', { domain })} text={file.url} />
            </Part>
            <Part label={t('Content')}>
              <CopyField label={t('Content of the file for {domain}', { domain })} text={file.content} />
            </Part>
            <p class="text-12 text-pretty text-faint">
              {t(
                'Use a file for a domain that still points to another server; http works too. Once the domain points here, only the record can be checked.',
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
  /** Time of the last check before the user requested a new one; undefined if the user requested none. */
  const [asked, setAsked] = useState<string | null | undefined>(undefined)
  const isLooking = asked !== undefined && asked === checkedAt
  useEffect(() => {
    if (!isLooking) return
    const timer = setTimeout(() => setAsked(undefined), CHECK_TIMEOUT_MS)
    return () => clearTimeout(timer)
  }, [isLooking])
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
              ? rich('Checked {when}.', { when: <RelativeTime at={checkedAt} /> })
              : rich('Checked {when}: {reason}', { when: <RelativeTime at={checkedAt} />, reason })}
            {nextCheckAt === null && ` ${t('It is no longer checked automatically.')}`}
          </>
        )}
      </p>
      <ActionButton
        icon="refresh-cw"
        isBusy={isLooking}
        run={() => internal('checkDomain', { params: { projectId, domain } })}
        done={() => setAsked(checkedAt)}
        failed={t('The check was not started')}
        refreshes={['getProject']}
      >
        {t('Check now')}
      </ActionButton>
    </div>
  )
}
