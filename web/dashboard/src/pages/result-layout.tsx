import type { ComponentChildren } from 'preact'
import { classes } from '../ui/classes.ts'

/** Layout of a job's result with its facts beside it, or below it when space is limited or a source is open. */
export function ResultLayout({
  isNarrow,
  facts,
  factsLabel,
  children,
}: {
  isNarrow: boolean
  facts: ComponentChildren
  factsLabel: string
  children: ComponentChildren
}) {
  return (
    <div class="min-h-0 flex-1 overflow-y-auto">
      <div class={classes('flex min-h-full max-w-frame flex-col', !isNarrow && 'lg:flex-row')}>
        <div class={classes('min-w-0 px-6 py-6 max-md:px-4', !isNarrow && 'lg:flex-1')}>
          <div class="max-w-form">{children}</div>
        </div>
        <aside
          aria-label={factsLabel}
          class={classes(
            'shrink-0 px-6 pb-6 max-md:px-4',
            !isNarrow && 'lg:w-80 lg:border-l lg:border-line lg:px-5 lg:pt-6',
          )}
        >
          <div class="max-w-form">{facts}</div>
        </aside>
      </div>
    </div>
  )
}
