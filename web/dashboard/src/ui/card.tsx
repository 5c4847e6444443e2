import type { ComponentChildren } from 'preact'
import { classes } from './classes.ts'

export function Card({ children, class: className }: { children: ComponentChildren; class?: string }) {
  return (
    <div class={classes('overflow-hidden rounded-md border border-line bg-raised', className)}>
      {children}
    </div>
  )
}

interface NoticeProps {
  tone?: 'info' | 'warning' | 'danger' | 'success'
  title: string
  children?: ComponentChildren
  actions?: ComponentChildren
}

export function Notice({ tone = 'info', title, children, actions }: NoticeProps) {
  const tones = {
    info: 'bg-info-ground text-info',
    warning: 'bg-warning-ground text-warning',
    danger: 'bg-danger-ground text-danger',
    success: 'bg-success-ground text-success',
  }
  return (
    <div class={classes('mb-4 flex flex-wrap items-center gap-3 rounded-sm px-3 py-2 text-13', tones[tone])}>
      <div class="min-w-52 flex-1">
        <p class="font-medium break-words">{title}</p>
        {children !== undefined && <div class="break-words text-text">{children}</div>}
      </div>
      {actions}
    </div>
  )
}
