import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { t } from '../words/words.ts'
import { classes } from './classes.ts'
import { Icon } from './icon.tsx'
import { Link } from './link.tsx'

const KEY = 'octavo:split'
/** Width of the list as a fraction of the whole. */
const [NARROWEST, WIDEST, FIRST] = [0.25, 0.75, 0.5]
const STEP = 0.05

/** A list with the detail beside it; on phones, the detail is a separate page with a back link. */
export function SplitView({
  list,
  detail,
  backHref,
  backLabel,
  name,
}: {
  list: ComponentChildren
  /** Null gives the list the full width. */
  detail: ComponentChildren | null
  /** URL that shows only the list. */
  backHref: string
  backLabel: string
  /** Key under which the width is stored. */
  name: string
}) {
  const [part, setPart] = usePart(name)
  const whole = useRef<HTMLDivElement>(null)
  const isOpen = detail !== null
  return (
    <div ref={whole} class="flex min-h-0 min-w-0 flex-1">
      <div
        class={classes('flex min-h-0 min-w-0 flex-col', isOpen ? 'max-md:hidden' : 'flex-1')}
        style={isOpen ? { flex: `0 0 ${part * 100}%` } : { flex: '' }}
      >
        {list}
      </div>
      {isOpen && (
        <>
          <Divider part={part} onChange={setPart} whole={whole} />
          <section class="flex min-h-0 min-w-0 flex-1 flex-col max-md:animate-slide" aria-label={t('Detail')}>
            <div class="border-b border-line px-2 md:hidden">
              <Link
                look="none"
                href={backHref}
                class="inline-flex h-11 items-center gap-1.5 px-2 text-14 text-soft"
              >
                <Icon name="chevron-left" />
                {backLabel}
              </Link>
            </div>
            {detail}
          </section>
        </>
      )}
    </div>
  )
}

/** Moved by pointer, or by arrow keys when focused. */
function Divider({
  part,
  onChange,
  whole,
}: {
  part: number
  onChange: (part: number) => void
  whole: { current: HTMLDivElement | null }
}) {
  return (
    <div
      role="separator"
      aria-orientation="vertical"
      aria-label={t('Width of the list')}
      aria-valuenow={Math.round(part * 100)}
      aria-valuemin={NARROWEST * 100}
      aria-valuemax={WIDEST * 100}
      tabIndex={0}
      class="relative z-1 w-px shrink-0 cursor-col-resize bg-line transition-colors hover:bg-accent-8 focus-visible:bg-accent-8 max-md:hidden before:absolute before:inset-y-0 before:-inset-x-1 before:content-['']"
      onKeyDown={(event) => {
        const step = { ArrowLeft: -STEP, ArrowRight: STEP }[event.key]
        if (step === undefined) return
        event.preventDefault()
        onChange(part + step)
      }}
      onPointerDown={(event) => {
        event.preventDefault()
        event.currentTarget.setPointerCapture(event.pointerId)
      }}
      onPointerMove={(event) => {
        const box = whole.current?.getBoundingClientRect()
        if (box === undefined || !event.currentTarget.hasPointerCapture(event.pointerId)) return
        onChange((event.clientX - box.left) / box.width)
      }}
    />
  )
}

function usePart(name: string): [number, (part: number) => void] {
  const key = `${KEY}:${name}`
  const [part, setPart] = useState(() => {
    try {
      return bounded(Number(localStorage.getItem(key) ?? FIRST))
    } catch {
      return FIRST
    }
  })
  useEffect(() => {
    try {
      localStorage.setItem(key, String(part))
    } catch {
      // Without storage, the width lasts until the page is closed.
    }
  }, [key, part])
  return [part, (next) => setPart(bounded(next))]
}

function bounded(part: number): number {
  return Number.isFinite(part) ? Math.min(WIDEST, Math.max(NARROWEST, part)) : FIRST
}
