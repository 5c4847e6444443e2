/** At the end of a list that has more: the next page of it, when somebody wants it. */
import { Button } from './button.tsx'

interface Pages {
  hasNextPage: boolean
  isFetchingNextPage: boolean
  fetchNextPage: () => Promise<unknown>
}

export function MoreButton({ pages, label }: { pages: Pages; label: string }) {
  if (!pages.hasNextPage) return null
  return (
    <div class="mt-4 flex justify-center">
      <Button isBusy={pages.isFetchingNextPage} onClick={() => void pages.fetchNextPage()}>
        {label}
      </Button>
    </div>
  )
}
