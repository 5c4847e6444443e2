import type { ButtonHTMLAttributes, ComponentChildren } from 'preact'
import { classes } from './classes.ts'
import { Icon } from './icon.tsx'
import type { IconName } from './icon-names.ts'
import { Link } from './link.tsx'

type Look = 'primary' | 'secondary' | 'quiet' | 'danger'

const BASE =
  'inline-flex items-center justify-center gap-1.5 rounded-sm font-medium whitespace-nowrap select-none transition-colors ' +
  'disabled:opacity-50 aria-disabled:opacity-50 disabled:pointer-events-none'
const LOOKS: Record<Look, string> = {
  primary: 'bg-accent-9 text-on-accent hover:bg-accent-10 shadow-low',
  secondary:
    'bg-raised text-text border border-line-strong hover:bg-neutral-3 active:bg-neutral-4 shadow-low aria-pressed:bg-neutral-4',
  quiet:
    'text-soft hover:text-text hover:bg-hover active:bg-pressed aria-expanded:bg-pressed aria-pressed:bg-pressed',
  danger: 'bg-danger-solid text-on-accent hover:opacity-90 shadow-low',
}
const SIZES = {
  /** Size for the only action on a page. */
  large: 'h-10 coarse:h-(--control) px-4 text-14',
  medium: 'h-(--control) px-3 text-14',
  small: 'h-7 coarse:h-(--control) px-2 text-13',
}

interface LookProps {
  look?: Look
  size?: keyof typeof SIZES
  icon?: IconName
  class?: string
}

type ButtonProps = LookProps &
  Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'class' | 'size' | 'icon'> & {
    /** True while a request is pending: shows a spinner after a short delay and ignores further clicks. */
    isBusy?: boolean
    children: ComponentChildren
  }

export function Button({
  look = 'secondary',
  size = 'medium',
  icon,
  isBusy = false,
  class: className,
  children,
  onClick,
  ...more
}: ButtonProps) {
  return (
    <button
      type="button"
      class={classes(BASE, LOOKS[look], SIZES[size], className)}
      aria-disabled={isBusy || undefined}
      aria-busy={isBusy || undefined}
      onClick={(event) => (isBusy ? event.preventDefault() : onClick?.(event))}
      {...more}
    >
      {isBusy ? <Busy /> : icon && <Icon name={icon} />}
      {children}
    </button>
  )
}

export function ButtonLink({
  look = 'secondary',
  size = 'medium',
  icon,
  class: className,
  href,
  children,
  ...more
}: LookProps & { href: string; children: ComponentChildren; download?: string; target?: string }) {
  return (
    <Link look="none" href={href} class={classes(BASE, LOOKS[look], SIZES[size], className)} {...more}>
      {icon && <Icon name={icon} />}
      {children}
    </Link>
  )
}

type IconButtonProps = Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'class' | 'size' | 'icon' | 'label'> & {
  icon: IconName
  /** Shown as a tooltip and read by screen readers. */
  label: string
  keys?: string
  look?: Look
  size?: 'medium' | 'small'
  class?: string
}

export function IconButton({
  icon,
  label,
  keys,
  look = 'quiet',
  size = 'medium',
  class: className,
  ...more
}: IconButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      title={keys === undefined ? label : `${label} (${keys})`}
      class={classes(
        BASE,
        LOOKS[look],
        size === 'medium' ? 'size-(--control)' : 'size-7 coarse:size-(--control)',
        className,
      )}
      {...more}
    >
      <Icon name={icon} />
    </button>
  )
}

export function Busy() {
  return (
    <span class="inline-flex size-4 items-center justify-center" aria-hidden="true">
      <span class="animate-late">
        <span class="block size-3 animate-turn rounded-full border-2 border-current border-r-transparent" />
      </span>
    </span>
  )
}
