import type { ComponentChildren } from 'preact'
import { StatusDot, type Tone } from '../ui/badge.tsx'
import { classes } from '../ui/classes.ts'
import { Link } from '../ui/link.tsx'
import { PlainText } from '../ui/plain-text.tsx'

interface StateRowProps {
  href: string
  isChosen: boolean
  state: { label: string; tone: Tone }
  title: string
  about: string | null
  isMono?: boolean
  end: ComponentChildren
}

export function StateRow({ href, isChosen, state, title, about, isMono = false, end }: StateRowProps) {
  return (
    <li class="border-b border-line">
      <Link
        look="none"
        href={href}
        aria-current={isChosen ? 'true' : undefined}
        class={classes(
          'flex min-h-(--row) items-center gap-x-3 gap-y-0.5 -mx-2 rounded-sm px-2 py-1.5 outline-offset-[-2px] max-md:flex-wrap max-md:py-2',
          isChosen ? 'bg-selected' : 'hover:bg-hover',
        )}
      >
        <span class="shrink-0 text-13 max-md:order-1 max-md:text-12 md:w-24">
          <StatusDot {...state} />
        </span>
        <span class="min-w-0 flex-1 max-md:basis-full">
          <span class={classes('block truncate', isMono ? 'font-mono text-13' : 'font-medium')}>
            <PlainText text={title} />
          </span>
          {about !== null && (
            <span class="block truncate text-12 text-soft">
              <PlainText text={about} />
            </span>
          )}
        </span>
        <span class="shrink-0 text-12 text-soft max-md:order-2">{end}</span>
      </Link>
    </li>
  )
}
