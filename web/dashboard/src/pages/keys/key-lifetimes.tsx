import { useQuery } from '@tanstack/react-query'
import { KEY_PREFIXES } from '../../../../../src/base/api/operation.ts'
import type {
  ApiKey,
  OrganizationDetail,
  UpdateOrganizationBody,
} from '../../../../../src/features/accounts/operations/organization.ts'
import { internal, internalKey, internalQuery } from '../../api/internal.ts'
import { queryClient } from '../../app/query-client.ts'
import { useHasPermission } from '../../app/session.ts'
import { SettingsForm } from '../../forms/settings-form.tsx'
import { Section } from '../../ui/page.tsx'
import { formatTimeUntil } from '../../ui/time.tsx'
import { plural, t } from '../../words/words.ts'

const DAY_MS = 86_400_000
const MAX_NAMED = 10

/** Maximum lifetime of keys. Owners set it after a preview of the keys that would expire earlier. */
export function KeyLifetimes({ keys }: { keys: readonly ApiKey[] }) {
  const { data } = useQuery(internalQuery('getOrganization'))
  const maySet = useHasPermission('organization')
  if (data === undefined) return null
  return (
    <Section title={t('Lifetime')} about={t('Applies to every key of the organization, whoever creates it.')}>
      <SettingsForm<OrganizationDetail, UpdateOrganizationBody>
        operation="updateOrganization"
        stored={data}
        isOff={!maySet}
        fields={() => [
          {
            name: 'maxKeyDays',
            kind: 'select',
            label: t('Maximum lifetime of a key'),
            choices: [
              ...[7, 30, 60, 90].map((days) => ({
                value: String(days),
                label: plural(days, '{count} day', '{count} days'),
              })),
              { value: '', label: t('No maximum lifetime') },
            ],
          },
        ]}
        question={({ maxKeyDays: days }) => shorteningQuestion(Number(days), keys)}
        save={async (body) => {
          const changed = await internal('updateOrganization', { body })
          queryClient.setQueryData(internalKey('getOrganization'), changed)
          await queryClient.invalidateQueries({ queryKey: internalKey('listApiKeys') })
          return changed
        }}
      />
    </Section>
  )
}

/** Lists the keys that will expire earlier; 0 days means no maximum. */
function shorteningQuestion(days: number, keys: readonly ApiKey[]) {
  if (days === 0) return null
  const end = Date.now() + days * DAY_MS
  const shortened = keys.filter(
    ({ state, expiresAt }) => state === 'valid' && (expiresAt === null || Date.parse(expiresAt) > end),
  )
  if (shortened.length === 0) return null
  return {
    title: plural(days, 'Limit keys to {count} day?', 'Limit keys to {count} days?'),
    action: t('Set the limit'),
    text: (
      <>
        <p>
          {plural(
            shortened.length,
            '{count} key will expire earlier, {when}. Raising the limit later does not change that.',
            '{count} keys will expire earlier, {when}. Raising the limit later does not change that.',
            { when: formatTimeUntil(new Date(end).toISOString()) },
          )}
        </p>
        <ul class="list-disc pl-5">
          {shortened.slice(0, MAX_NAMED).map(({ id, kind, name, lastFour }) => (
            <li key={id} class="break-words">
              {name}{' '}
              <code class="font-mono text-12">
                {KEY_PREFIXES[kind]}…{lastFour}
              </code>
            </li>
          ))}
          {shortened.length > MAX_NAMED && (
            <li>{plural(shortened.length - MAX_NAMED, 'and {count} more', 'and {count} more')}</li>
          )}
        </ul>
      </>
    ),
  }
}
