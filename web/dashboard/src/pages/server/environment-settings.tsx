/** Notes beside settings: set by the environment, or last changed by someone. */

import { Card, Notice } from '../../ui/card.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import { RelativeTime } from '../../ui/time.tsx'
import { rich, t } from '../../words/words.ts'

interface EnvironmentSettingsProps {
  /** How to make them editable here. */
  advice: string
  rows: readonly (readonly [label: string, value: string | null])[]
}

/** Shows settings from the environment, which can only be changed there. */
export function EnvironmentSettings({ advice, rows }: EnvironmentSettingsProps) {
  return (
    <>
      <Notice title={t('Set by the environment')}>{advice}</Notice>
      <Card>
        <dl class="divide-y divide-line text-13">
          {rows.map(([label, value]) => (
            <div key={label} class="flex flex-wrap justify-between gap-x-4 px-4 py-2.5">
              <dt class="text-soft">{label}</dt>
              <dd class="min-w-0 font-medium break-words">{value}</dd>
            </div>
          ))}
        </dl>
      </Card>
    </>
  )
}

export function LastChange({
  of: { changedAt, changedBy },
}: {
  of: { changedAt: string | null; changedBy: string | null }
}) {
  if (changedAt === null) return null
  const when = <RelativeTime at={changedAt} />
  return (
    <p class="mt-2 text-13 text-soft">
      {changedBy === null
        ? rich('Changed {when} by a former member.', { when })
        : rich('Changed {when} by {person}.', { when, person: <PlainText text={changedBy} /> })}
    </p>
  )
}

/** Shown for a stored secret that can no longer be decrypted. */
export function UnusableSecret({ title, about }: { title: string; about: string }) {
  return (
    <Notice tone="warning" title={title}>
      {about}
    </Notice>
  )
}
