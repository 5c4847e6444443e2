import type { ComponentChildren } from 'preact'
import { t } from '../words/words.ts'
import { Icon } from './icon.tsx'
import { Link } from './link.tsx'

interface PanelProps {
  title: ComponentChildren
  about?: ComponentChildren
  actions?: ComponentChildren
  /** URL without the panel, to which Escape also navigates. */
  closeHref: string
  children: ComponentChildren
}

export function Panel({ title, about, actions, closeHref, children }: PanelProps) {
  return (
    <div class="flex min-h-0 flex-1 flex-col overflow-y-auto px-5 py-4 max-md:px-4">
      <div class="mb-3 flex flex-wrap items-start gap-x-3 gap-y-2">
        <div class="min-w-40 flex-1">
          <h2 class="line-clamp-3 text-14 font-semibold break-words" dir="auto">
            {title}
          </h2>
          {about !== undefined && <div class="text-12 break-words text-soft">{about}</div>}
        </div>
        {actions}
        <Link
          look="none"
          href={closeHref}
          aria-label={t('Close')}
          title={t('Close (Esc)')}
          class="inline-flex size-7 items-center justify-center rounded-sm text-soft hover:bg-hover max-md:hidden"
        >
          <Icon name="x" />
        </Link>
      </div>
      {children}
    </div>
  )
}
