import { useQuery } from '@tanstack/react-query'
import { useState } from 'preact/hooks'
import { KEY_PREFIXES } from '../../../../../src/base/api/operation.ts'
import type {
  ApiKey,
  OrganizationDetail,
} from '../../../../../src/features/accounts/operations/organization.ts'
import { internal, internalKey, internalQuery } from '../../api/internal.ts'
import { queryClient } from '../../app/query-client.ts'
import { useHasPermission } from '../../app/session.ts'
import { toast } from '../../app/toasts.ts'
import { Card } from '../../ui/card.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { Select } from '../../ui/input.tsx'
import { Section } from '../../ui/page.tsx'
import { formatTimeUntil } from '../../ui/time.tsx'
import { plural, t } from '../../words/words.ts'

type Bound = OrganizationDetail['maxKeyDays']

const CHOICES = [
  ...[7, 30, 60, 90].map((days) => ({
    value: String(days),
    label: plural(days, '{count} day', '{count} days'),
  })),
  { value: 'none', label: t('No limit') },
]
const DAY_MS = 86_400_000

/** Maximum lifetime of keys. Owners set it after a preview of the keys that would expire earlier. */
export function KeyLifetimes({ keys }: { keys: readonly ApiKey[] }) {
  const { data } = useQuery(internalQuery('getOrganization'))
  const maySet = useHasPermission('organization')
  const [wanted, setWanted] = useState<{ days: Bound } | null>(null)
  if (data === undefined) return null
  return (
    <Section title={t('Lifetime')} about={t('Applies to every key of the organization, whoever makes it.')}>
      <Card class="flex flex-wrap items-center gap-4 p-4 text-13">
        <span class="min-w-0 flex-1">
          {data.maxKeyDays === null
            ? t('Keys live as long as whoever creates them chooses.')
            : plural(data.maxKeyDays, 'Keys live at most {count} day.', 'Keys live at most {count} days.')}
        </span>
        {maySet && (
          <Select
            size="small"
            aria-label={t('Maximum lifetime of a key')}
            value={String(data.maxKeyDays ?? 'none')}
            options={CHOICES}
            onChange={(value) => setWanted({ days: value === 'none' ? null : (Number(value) as Bound) })}
          />
        )}
      </Card>
      {wanted !== null && (
        <ConfirmDialog
          title={
            wanted.days === null
              ? t('Let keys live forever?')
              : plural(wanted.days, 'Limit keys to {count} day?', 'Limit keys to {count} days?')
          }
          action={t('Set the limit')}
          onClose={() => setWanted(null)}
          onConfirm={async () => {
            const changed = await internal('updateOrganization', { body: { maxKeyDays: wanted.days } })
            queryClient.setQueryData(internalKey('getOrganization'), changed)
            await queryClient.invalidateQueries({ queryKey: internalKey('listApiKeys') })
            toast({ kind: 'done', title: t('Limit set') })
          }}
        >
          <Effect days={wanted.days} keys={keys} />
        </ConfirmDialog>
      )}
    </Section>
  )
}

function Effect({ days, keys }: { days: Bound; keys: readonly ApiKey[] }) {
  if (days === null) return <p>{t('Keys that a limit has shortened stay that way.')}</p>
  const bound = Date.now() + days * DAY_MS
  const shortenedKeys = keys.filter(
    ({ state, expiresAt }) => state === 'valid' && (expiresAt === null || Date.parse(expiresAt) > bound),
  )
  if (shortenedKeys.length === 0) return <p>{t('No existing key ends earlier because of it.')}</p>
  return (
    <>
      <p>
        {plural(
          shortenedKeys.length,
          '{count} key would live longer, and ends {when} instead:',
          '{count} keys would live longer, and end {when} instead:',
          { when: formatTimeUntil(new Date(bound).toISOString()) },
        )}
      </p>
      <ul class="list-disc pl-5">
        {shortenedKeys.slice(0, 10).map(({ id, kind, name, lastFour }) => (
          <li key={id} class="break-words">
            {name}{' '}
            <code class="font-mono text-12">
              {KEY_PREFIXES[kind]}…{lastFour}
            </code>
          </li>
        ))}
        {shortenedKeys.length > 10 && (
          <li>{plural(shortenedKeys.length - 10, 'and {count} more', 'and {count} more')}</li>
        )}
      </ul>
    </>
  )
}
