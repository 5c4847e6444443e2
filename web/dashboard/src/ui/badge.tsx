import type { ComponentChildren } from 'preact'
import { classes } from './classes.ts'

export type Tone = 'neutral' | 'accent' | 'success' | 'warning' | 'danger' | 'info'

const BADGE_CLASSES: Record<Tone, string> = {
  neutral: 'bg-neutral-4 text-soft',
  accent: 'bg-accent-3 text-accent-11',
  success: 'bg-success-ground text-success',
  warning: 'bg-warning-ground text-warning',
  danger: 'bg-danger-ground text-danger',
  info: 'bg-info-ground text-info',
}

interface BadgeProps {
  tone?: Tone
  children: ComponentChildren
  title?: string
}

export function Badge({ tone = 'neutral', children, title }: BadgeProps) {
  return (
    <span
      title={title}
      class={classes(
        'inline-flex h-5 items-center gap-1 rounded-sm px-1.5 text-12 font-medium whitespace-nowrap',
        BADGE_CLASSES[tone],
      )}
    >
      {children}
    </span>
  )
}

const DOTS: Record<Tone, string> = {
  neutral: 'border-neutral-8',
  accent: 'border-accent-8 bg-accent-8',
  success: 'border-success-solid bg-success-solid',
  warning: 'border-warning-solid bg-warning-solid',
  danger: 'border-danger-solid bg-danger-solid',
  info: 'border-info-solid bg-info-solid',
}

interface StatusDotProps {
  tone: Tone
  label: string
  isShown?: boolean
  isLive?: boolean
}

/** State as a dot next to its label, which is always read by screen readers. `neutral` is a hollow dot. */
export function StatusDot({ tone, label, isShown = true, isLive = false }: StatusDotProps) {
  return (
    <span class="inline-flex items-center gap-2 whitespace-nowrap" title={isShown ? undefined : label}>
      <span
        data-dot
        class={classes(
          'size-2 shrink-0 rounded-full border-[1.5px]',
          DOTS[tone],
          isLive && 'animate-breathe',
        )}
      />
      <span class={isShown ? '' : 'sr-only'}>{label}</span>
    </span>
  )
}
