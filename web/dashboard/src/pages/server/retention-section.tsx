import { useState } from 'preact/hooks'
import type { InstanceRetention } from '../../../../../src/features/storage/operations/retention-settings.ts'
import { internal, internalKey } from '../../api/internal.ts'
import { queryClient } from '../../app/query-client.ts'
import { toast } from '../../app/toasts.ts'
import { Card, Notice } from '../../ui/card.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { plural, t } from '../../words/words.ts'
import { RetentionRow, type RetentionSetting, retentionConfirmTitle } from '../retention-rows.tsx'
import { LastChange } from './environment-settings.tsx'

type ServerRetentionKind = InstanceRetention['kinds'][number]

export function RetentionSection({ retention }: { retention: InstanceRetention }) {
  const [wanted, setWanted] = useState<{ of: ServerRetentionKind; days: number | null } | null>(null)
  const isGiven = retention.source === 'environment'
  return (
    <>
      {isGiven && (
        <Notice title={t('Set by the environment')}>
          {t(
            'To set these days here, remove {variables} from the environment of the server and restart it.',
            {
              variables: retention.variables.join(', '),
            },
          )}
        </Notice>
      )}
      <Card>
        {retention.kinds.map((of) => (
          <RetentionRow
            key={of.kind}
            setting={toRetentionSetting(of)}
            isOfServer
            note={describeOwnDays(of)}
            onChoose={isGiven ? undefined : (days) => setWanted({ of, days })}
          />
        ))}
      </Card>
      <LastChange of={retention} />
      {wanted !== null && (
        <ConfirmDialog
          title={retentionConfirmTitle(toRetentionSetting(wanted.of), wanted.days)}
          action={t('Keep')}
          onClose={() => setWanted(null)}
          onConfirm={async () => {
            const body = { retention: { [wanted.of.kind]: wanted.days } }
            const changed = await internal('updateInstanceRetention', { body })
            queryClient.setQueryData(internalKey('getInstanceRetention'), changed)
            void queryClient.invalidateQueries({ queryKey: internalKey('getOrganization') })
            toast({ kind: 'done', title: t('Retention saved') })
          }}
        >
          <p>
            {t(
              'What is older then goes with the next sweep, within the hour; its files go a day later. It cannot be brought back.',
            )}
          </p>
          {describeOwnDays(wanted.of) !== null && <p>{describeOwnDays(wanted.of)}</p>}
        </ConfirmDialog>
      )}
    </>
  )
}

function toRetentionSetting({ kind, days, chosen, usualDays }: ServerRetentionKind): RetentionSetting {
  return { kind, days: chosen ? days : null, usualDays }
}

function describeOwnDays({ organizations }: ServerRetentionKind): string | null {
  if (organizations === 0) return null
  return plural(
    organizations,
    'One organization has chosen its own days, and keeps them.',
    '{count} organizations have chosen their own days, and keep them.',
  )
}
