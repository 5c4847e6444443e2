import { useEffect, useRef, useState } from 'preact/hooks'
import { useStore } from '../app/store.ts'
import { closeToast, type Toast, toastDurationMs, toastStore } from '../app/toasts.ts'
import { t } from '../words/words.ts'
import { Button, IconButton } from './button.tsx'
import { classes } from './classes.ts'
import { RequestId } from './copy.tsx'
import { Icon } from './icon.tsx'

const ICONS = { done: 'circle-check', failed: 'circle-alert', info: 'info' } as const
const TONES = { done: 'text-success', failed: 'text-danger', info: 'text-info' }

export function ToastList() {
  const toasts = useStore(toastStore)
  const list = useRef<HTMLOListElement>(null)
  const count = toasts.length
  // The list is shown again for each toast, so that it is above any dialog opened in between.
  useEffect(() => {
    const element = list.current
    if (element === null) return
    if (element.matches(':popover-open')) element.hidePopover()
    if (count > 0) element.showPopover()
  }, [count])
  return (
    <ol
      ref={list}
      popover="manual"
      aria-label={t('Notifications')}
      aria-live="polite"
      data-toasts
      class="fixed inset-auto right-4 bottom-4 m-0 flex w-96 max-w-[calc(100vw-32px)] flex-col gap-2 overflow-visible bg-transparent p-0 max-md:bottom-18 [body:has([data-foot])_&]:bottom-20 max-md:[body:has([data-foot])_&]:bottom-36 [body:has(dialog:modal)_&]:top-4 [body:has(dialog:modal)_&]:bottom-auto [&:not(:popover-open)]:hidden"
    >
      {toasts.map((news) => (
        <ToastItem key={news.id} news={news} />
      ))}
    </ol>
  )
}

function ToastItem({ news }: { news: Toast }) {
  const [isPaused, setPaused] = useState(false)
  // Animates only once: showing the list again would restart the animation of existing toasts.
  const [isNew, setNew] = useState(true)
  useEffect(() => {
    const durationMs = toastDurationMs(news)
    if (durationMs === null || isPaused) return
    const timer = setTimeout(() => closeToast(news.id), durationMs)
    return () => clearTimeout(timer)
  }, [news, isPaused])
  return (
    <li
      class={classes(
        'flex items-start gap-2 rounded-md bg-raised py-2 pr-2 pl-3 text-13 text-text shadow-high',
        isNew && 'animate-rise',
      )}
      onAnimationEnd={() => setNew(false)}
      onPointerEnter={() => setPaused(true)}
      onPointerLeave={() => setPaused(false)}
      onFocusIn={() => setPaused(true)}
      onFocusOut={() => setPaused(false)}
    >
      <span class="flex h-7 items-center">
        <Icon name={ICONS[news.kind]} class={TONES[news.kind]} />
      </span>
      <div class="min-w-0 flex-1 py-1">
        <p class="font-medium break-words">{news.title}</p>
        {news.detail !== undefined && <p class="mt-0.5 break-words text-soft">{news.detail}</p>}
        {news.requestId != null && <RequestId id={news.requestId} />}
        {news.detail !== undefined && news.action && (
          <div class="mt-2 mb-1">
            <ToastAction news={news} />
          </div>
        )}
      </div>
      {news.detail === undefined && <ToastAction news={news} />}
      <IconButton icon="x" size="small" label={t('Close')} onClick={() => closeToast(news.id)} />
    </li>
  )
}

/** Placed next to a short title, or below a longer text. */
function ToastAction({ news: { id, action } }: { news: Toast }) {
  if (!action) return null
  return (
    <Button
      size="small"
      onClick={() => {
        closeToast(id)
        action.run()
      }}
    >
      {action.label}
    </Button>
  )
}
