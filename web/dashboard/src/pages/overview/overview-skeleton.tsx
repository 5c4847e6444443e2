import { Skeleton } from '../../ui/states.tsx'
import { t } from '../../words/words.ts'

/** The shape of the overview, so that nothing jumps when it comes. */
export function OverviewSkeleton() {
  return (
    <div role="status" aria-label={t('Loading the overview')}>
      <div class="grid grid-cols-2 overflow-hidden rounded-md border border-line @xl:grid-cols-4">
        {[0, 1, 2, 3].map((index) => (
          <div key={index} class="-mr-px -mb-px h-[123px] border-r border-b border-line px-5 py-4">
            <Skeleton class="h-4 w-20" />
            <Skeleton class="mt-3 h-8 w-16" />
            <Skeleton class="mt-3 h-3 w-32" />
          </div>
        ))}
      </div>
      <div class="mt-8 h-[292px]">
        <Skeleton class="h-5 w-36" />
        <Skeleton class="mt-6 h-[220px] w-full" />
      </div>
      <div class="mt-8 grid gap-8 @xl:grid-cols-[minmax(0,7fr)_minmax(0,5fr)]">
        <Skeleton class="h-64 w-full" />
        <Skeleton class="h-64 w-full" />
      </div>
    </div>
  )
}
