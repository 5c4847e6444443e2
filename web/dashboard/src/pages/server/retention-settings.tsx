import type { InstanceRetention } from '../../../../../src/features/storage/operations/retention-settings.ts'
import { internal, internalKey } from '../../api/internal.ts'
import { queryClient } from '../../app/query-client.ts'
import { plural } from '../../words/words.ts'
import { RetentionForm } from '../retention-form.tsx'
import { EnvironmentSettings, LastChange } from './server-settings.tsx'

export function RetentionSettings({ stored: retention }: { stored: InstanceRetention }) {
  const isGiven = retention.source === 'environment'
  return (
    <>
      {isGiven && <EnvironmentSettings variables={retention.variables} />}
      <RetentionForm
        operation="updateInstanceRetention"
        stored={retention}
        isOff={isGiven}
        isOfServer
        kindsOf={({ kinds }) =>
          kinds.map(({ days, chosen, ...kind }) => ({
            ...kind,
            days: chosen ? days : null,
            note: describeOwnRetention(kind.organizations),
          }))
        }
        save={async (body) => {
          const saved = await internal('updateInstanceRetention', { body })
          queryClient.setQueryData(internalKey('getInstanceRetention'), saved)
          void queryClient.invalidateQueries({ queryKey: internalKey('getOrganization') })
          return saved
        }}
      />
      <LastChange of={retention} />
    </>
  )
}

function describeOwnRetention(organizations: number): string | null {
  if (organizations === 0) return null
  return plural(
    organizations,
    'One organization has its own settings, which do not change.',
    '{count} organizations have their own settings, which do not change.',
  )
}
