/** Bordered list of a few items, each with a title, a description and actions. */
import type { ComponentChildren } from 'preact'
import { PlainText } from './plain-text.tsx'

export function ItemRows({ label, children }: { label: string; children: ComponentChildren }) {
  if (Array.isArray(children) && children.length === 0) return null
  return (
    <ul class="mb-3 divide-y divide-line rounded-md border border-line" aria-label={label}>
      {children}
    </ul>
  )
}

export function ItemRow({
  title,
  about,
  sign,
  children,
}: {
  title: ComponentChildren
  about?: ComponentChildren
  sign?: ComponentChildren
  children?: ComponentChildren
}) {
  return (
    <li class="flex flex-wrap items-center gap-x-3 gap-y-1 px-3 py-2 coarse:min-h-(--control)">
      {sign}
      <div class="min-w-0 flex-1 basis-52">
        <div class="break-words">{typeof title === 'string' ? <PlainText text={title} /> : title}</div>
        {about !== undefined && <p class="text-13 break-words text-soft">{about}</p>}
      </div>
      {children}
    </li>
  )
}
