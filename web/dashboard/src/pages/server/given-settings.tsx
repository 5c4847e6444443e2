/** What is said of settings beside their form: that the environment gives them, and who changed them last. */

import { Card, Notice } from '../../ui/card.tsx'
import { RelativeTime } from '../../ui/time.tsx'
import { t } from '../../words/words.ts'

interface GivenProps {
  /** As in `To set the model here`. */
  what: string
  /** Names in the environment. */
  variables: readonly string[]
  rows: readonly (readonly [label: string, value: string | null])[]
}

/** What the environment says is shown, and changed there. */
export function GivenSettings({ what, variables, rows }: GivenProps) {
  return (
    <>
      <Notice title={t('Set by the environment')}>
        To set {what} here, remove {variables.join(', ')} from the environment of the server and restart it.
      </Notice>
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
  return (
    <p class="mt-2 text-13 text-soft">
      Changed <RelativeTime at={changedAt} /> by {changedBy ?? 'a former member'}.
    </p>
  )
}

/** A secret that is stored and cannot be opened any more. */
export function UnusableSecret({ title, given }: { title: string; given: string }) {
  return (
    <Notice tone="warning" title={title}>
      {t('It was given for {given}, or the secret of the server has changed. Enter it again.', { given })}
    </Notice>
  )
}
