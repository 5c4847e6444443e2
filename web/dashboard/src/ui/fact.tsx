import type { ComponentChildren } from 'preact'

interface PartProps {
  title: string
  class?: string
  children: ComponentChildren
}

export function Part({ title, class: looks, children }: PartProps) {
  return (
    <section class={looks}>
      <h2 class="mb-2 text-12 font-medium text-faint">{title}</h2>
      {children}
    </section>
  )
}

export function Fact({ label, children }: { label: string; children: ComponentChildren }) {
  return (
    <div class="flex items-baseline gap-3">
      <dt class="w-24 shrink-0 text-soft">{label}</dt>
      <dd class="min-w-0 flex-1 break-words">{children}</dd>
    </div>
  )
}

export function FactRows({
  rows,
}: {
  rows: readonly (readonly [label: string, value: ComponentChildren])[]
}) {
  return (
    <dl class="divide-y divide-line rounded-md border border-line bg-raised text-13">
      {rows.map(([label, value]) => (
        <div key={label} class="flex flex-wrap justify-between gap-x-4 px-4 py-2">
          <dt class="text-soft">{label}</dt>
          <dd class="min-w-0 text-right break-words tabular-nums text-text">{value}</dd>
        </div>
      ))}
    </dl>
  )
}
