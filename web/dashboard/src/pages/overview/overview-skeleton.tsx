import { Skeleton } from '../../ui/states.tsx'
import { t } from '../../words/words.ts'
import { FigureSkeletons } from '../figure.tsx'

/** Placeholder with the layout of the overview, so that nothing shifts when the data arrives. */
export function OverviewSkeleton() {
  return (
    <div role="status" aria-label={t('Loading the overview')}>
      <FigureSkeletons />
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
