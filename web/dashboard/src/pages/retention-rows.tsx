/** Retention periods, one row per kind of data; used for organizations and the server. */
import { RETENTION, type RetentionKind } from '../../../../src/base/api/retention.ts'
import { Select } from '../ui/input.tsx'
import { plural, t, translateSentence } from '../words/words.ts'

export interface RetentionSetting {
  kind: RetentionKind
  /** Null when nothing is chosen. */
  days: number | null
  usualDays: number
}

const KIND_LABELS: Record<RetentionKind, string> = {
  exports: t('Archives of exports'),
  deployments: t('Earlier versions of sites'),
  mirrors: t('Copies of git repositories'),
  agentWork: t('Work of agent jobs'),
  events: t('Events of webhooks'),
  deliveries: t('Deliveries of webhooks'),
  notifications: t('Notifications'),
  mails: t('Mails'),
  audit: t('Audit log'),
  analyticsCounts: t('Web analytics by day, week and month'),
  analyticsEvents: t('Single events of web analytics'),
  assistantQuestions: t('Questions to the assistant'),
  deletedProjects: t('Deleted projects'),
  renderCache: t('Rendered pages for the next build'),
}
const DAYS = [7, 14, 30, 60, 90, 180, 365, 730, 1095, 0]

interface RetentionRowProps {
  setting: RetentionSetting
  /** Whether these are the server's retention periods, not those of an organization. */
  isOfServer: boolean
  /** Read-only if omitted. */
  onChoose?: ((days: number | null) => void) | undefined
  note?: string | null
}

export function RetentionRow({ setting, isOfServer, onChoose, note = null }: RetentionRowProps) {
  return (
    <div class="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-t border-line px-4 py-3 text-13 first:border-t-0">
      <div class="min-w-0 flex-1 basis-60">
        <p class="font-medium">{KIND_LABELS[setting.kind]}</p>
        <p class="text-soft">{translateSentence(RETENTION[setting.kind].what)}</p>
        {note !== null && <p class="text-soft">{note}</p>}
      </div>
      {onChoose ? (
        <Select
          size="small"
          aria-label={t('Days for: {kind}', { kind: KIND_LABELS[setting.kind] })}
          value={String(setting.days ?? 'usual')}
          options={listChoices(setting, isOfServer)}
          onChange={(value) => onChoose(value === 'usual' ? null : Number(value))}
        />
      ) : (
        <span>{formatDays(setting.days ?? setting.usualDays)}</span>
      )}
    </div>
  )
}

/** Returns a question such as `Notifications: keep for 30 days?`. */
export function retentionConfirmTitle({ kind, usualDays }: RetentionSetting, chosen: number | null): string {
  const days = chosen ?? usualDays
  const values = { kind: KIND_LABELS[kind] }
  return days === 0
    ? t('{kind}: keep for ever?', values)
    : plural(days, '{kind}: keep for {count} day?', '{kind}: keep for {count} days?', values)
}

function listChoices({ days, usualDays }: RetentionSetting, isOfServer: boolean) {
  const offered = days === null || DAYS.includes(days) ? DAYS : [days, ...DAYS]
  const usual = { duration: formatDays(usualDays) }
  return [
    {
      value: 'usual',
      label: isOfServer ? t('Default ({duration})', usual) : t('Server default ({duration})', usual),
    },
    ...offered.map((one) => ({ value: String(one), label: formatDays(one) })),
  ]
}

function formatDays(days: number): string {
  return days === 0 ? t('for ever') : plural(days, '{count} day', '{count} days')
}
