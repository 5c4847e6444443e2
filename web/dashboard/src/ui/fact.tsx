import type { ComponentChildren } from 'preact'

/** Row of a `<dl>` of facts. */
export function Fact({ label, children }: { label: string; children: ComponentChildren }) {
  return (
    <div class="flex items-baseline gap-3">
      <dt class="w-24 shrink-0 text-soft">{label}</dt>
      <dd class="min-w-0 flex-1 break-words">{children}</dd>
    </div>
  )
}
