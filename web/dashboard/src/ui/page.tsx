import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { classes } from './classes.ts'
import { Link } from './link.tsx'

interface PageHeaderProps {
  title: string
  about?: ComponentChildren
  back?: { href: string; label: string }
  actions?: ComponentChildren
  isFull?: boolean
  children?: ComponentChildren
}

/** Header of every page: title, parent, and at most one main action. Also sets the title of the tab. */
export function PageHeader({ title, about, back, actions, isFull = false, children }: PageHeaderProps) {
  usePageTitle(title)
  return (
    <header class="shrink-0 border-b border-line px-6 max-md:px-4">
      <div
        class={classes('flex min-h-14 flex-wrap items-center gap-x-4 gap-y-2 py-3', !isFull && 'max-w-page')}
      >
        <div class="min-w-52 flex-1 max-md:min-w-0 max-md:flex-auto">
          <div class="flex min-w-0 items-baseline gap-2">
            {back && (
              <>
                <Link look="quiet" href={back.href} class="shrink-0 text-soft">
                  {back.label}
                </Link>
                <span class="text-faint" aria-hidden="true">
                  /
                </span>
              </>
            )}
            <h1
              tabIndex={-1}
              dir="auto"
              class="line-clamp-2 min-w-0 text-left text-16 font-semibold break-words"
              title={title}
            >
              {title}
            </h1>
          </div>
          {typeof about === 'string' ? (
            <p dir="auto" class="w-36 min-w-full truncate text-left text-13 text-soft" title={about}>
              {about}
            </p>
          ) : (
            about !== undefined && <div class="text-13 text-soft">{about}</div>
          )}
        </div>
        {actions !== undefined && <div class="flex flex-wrap items-center gap-2">{actions}</div>}
      </div>
      {children}
    </header>
  )
}

export function usePageTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Octavo`
  }, [title])
}

export function PageBody({ isForm = false, children }: { isForm?: boolean; children: ComponentChildren }) {
  return (
    <div class="min-h-0 flex-1 overflow-y-auto px-6 max-md:px-4" data-body>
      <div class={classes('py-6', isForm ? '@container/form max-w-forms' : '@container max-w-page')}>
        {children}
      </div>
    </div>
  )
}

interface SectionProps {
  title: string
  about?: ComponentChildren
  actions?: ComponentChildren
  children: ComponentChildren
  id?: string
}

export function Section({ title, about, actions, children, id }: SectionProps) {
  return (
    <section
      class="pair mb-10 last:mb-0 beside:mb-8 beside:border-line beside:not-first:border-t beside:not-first:pt-8"
      {...(id === undefined ? {} : { id })}
    >
      <div class="mb-3 flex flex-wrap items-center justify-between gap-x-4 gap-y-2 beside:flex-col beside:items-start beside:justify-start">
        <div class="max-w-lg">
          <h2 class="text-14 font-semibold">{title}</h2>
          {about !== undefined && <p class="text-13 text-soft">{about}</p>}
        </div>
        {actions !== undefined && <div class="flex items-center gap-2">{actions}</div>}
      </div>
      <div class="min-w-0 @container/form">{children}</div>
    </section>
  )
}
