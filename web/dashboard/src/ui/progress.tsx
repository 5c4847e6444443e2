import { t } from '../words/words.ts'
import { classes } from './classes.ts'
import { formatCount } from './numbers.ts'

type ProgressTone = 'accent' | 'success' | 'warning' | 'danger'

const TONES: Record<ProgressTone, string> = {
  accent: 'bg-accent-9',
  success: 'bg-success-solid',
  warning: 'bg-warning-solid',
  danger: 'bg-danger-solid',
}

interface ProgressProps {
  label: string
  value: number
  total: number | null
  /** Progress in words: `3 of 12 pages`. Default: the numbers. */
  extent?: string | undefined
  tone?: ProgressTone
  isBare?: boolean
}

/** Progress bar with numbers. `total: null` means that the total is unknown. */
export function Progress({ label, value, total, extent, tone = 'accent', isBare = false }: ProgressProps) {
  const part = total === null || total === 0 ? 0 : Math.min(1, value / total)
  const words = extent ?? (total === null ? formatCount(value) : t('{value} of {total}', { value, total }))
  return (
    <div>
      {!isBare && (
        <div class="mb-1.5 flex justify-between gap-3 text-13">
          <span class="min-w-0 truncate">{label}</span>
          <span class="shrink-0 text-soft tabular-nums">{words}</span>
        </div>
      )}
      <div
        role="progressbar"
        aria-label={label}
        aria-valuetext={words}
        aria-valuemin={0}
        aria-valuemax={total ?? undefined}
        aria-valuenow={total === null ? undefined : value}
        class="h-1.5 overflow-hidden rounded-full bg-neutral-5"
      >
        <div
          data-bar
          class={classes(
            'h-full rounded-full transition-[width] duration-200',
            TONES[tone],
            total === null && 'w-1/4 animate-breathe',
          )}
          style={total === null ? {} : { width: `${part * 100}%` }}
        />
      </div>
    </div>
  )
}
