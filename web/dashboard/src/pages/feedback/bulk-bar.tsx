/** What is done to the chosen entries, at the foot of the list while there are any. */
import type { FeedbackStatus } from '../../../../../src/contract/feedback.ts'
import { Button, ButtonLink, IconButton } from '../../ui/button.tsx'
import { Keys } from '../../ui/kbd.tsx'
import { count, counted } from '../../ui/numbers.ts'
import { STATUSES } from './labels.ts'

/** As the API takes them for one agent job. */
const MOST_FOR_AGENT = 50

export function BulkBar({
  projectId,
  ids,
  progress,
  onStatus,
  onAll,
  onClear,
  mayAsk,
}: {
  projectId: string
  ids: ReadonlySet<string>
  /** Of a change that takes a while. */
  progress: { done: number; total: number | null; words: string } | null
  onStatus: (status: FeedbackStatus) => void
  /** Chooses all that the filters find; null when all are chosen. */
  onAll: (() => void) | null
  onClear: () => void
  mayAsk: boolean
}) {
  const isTooMany = ids.size > MOST_FOR_AGENT
  const agentHref = `/p/${projectId}/agent?feedback=${[...ids].slice(0, MOST_FOR_AGENT).join(',')}`
  return (
    <section
      aria-label="Chosen entries"
      class="flex min-h-12 shrink-0 animate-rise flex-wrap items-center gap-2 border-t border-line bg-raised px-4 py-2"
    >
      {progress === null ? (
        <>
          <span class="mr-1 text-13 font-medium whitespace-nowrap" role="status">
            {count(ids.size)} chosen
          </span>
          {STATUSES.map(({ status, label, icon }) => (
            <Button key={status} size="small" icon={icon} onClick={() => onStatus(status)}>
              {label}
            </Button>
          ))}
          {mayAsk && !isTooMany && (
            <ButtonLink size="small" icon="bot" href={agentHref}>
              Agent job from these
            </ButtonLink>
          )}
          {mayAsk && isTooMany && (
            <span class="text-12 text-faint">An agent job takes {MOST_FOR_AGENT} at most</span>
          )}
          <span class="flex-1" />
          {onAll && (
            <Button size="small" look="quiet" onClick={onAll}>
              Choose all that match
            </Button>
          )}
          <Keys keys="Escape" />
          <IconButton icon="x" size="small" label="Choose none" onClick={onClear} />
        </>
      ) : (
        <span class="text-13" role="status">
          {progress.words}: {count(progress.done)}
          {progress.total === null ? '' : ` of ${counted(progress.total, 'entry', 'entries')}`}
        </span>
      )}
    </section>
  )
}
