import { useState } from 'preact/hooks'
import { HOLDERS } from '../../../../../src/base/api/retention.ts'
import type { OrganizationStorage } from '../../../../../src/features/accounts/operations/organization.ts'
import { internal, internalKey } from '../../api/internal.ts'
import { queryClient } from '../../app/query-client.ts'
import { toast } from '../../app/toasts.ts'
import { Card } from '../../ui/card.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { formatBytes } from '../../ui/numbers.ts'
import { Section } from '../../ui/page.tsx'
import { RelativeTime } from '../../ui/time.tsx'
import { language, plural, rich, t, translateSentence } from '../../words/words.ts'
import { RetentionRow, retentionConfirmTitle } from '../retention-rows.tsx'

type RetentionEntry = OrganizationStorage['retention'][number]

/** Storage usage of the organization and its retention periods. */
export function StorageSection({ storage, mayChange }: { storage: OrganizationStorage; mayChange: boolean }) {
  const [wanted, setWanted] = useState<{ kept: RetentionEntry; days: number | null } | null>(null)
  return (
    <Section
      title={t('Storage')}
      about={t(
        'What this organization stores, and how long it is kept. What it shares with others is not counted.',
      )}
    >
      <Card>
        <Use storage={storage} />
        {storage.retention.map((kept) => (
          <RetentionRow
            key={kept.kind}
            setting={kept}
            isOfServer={false}
            onChoose={mayChange ? (days) => setWanted({ kept, days }) : undefined}
          />
        ))}
      </Card>
      {wanted !== null && (
        <ConfirmDialog
          title={retentionConfirmTitle(wanted.kept, wanted.days)}
          action={t('Keep')}
          onClose={() => setWanted(null)}
          onConfirm={async () => {
            const body = { retention: { [wanted.kept.kind]: wanted.days } }
            const changed = await internal('updateOrganization', { body })
            queryClient.setQueryData(internalKey('getOrganization'), changed)
            toast({ kind: 'done', title: t('Retention saved') })
          }}
        >
          <p>
            {t('What is older then goes with the next sweep, within the hour; its files go a day later.')}
          </p>
        </ConfirmDialog>
      )}
    </Section>
  )
}

function Use({ storage: { use, measuredAt } }: { storage: OrganizationStorage }) {
  if (measuredAt === null)
    return (
      <p class="px-4 py-3 text-13 text-soft">
        {t('Nothing has been measured yet; that happens once an hour.')}
      </p>
    )
  return (
    <div class="px-4 py-3 text-13">
      {use.length === 0 && <p>{t('This organization stores nothing of its own.')}</p>}
      {use.map(({ holder, objects, bytes: size }) => (
        <p key={holder} class="flex flex-wrap justify-between gap-x-4 py-0.5">
          <span>{capitalize(translateSentence(HOLDERS[holder]))}</span>
          <span class="text-soft tabular-nums">
            {plural(objects, '{size} in {count} object', '{size} in {count} objects', {
              size: formatBytes(size),
            })}
          </span>
        </p>
      ))}
      <p class="pt-1 text-soft">{rich('Measured {when}', { when: <RelativeTime at={measuredAt} /> })}</p>
    </div>
  )
}

function capitalize(text: string): string {
  return text.charAt(0).toLocaleUpperCase(language) + text.slice(1)
}
