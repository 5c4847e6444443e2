import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { readStored, writeStored } from '../app/stored.ts'
import { t } from '../words/words.ts'
import { classes } from './classes.ts'
import { Icon } from './icon.tsx'
import { Link } from './link.tsx'

const STORAGE_KEY = 'octavo:split'
/** Widths of the list as fractions of the whole. */
const [NARROWEST, WIDEST, FIRST] = [0.25, 0.75, 0.5]
const STEP = 0.05

interface SplitViewProps {
  list: ComponentChildren
  /** Null gives the list the full width. */
  detail: ComponentChildren | null
  backHref: string
  backLabel: string
  name: string
}

/** A list with the detail next to it; on phones, the detail is a separate page with a back link. */
export function SplitView({ list, detail, backHref, backLabel, name }: SplitViewProps) {
  const [fraction, setPart] = useSplitFraction(name)
  const whole = useRef<HTMLDivElement>(null)
  const isOpen = detail !== null
  return (
    <div ref={whole} class="flex min-h-0 min-w-0 flex-1">
      <div
        class={classes('flex min-h-0 min-w-0 flex-col', isOpen ? 'max-md:hidden' : 'flex-1')}
        style={isOpen ? { flex: `0 0 ${fraction * 100}%` } : { flex: '' }}
      >
        {list}
      </div>
      {isOpen && (
        <>
          {/* Moved by pointer, or by arrow keys when focused. */}
          <div
            role="separator"
            aria-orientation="vertical"
            aria-label={t('Width of the list')}
            aria-valuenow={Math.round(fraction * 100)}
            aria-valuemin={NARROWEST * 100}
            aria-valuemax={WIDEST * 100}
            tabIndex={0}
            class="relative z-1 w-px shrink-0 cursor-col-resize bg-line transition-colors hover:bg-accent-8 focus-visible:bg-accent-8 max-md:hidden before:absolute before:inset-y-0 before:-inset-x-1 before:content-['']"
            onKeyDown={(event) => {
              const step = { ArrowLeft: -STEP, ArrowRight: STEP }[event.key]
              if (step === undefined) return
              event.preventDefault()
              setPart(fraction + step)
            }}
            onPointerDown={(event) => {
              event.preventDefault()
              event.currentTarget.setPointerCapture(event.pointerId)
            }}
            onPointerMove={(event) => {
              const box = whole.current?.getBoundingClientRect()
              if (box === undefined || !event.currentTarget.hasPointerCapture(event.pointerId)) return
              setPart((event.clientX - box.left) / box.width)
            }}
          />
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

function useSplitFraction(name: string): [number, (fraction: number) => void] {
  const key = `${STORAGE_KEY}:${name}`
  const [fraction, setPart] = useState(() => clampFraction(Number(readStored(key) ?? FIRST)))
  useEffect(() => writeStored(key, String(fraction)), [key, fraction])
  return [fraction, (next) => setPart(clampFraction(next))]
}

function clampFraction(fraction: number): number {
  return Number.isFinite(fraction) ? Math.min(WIDEST, Math.max(NARROWEST, fraction)) : FIRST
}
