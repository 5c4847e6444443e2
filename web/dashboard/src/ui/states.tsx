import type { ComponentChildren, VNode } from 'preact'
import { useState } from 'preact/hooks'
import { ApiError } from '../../../../src/client/call.ts'
import { explainError } from '../api/errors.ts'
import { t } from '../words/words.ts'
import { Button } from './button.tsx'
import { classes } from './classes.ts'
import { RequestId } from './copy.tsx'
import { Icon } from './icon.tsx'
import type { IconName } from './icon-names.ts'

interface EmptyStateProps {
  icon?: IconName
  title: string
  isPage?: boolean
  children?: ComponentChildren
  actions?: ComponentChildren
}

export function EmptyState({ icon = 'inbox', title, isPage = false, children, actions }: EmptyStateProps) {
  const Heading = isPage ? 'h1' : 'h2'
  return (
    <div class="mx-auto flex w-full max-w-md flex-col items-center px-4 py-16 text-center max-md:py-10">
      <span class="mb-4 flex size-12 items-center justify-center rounded-lg border border-line bg-raised text-soft shadow-low">
        <Icon name={icon} size={20} />
      </span>
      <Heading class="text-16 font-semibold">{title}</Heading>
      {children !== undefined && (
        <div class="mt-1 w-full min-w-0 space-y-3 text-14 text-pretty text-soft">{children}</div>
      )}
      {actions !== undefined && <div class="mt-5 flex flex-wrap justify-center gap-2">{actions}</div>}
    </div>
  )
}

interface ErrorStateProps {
  error: unknown
  onRetry?: () => unknown
  isSmall?: boolean
  isPage?: boolean
}

/** Error state: what happened, what it means and what to do, with the request id for support. */
export function ErrorState({ error, onRetry, isSmall = false, isPage = false }: ErrorStateProps) {
  const Heading = isPage ? 'h1' : 'h2'
  const { title, advice, details, requestId } = explainError(error)
  // Retrying would not grant the missing permission.
  const isRefused = error instanceof ApiError && error.status === 403
  const [isBusy, setBusy] = useState(false)
  const retry = async () => {
    setBusy(true)
    try {
      await onRetry?.()
    } finally {
      setBusy(false)
    }
  }
  return (
    <div role="alert" class={classes('mx-auto max-w-lg', isSmall ? 'p-4' : 'px-4 py-16')}>
      <div class="flex gap-3">
        <Icon name="circle-alert" size={20} class="mt-0.5 text-danger" />
        <div class="min-w-0 flex-1">
          <Heading class="text-14 font-semibold break-words">{title}</Heading>
          {!isRefused && <p class="mt-1 text-13 text-soft">{advice}</p>}
          {details.length !== 0 && (
            <ul class="mt-2 list-disc space-y-1 pl-4 text-13 text-soft">
              {details.map((detail) => (
                <li key={detail} class="break-words">
                  {detail}
                </li>
              ))}
            </ul>
          )}
          <div class="mt-4 flex flex-wrap items-center gap-3">
            {onRetry !== undefined && !isRefused && (
              <Button size="small" icon="refresh-cw" isBusy={isBusy} onClick={retry}>
                {t('Try again')}
              </Button>
            )}
            {requestId !== null && <RequestId id={requestId} />}
          </div>
        </div>
      </div>
    </div>
  )
}

interface Query<Data> {
  data: Data | undefined
  error: unknown
  refetch: () => unknown
}

export function Loaded<Data>({
  query: { data, error, refetch },
  skeleton,
  isSmall = false,
  children,
}: {
  query: Query<Data>
  skeleton: VNode
  isSmall?: boolean
  children: (data: Data) => ComponentChildren
}) {
  if (data !== undefined) return <>{children(data)}</>
  return error === null ? skeleton : <ErrorState error={error} isSmall={isSmall} onRetry={refetch} />
}

/** Placeholder in the shape of the content; appears after a short delay. */
export function Skeleton({ class: className }: { class?: string }) {
  return (
    <span class="block animate-late">
      <span class={classes('block animate-breathe rounded-sm bg-neutral-4', className ?? 'h-4 w-full')} />
    </span>
  )
}

export function SkeletonRows({ count = 6, label = t('Loading') }: { count?: number; label?: string }) {
  return (
    <div role="status" aria-label={label}>
      {Array.from({ length: count }, (_, index) => (
        <div key={index} class="flex h-(--row) items-center gap-4 border-b border-line px-3 last:border-0">
          <Skeleton class="size-3 rounded-full" />
          <div class="flex-1">
            <Skeleton class={classes('h-3', ['w-3/5', 'w-2/5', 'w-1/2', 'w-2/3'][index % 4])} />
          </div>
          <Skeleton class="h-3 w-16" />
        </div>
      ))}
    </div>
  )
}
