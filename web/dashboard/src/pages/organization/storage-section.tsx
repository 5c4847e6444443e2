import { useState } from 'preact/hooks'
import type { OrganizationStorage } from '../../../../../src/contract/dashboard-organization.ts'
import { HOLDERS, RETENTION } from '../../../../../src/contract/retention.ts'
import { internal, internalKey } from '../../api/internal.ts'
import { queryClient } from '../../app/query-client.ts'
import { toast } from '../../app/toasts.ts'
import { Card } from '../../ui/card.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { Select } from '../../ui/input.tsx'
import { bytes } from '../../ui/numbers.ts'
import { Section } from '../../ui/page.tsx'
import { RelativeTime } from '../../ui/time.tsx'
import { language, plural, rich, t, told } from '../../words/words.ts'

type Kept = OrganizationStorage['retention'][number]

const KIND_WORDS: Record<Kept['kind'], string> = {
  exports: t('Archives of exports'),
  deployments: t('Earlier versions of sites'),
  mirrors: t('Copies of git repositories'),
  agentWork: t('Work of agent jobs'),
  events: t('Events of webhooks'),
  deliveries: t('Deliveries of webhooks'),
  notifications: t('Notifications'),
  audit: t('Audit log'),
  analyticsCounts: t('Web analytics by day, week and month'),
  assistantQuestions: t('Questions to the assistant'),
  deletedProjects: t('Deleted projects'),
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
              <p class="text-soft">{told(RETENTION[kept.kind].what)}</p>
            </div>
            {mayChange ? (
              <Select
                size="small"
                aria-label={t('Days for: {kind}', { kind: KIND_WORDS[kept.kind] })}
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
          title={questionOf(wanted.kept, wanted.days)}
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
          <span>{capital(told(HOLDERS[holder]))}</span>
          <span class="text-soft tabular-nums">
            {plural(objects, '{size} in {count} object', '{size} in {count} objects', { size: bytes(size) })}
          </span>
        </p>
      ))}
      <p class="pt-1 text-soft">{rich('Measured {when}', { when: <RelativeTime at={measuredAt} /> })}</p>
    </div>
  )
}

function choicesOf({ days, usualDays }: Kept) {
  const offered = days === null || DAYS.includes(days) ? DAYS : [days, ...DAYS]
  return [
    { value: 'usual', label: t('Server default ({duration})', { duration: daysWords(usualDays) }) },
    ...offered.map((one) => ({ value: String(one), label: daysWords(one) })),
  ]
}

function questionOf({ kind, usualDays }: Kept, wanted: number | null): string {
  const days = wanted ?? usualDays
  const values = { kind: KIND_WORDS[kind] }
  return days === 0
    ? t('{kind}: keep for ever?', values)
    : plural(days, '{kind}: keep for {count} day?', '{kind}: keep for {count} days?', values)
}

function daysWords(days: number): string {
  return days === 0 ? t('for ever') : plural(days, '{count} day', '{count} days')
}

function capital(text: string): string {
  return text.charAt(0).toLocaleUpperCase(language) + text.slice(1)
}
