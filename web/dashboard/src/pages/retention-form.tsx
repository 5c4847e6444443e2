/** Retention periods, one field per kind of data; used for organizations and the server. */
import { RETENTION, type RetentionKind } from '../../../../src/base/api/retention.ts'
import { textOf } from '../forms/draft.ts'
import type { Draft } from '../forms/field-spec.ts'
import { SettingsForm } from '../forms/settings-form.tsx'
import { plural, t, translateMessage } from '../words/words.ts'

interface RetentionSetting {
  kind: RetentionKind
  /** Null if not chosen; 0 means forever. */
  days: number | null
  usualDays: number
  note?: string | null
}

const KIND_LABELS: Record<RetentionKind, string> = {
  exports: t('Export archives'),
  deployments: t('Earlier site versions'),
  mirrors: t('Copies of git repositories'),
  agentWork: t('Agent job data'),
  events: t('Webhook events'),
  deliveries: t('Webhook deliveries'),
  notifications: t('Notifications'),
  mails: t('Emails'),
  audit: t('Audit log'),
  analyticsCounts: t('Web analytics by day, week and month'),
  analyticsEvents: t('Individual web analytics events'),
  assistantQuestions: t('Questions to the assistant'),
  deletedProjects: t('Deleted projects'),
  renderCache: t('Build cache'),
}
const DAYS = [7, 14, 30, 60, 90, 180, 365, 730, 1095, 0]

export function RetentionForm<Stored>({
  kindsOf,
  isOfServer = false,
  ...props
}: {
  operation: 'updateOrganization' | 'updateInstanceRetention'
  stored: Stored
  kindsOf: (stored: Stored) => readonly RetentionSetting[]
  isOfServer?: boolean
  isOff: boolean
  save: (body: { retention: Partial<Record<RetentionKind, number | null>> }) => Promise<Stored>
}) {
  return (
    <SettingsForm<Stored, { retention: Partial<Record<RetentionKind, number | null>> }>
      {...props}
      read={(stored) =>
        Object.fromEntries(kindsOf(stored).map(({ kind, days }) => [`retention/${kind}`, days]))
      }
      question={(draft, before) => shorteningQuestion(kindsOf(props.stored), draft, before)}
      fields={(_, stored) =>
        kindsOf(stored).map((setting) => ({
          name: `retention/${setting.kind}`,
          kind: 'select',
          label: KIND_LABELS[setting.kind],
          help: [translateMessage(RETENTION[setting.kind].what), setting.note].filter(Boolean).join(' '),
          choices: listRetentionChoices(setting, isOfServer),
        }))
      }
    />
  )
}

function shorteningQuestion(kinds: readonly RetentionSetting[], draft: Draft, before: Draft) {
  const daysIn = (values: Draft, { kind, usualDays }: RetentionSetting) =>
    Number(textOf(values, `retention/${kind}`) || usualDays) || Number.POSITIVE_INFINITY
  const shorter = kinds.filter((kind) => daysIn(draft, kind) < daysIn(before, kind))
  if (shorter.length === 0) return null
  return {
    title: t('Delete older data?'),
    action: t('Save and delete'),
    text: (
      <>
        <ul class="list-disc pl-5 text-text">
          {shorter.map((kind) => (
            <li key={kind.kind}>
              {plural(
                daysIn(draft, kind),
                '{kind}: older than {count} day',
                '{kind}: older than {count} days',
                { kind: KIND_LABELS[kind.kind] },
              )}
            </li>
          ))}
        </ul>
        <p>{t('It is deleted within the hour, and its files a day later. This cannot be undone.')}</p>
      </>
    ),
  }
}

function listRetentionChoices({ days, usualDays }: RetentionSetting, isOfServer: boolean) {
  const offered = days === null || DAYS.includes(days) ? DAYS : [days, ...DAYS]
  const usual = { duration: formatDays(usualDays) }
  return [
    {
      value: '',
      label: isOfServer ? t('Default ({duration})', usual) : t('Server default ({duration})', usual),
    },
    ...offered.map((one) => ({ value: String(one), label: formatDays(one) })),
  ]
}

function formatDays(days: number): string {
  return days === 0 ? t('forever') : plural(days, '{count} day', '{count} days')
}
