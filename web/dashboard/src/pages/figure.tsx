/** Key figures with links to their details, and the change against the previous period. */

import type { ComponentChildren } from 'preact'
import { classes } from '../ui/classes.ts'
import { Icon } from '../ui/icon.tsx'
import { Link } from '../ui/link.tsx'
import { formatShortCount } from '../ui/numbers.ts'
import { Skeleton } from '../ui/states.tsx'
import { plural, rich, t } from '../words/words.ts'

export function FigureGrid({ children }: { children: ComponentChildren }) {
  return (
    <div class="@container">
      <div class="grid grid-cols-2 overflow-hidden rounded-md border border-line bg-raised @min-[760px]:grid-cols-4">
        {children}
      </div>
    </div>
  )
}

export function FigureSkeletons() {
  return (
    <div class="grid grid-cols-2 overflow-hidden rounded-md border border-line @xl:grid-cols-4">
      {[0, 1, 2, 3].map((index) => (
        <div key={index} class="-mr-px -mb-px h-[123px] border-r border-b border-line px-5 py-4">
          <Skeleton class="h-4 w-20" />
          <Skeleton class="mt-3 h-8 w-16" />
          <Skeleton class="mt-3 h-3 w-32" />
        </div>
      ))}
    </div>
  )
}

interface FigureProps {
  label: string
  value: string
  /** Exact value, when `value` is shortened. */
  exact?: string
  href: string
  about: ComponentChildren
}

export function Figure({ label, value, exact, href, about }: FigureProps) {
  return (
    <Link
      look="none"
      href={href}
      class={classes(
        'group -mr-px -mb-px block min-w-0 border-r border-b border-line px-5 py-4 outline-offset-[-2px] hover:bg-hover',
        'max-md:px-4 max-md:py-3',
      )}
    >
      <span class="flex items-center justify-between text-13 text-soft">
        {label}
        <Icon name="arrow-right" size={14} class="text-faint opacity-0 group-hover:opacity-100" />
      </span>
      <span
        class="mt-1 block truncate text-30 font-semibold tracking-tight tabular-nums max-md:text-24"
        title={exact}
      >
        {value}
      </span>
      <span class="mt-1 block min-h-5 text-13 text-soft">{about}</span>
    </Link>
  )
}

export function CountChange({ now, before, days }: { now: number; before: number; days: number }) {
  if (before === 0) return t('None before')
  if (now === before) return t('Same as before')
  return <Change isUp={now > before} amount={formatShortCount(Math.abs(now - before))} days={days} />
}

interface ChangeProps {
  isUp: boolean
  isGood?: boolean
  amount: string
  days: number
}

/** Change against the previous period; neutral without `isGood`. */
export function Change({ isUp, isGood, amount, days }: ChangeProps) {
  const tone = isGood === undefined ? 'text-soft' : isGood ? 'text-success' : 'text-danger'
  const parts = {
    amount,
    strong: (inner: ComponentChildren) => (
      <span class={classes('font-medium whitespace-nowrap', tone)}>
        <Icon name={isUp ? 'arrow-up' : 'arrow-down'} size={12} class="mr-0.5 inline-block align-[-1px]" />
        {inner}
      </span>
    ),
  }
  return (
    <span title={plural(days, 'Compared with the day before', 'Compared with the {count} days before')}>
      {isUp
        ? rich('<strong>{amount} more</strong> than before', parts)
        : rich('<strong>{amount} less</strong> than before', parts)}
    </span>
  )
}
