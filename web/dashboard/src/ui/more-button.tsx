/** Button at the end of a list that loads its next page. */
import { Button } from './button.tsx'

interface Pages {
  hasNextPage?: boolean
  isFetchingNextPage?: boolean
  fetchNextPage?: () => Promise<unknown>
}

export function MoreButton({ pages, label }: { pages: Pages; label: string }) {
  if (pages.hasNextPage !== true) return null
  return (
    <div class="mt-4 flex justify-center">
      <Button isBusy={pages.isFetchingNextPage === true} onClick={() => void pages.fetchNextPage?.()}>
        {label}
      </Button>
    </div>
  )
}
