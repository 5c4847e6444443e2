import { onlineManager } from '@tanstack/react-query'
import { useSyncExternalStore } from 'preact/compat'
import { Icon } from '../ui/icon.tsx'
import { t } from '../words/words.ts'

export function useIsOnline(): boolean {
  return useSyncExternalStore(
    (changed) => onlineManager.subscribe(changed),
    () => onlineManager.isOnline(),
  )
}

export function OfflineBanner() {
  const isOnline = useIsOnline()
  return (
    <div role="status" class="shrink-0">
      {!isOnline && (
        <p class="flex items-center justify-center gap-2 bg-warning-ground px-4 py-1.5 text-13 text-warning">
          <Icon name="cloud-off" />
          <span>
            {t(
              'You are offline. The page shows the last loaded data, and you cannot make changes until the connection is back.',
            )}
          </span>
        </p>
      )}
    </div>
  )
}
