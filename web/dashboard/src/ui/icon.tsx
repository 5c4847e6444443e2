import { ICONS } from 'virtual:icons'
import { h } from 'preact'
import { classes } from './classes.ts'
import type { IconName } from './icon-names.ts'

interface IconProps {
  name: IconName
  size?: 12 | 14 | 16 | 20 | 24
  label?: string
  class?: string
}

/** Icon, hidden from screen readers unless it has a `label`. */
export function Icon({ name, size = 16, label, class: className }: IconProps) {
  const strokes = ICONS[name] ?? []
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      stroke-width={size >= 20 ? 1.5 : 1.75}
      stroke-linecap="round"
      stroke-linejoin="round"
      class={classes('shrink-0', className)}
      {...(label === undefined ? { 'aria-hidden': true } : { role: 'img', 'aria-label': label })}
    >
      {strokes.map(([tag, attributes]) => h(tag, attributes))}
    </svg>
  )
}
