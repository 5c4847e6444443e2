/** Action bar at the bottom of the list for the selected entries. */

import type { FeedbackStatus } from '../../../../../src/features/feedback/operations/feedback.ts'
import { Button, ButtonLink, IconButton } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Keys } from '../../ui/kbd.tsx'
import { t } from '../../words/words.ts'
import { buildFeedbackJobHref, MAX_ENTRIES_PER_JOB } from './ask-agent.ts'
import { STATUSES } from './labels.ts'
import type { Progress } from './use-status-change.tsx'

interface BulkBarProps {
  projectId: string
  words: string
  ids: readonly string[]
  onStatus: (status: FeedbackStatus) => void
  onAssign: () => void
  onLabel: () => void
  onAsk: () => void
  /** Selects everything that matches the filters; null when all are selected. */
  onAll: (() => void) | null
  onClear: () => void
  mayAsk: boolean
}

export function BulkBar({ progress, ...more }: BulkBarProps & { progress: Progress }) {
  return (
    <section
      aria-label={t('Selected entries')}
      data-foot
      class="@container shrink-0 animate-rise border-t border-line bg-raised px-4 py-2"
    >
      <div class="flex min-h-8 flex-wrap items-center gap-2">
        {progress === null ? (
          <Choices {...more} />
        ) : (
          <span class="text-13 tabular-nums" role="status">
            {progress.words}
          </span>
        )}
      </div>
    </section>
  )
}

function Choices(props: BulkBarProps) {
  const { projectId, words, ids, mayAsk, onStatus, onAsk, onAll, onClear } = props
  return (
    <>
      <span class="mr-1 text-13 font-medium whitespace-nowrap tabular-nums" role="status">
        {words}
      </span>
      <span class="flex gap-2 @max-[66rem]:hidden">
        {STATUSES.map(({ status, label, icon, tone }) => (
          <Button key={status} size="small" onClick={() => onStatus(status)}>
            <Icon name={icon} class={tone} />
            {label}
          </Button>
        ))}
      </span>
      <span class="flex flex-1 items-center justify-end gap-2 @md:order-last">
        {onAll && (
          <Button size="small" look="quiet" onClick={onAll}>
            {t('Select all')}
          </Button>
        )}
        <span class="coarse:hidden">
          <Keys keys="Escape" />
        </span>
        <IconButton icon="x" size="small" label={t('Select none')} onClick={onClear} />
      </span>
      <span class="flex flex-wrap gap-2 @max-md:w-full @max-md:*:flex-1">
        <Button size="small" class="@min-[66rem]:hidden" onClick={onAsk}>
          {t('Set the status…')}
        </Button>
        <Button size="small" icon="user-plus" onClick={props.onAssign}>
          {t('Assign…')}
        </Button>
        <Button size="small" icon="tag" onClick={props.onLabel}>
          {t('Label…', { context: 'verb' })}
        </Button>
        {mayAsk && (
          <ButtonLink size="small" icon="bot" href={buildFeedbackJobHref(projectId, ids)}>
            {ids.length > MAX_ENTRIES_PER_JOB
              ? t('Start agent job (first {count})', { count: MAX_ENTRIES_PER_JOB })
              : t('Start agent job')}
          </ButtonLink>
        )}
      </span>
    </>
  )
}
