import { useState } from 'preact/hooks'
import type { OrganizationStorage } from '../../../../../src/contract/dashboard-organization.ts'
import { HOLDERS, RETENTION } from '../../../../../src/contract/retention.ts'
import { internal, internalKey } from '../../api/internal.ts'
import { queryClient } from '../../app/query-client.ts'
import { toast } from '../../app/toasts.ts'
import { Card } from '../../ui/card.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { Select } from '../../ui/input.tsx'
import { counted } from '../../ui/numbers.ts'
import { Section } from '../../ui/page.tsx'
import { RelativeTime } from '../../ui/time.tsx'
import { t } from '../../words/words.ts'

type Kept = OrganizationStorage['retention'][number]

const KIND_WORDS: Record<Kept['kind'], string> = {
  exports: 'Archives of exports',
  deployments: 'Earlier versions of sites',
  mirrors: 'Copies of git repositories',
  agentWork: 'Work of agent jobs',
  events: 'Events of webhooks',
  deliveries: 'Deliveries of webhooks',
  notifications: 'Notifications',
  audit: 'Audit log',
  analyticsCounts: 'Web analytics by day, week and month',
  assistantQuestions: 'Questions to the assistant',
  deletedProjects: 'Deleted projects',
}
const DAYS = [7, 14, 30, 60, 90, 180, 365, 730, 1095, 0]

/** What the organization holds in storage, and for how long it keeps what. */
export function StorageSection({ storage, mayChange }: { storage: OrganizationStorage; mayChange: boolean }) {
  const [wanted, setWanted] = useState<{ kept: Kept; days: number | null } | null>(null)
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
          <div
            key={kept.kind}
            class="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-t border-line px-4 py-3 text-13"
          >
            <div class="min-w-0 flex-1 basis-60">
              <p class="font-medium">{KIND_WORDS[kept.kind]}</p>
              <p class="text-soft">{RETENTION[kept.kind].what}</p>
            </div>
            {mayChange ? (
              <Select
                size="small"
                aria-label={`Days for: ${KIND_WORDS[kept.kind]}`}
                value={String(kept.days ?? 'usual')}
                options={choicesOf(kept)}
                onChange={(value) => setWanted({ kept, days: value === 'usual' ? null : Number(value) })}
              />
            ) : (
              <span>{daysWords(kept.days ?? kept.usualDays)}</span>
            )}
          </div>
        ))}
      </Card>
      {wanted !== null && (
        <ConfirmDialog
          title={`Keep ${KIND_WORDS[wanted.kept.kind].toLowerCase()} ${wordsOf(wanted.kept, wanted.days)}?`}
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
      {use.map(({ holder, objects, bytes }) => (
        <p key={holder} class="flex flex-wrap justify-between gap-x-4 py-0.5">
          <span>{capital(HOLDERS[holder])}</span>
          <span class="text-soft tabular-nums">
            {(bytes / 1e6).toFixed(1)} MB in {counted(objects, 'object')}
          </span>
        </p>
      ))}
      <p class="pt-1 text-soft">
        Measured <RelativeTime at={measuredAt} />
      </p>
    </div>
  )
}

function choicesOf({ days, usualDays }: Kept) {
  const offered = days === null || DAYS.includes(days) ? DAYS : [days, ...DAYS]
  return [
    { value: 'usual', label: `Server default (${daysWords(usualDays)})` },
    ...offered.map((one) => ({ value: String(one), label: daysWords(one) })),
  ]
}

function wordsOf({ usualDays }: Kept, days: number | null): string {
  const words = daysWords(days ?? usualDays)
  return words === 'for ever' ? words : `for ${words}`
}

function daysWords(days: number): string {
  return days === 0 ? 'for ever' : counted(days, 'day')
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
