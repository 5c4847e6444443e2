import { useEffect, useRef, useState } from 'preact/hooks'
import type uPlot from 'uplot'
import { onSchemeChange } from '../app/scheme.ts'
import { language, plural, t } from '../words/words.ts'
import { IconButton } from './button.tsx'
import { classes } from './classes.ts'
import { formatCount } from './numbers.ts'

export interface ChartLine {
  label: string
  /** 1 to 5: colors distinguishable with every type of color blindness; each also has its own dash pattern. */
  colour: 1 | 2 | 3 | 4 | 5
  /** One value per day; null for days without data. */
  values: readonly (number | null)[]
}

const DASHES: Record<ChartLine['colour'], number[]> = {
  1: [],
  2: [6, 3],
  3: [2, 2],
  4: [10, 3, 2, 3],
  5: [4, 4],
}
const LABEL_PX = 12
/** Distances between the grid lines: 1, 2, 5, 10, up to billions. */
const SCALE_STEPS = Array.from({ length: 10 }, (_, power) =>
  [1, 2, 5].map((step) => step * 10 ** power),
).flat()
const COLOURS = [
  '--color-faint',
  '--color-line',
  '--color-page',
  '--color-chart-1',
  '--color-chart-2',
  '--color-chart-3',
  '--color-chart-4',
  '--color-chart-5',
] as const

const shortNumberFormat = new Intl.NumberFormat(language, { notation: 'compact' })
const shortDayFormat = new Intl.DateTimeFormat(language, { day: 'numeric', month: 'short', timeZone: 'UTC' })
const longDayFormat = new Intl.DateTimeFormat(language, { dateStyle: 'full', timeZone: 'UTC' })

/** Resolves colors with probe elements in one pass, because canvas does not support `light-dark()`. */
function resolveColours<Name extends string>(names: readonly Name[]): Record<Name, string> {
  const probes = document.createElement('span')
  for (const name of names) {
    const probe = document.createElement('span')
    probe.style.color = `var(${name})`
    probes.append(probe)
  }
  document.body.append(probes)
  const colours = names.map((name, index) => [
    name,
    getComputedStyle(probes.children[index] as Element).color,
  ])
  probes.remove()
  return Object.fromEntries(colours) as Record<Name, string>
}

interface ChartProps {
  label: string
  /** `2026-11-21`, oldest first. */
  days: readonly string[]
  lines: readonly ChartLine[]
  height?: number
  format?: (value: number) => string
}

/**
 * Line chart over days: thin lines from zero with a label at the end, and the values as a table on request. An
 * incomplete last day is drawn as separate hollow dots, because a line would appear to drop. The size is reserved
 * before drawing, to avoid layout shifts.
 */
export function Chart({ label, days, lines, height = 200, format = formatCount }: ChartProps) {
  const [isTable, setTable] = useState(false)
  const [at, setAt] = useState<number | null>(null)
  // Days are in UTC, as on the server.
  const isOpen = days.at(-1) === new Date().toISOString().slice(0, 10)
  const shown = { label, days, lines, height, format, isOpen }
  return (
    <figure class="relative" aria-label={label}>
      <div class="mb-2 flex min-h-7 items-center gap-x-4 gap-y-1 text-13 max-md:items-start">
        <ul class="flex min-w-0 flex-1 flex-wrap gap-x-4 gap-y-1 max-md:grid max-md:grid-cols-[repeat(2,auto)] max-md:justify-start max-md:gap-x-3 max-md:text-12">
          {lines.map((line) => (
            <li key={line.label} class="flex items-center gap-2 md:whitespace-nowrap">
              <LineKey colour={line.colour} />
              <span class="text-soft">{line.label}</span>
              <span class="font-medium tabular-nums">{valueAt(line, at, format)}</span>
            </li>
          ))}
          {isOpen && !isTable && (
            <li class="flex items-center gap-2 text-faint">
              <span class="flex w-[18px] justify-center" aria-hidden="true">
                <span class="size-[7px] rounded-full border-[1.5px] border-current" />
              </span>
              {t('Today so far')}
            </li>
          )}
        </ul>
        <span class="text-12 text-faint tabular-nums max-md:empty:hidden" aria-hidden="true">
          {at === null ? '' : formatDayLabel(days, at, isOpen)}
        </span>
        <IconButton
          icon={isTable ? 'activity' : 'list'}
          label={isTable ? t('Show as a chart') : t('Show as a table')}
          size="small"
          aria-pressed={isTable}
          onClick={() => setTable(!isTable)}
        />
      </div>
      {isTable ? <DayTable {...shown} /> : <Lines {...shown} onPoint={setAt} />}
    </figure>
  )
}

function formatDayLabel(days: readonly string[], at: number, isOpen: boolean): string {
  const day = shortDayFormat.format(new Date(`${days[at]}T00:00:00Z`))
  return isOpen && at === days.length - 1 ? t('{day}, so far', { day }) : day
}

/** Replaces the chart with a message when all values are zero. */
function Lines(props: CanvasProps) {
  if (props.lines.some(({ values }) => values.some((value) => value))) return <Canvas {...props} />
  return (
    <p class="border-y border-line py-2 text-13 text-faint">
      {plural(props.days.length, 'No data for this day.', 'No data for these {count} days.')}
    </p>
  )
}

function valueAt({ values }: ChartLine, at: number | null, format: (value: number) => string): string {
  if (at !== null) {
    const value = values[at]
    return value === null || value === undefined ? '–' : format(value)
  }
  return format(values.reduce<number>((sum, value) => sum + (value ?? 0), 0))
}

const LINE_KEY_CLASSES = {
  1: 'stroke-chart-1',
  2: 'stroke-chart-2',
  3: 'stroke-chart-3',
  4: 'stroke-chart-4',
  5: 'stroke-chart-5',
}

function LineKey({ colour }: { colour: ChartLine['colour'] }) {
  return (
    <svg width="18" height="8" aria-hidden="true" class={classes('shrink-0', LINE_KEY_CLASSES[colour])}>
      <line x1="0" y1="4" x2="18" y2="4" stroke-width="2" stroke-dasharray={DASHES[colour].join(' ')} />
    </svg>
  )
}

interface CanvasProps {
  label: string
  days: readonly string[]
  lines: readonly ChartLine[]
  height: number
  format: (value: number) => string
  /** True if the last day is incomplete. */
  isOpen: boolean
  onPoint: (index: number | null) => void
}

function Canvas({ label, days, lines, height, format, isOpen, onPoint }: CanvasProps) {
  const box = useRef<HTMLDivElement>(null)
  const point = useRef(onPoint)
  point.current = onPoint
  useEffect(() => {
    const element = box.current
    if (element === null) return
    let plot: uPlot | undefined
    let isGone = false
    const draw = async () => {
      // The chart library is loaded on demand; the space is already reserved.
      const { default: Plot } = await import('uplot')
      if (isGone) return
      plot?.destroy()
      plot = new Plot(
        buildPlotOptions({
          Plot,
          width: element.clientWidth,
          height,
          lines,
          format,
          isOpen,
          onPoint: (index) => point.current(index),
        }),
        [
          days.map((day) => Date.parse(`${day}T00:00:00Z`) / 1000),
          ...lines.flatMap(({ values }) => splitOpenDay(values, isOpen)),
        ],
        element,
      )
    }
    void draw()
    const resized = new ResizeObserver(() => {
      if (plot && element.clientWidth !== plot.width) plot.setSize({ width: element.clientWidth, height })
    })
    resized.observe(element)
    const leave = onSchemeChange(() => void draw())
    return () => {
      isGone = true
      resized.disconnect()
      leave()
      plot?.destroy()
    }
  }, [days, lines, height, format, isOpen])
  const words = isOpen ? t('{chart}. The last day is incomplete.', { chart: label }) : label
  return (
    <div ref={box} role="img" aria-label={words} style={{ height: `${height}px` }} class="overflow-hidden" />
  )
}

function splitOpenDay(values: ChartLine['values'], isOpen: boolean): (number | null)[][] {
  if (!isOpen) return [[...values]]
  const last = values.length - 1
  return [
    values.map((value, at) => (at === last ? null : value)),
    values.map((value, at) => (at === last ? value : null)),
  ]
}

function buildPlotOptions({
  Plot,
  width,
  height,
  lines,
  format,
  isOpen,
  onPoint,
}: Pick<CanvasProps, 'height' | 'lines' | 'format' | 'isOpen' | 'onPoint'> & {
  width: number
  Plot: typeof uPlot
}): uPlot.Options {
  const colours = resolveColours(COLOURS)
  const [ink, rule] = [colours['--color-faint'], colours['--color-line']]
  const font = `${LABEL_PX}px "Inter Variable", sans-serif`
  const axis = {
    stroke: ink,
    font,
    ticks: { show: false },
    grid: { stroke: rule, width: 1 },
    border: { show: false },
  }
  return {
    width,
    height,
    legend: { show: false },
    tzDate: (seconds) => Plot.tzDate(new Date(seconds * 1000), 'UTC'),
    padding: [8, 20, 0, 0],
    cursor: { y: false, drag: { x: false, y: false }, points: { size: 7 } },
    scales: { y: { range: (_, _least, most) => [0, Math.max(1, most * 1.08)] } },
    axes: [
      {
        ...axis,
        grid: { show: false },
        size: 28,
        // Keeps the first day's label clear of the zero on the other axis.
        gap: 10,
        space: 72,
        values: (_, marks) => marks.map((mark) => shortDayFormat.format(new Date(mark * 1000))),
      },
      {
        ...axis,
        size: 40,
        space: 36,
        incrs: SCALE_STEPS,
        values: (_, marks) =>
          marks.map((mark) => (mark < 10_000 ? format(mark) : shortNumberFormat.format(mark))),
      },
    ],
    series: [{}, ...lines.flatMap((line) => buildSeries(line, isOpen, colours))],
    hooks: { setCursor: [(plot) => onPoint(plot.cursor.idx ?? null)] },
  }
}

function buildSeries(
  line: ChartLine,
  isOpen: boolean,
  colours: Record<(typeof COLOURS)[number], string>,
): uPlot.Series[] {
  const { label, colour, values } = line
  const stroke = colours[`--color-chart-${colour}`]
  const whole = { label, stroke, width: 1.5, dash: DASHES[colour] }
  if (!isOpen) return [{ ...whole, points: { show: values.length === 1 } }]
  return [
    { ...whole, points: { show: values.length === 2 } },
    { label, stroke, points: { show: true, size: 7, width: 1.5, fill: colours['--color-page'] } },
  ]
}

function DayTable({ label, days, lines, height, format, isOpen }: Omit<CanvasProps, 'onPoint'>) {
  return (
    <section
      aria-label={label}
      tabIndex={0}
      class="overflow-auto rounded-sm border border-line"
      style={{ height: `${height}px` }}
    >
      <table class="w-full text-13">
        <caption class="sr-only">{label}</caption>
        <thead class="sticky top-0 bg-sunken">
          <tr>
            <th scope="col" class="h-8 px-3 text-left text-12 font-medium text-soft">
              {t('Day')}
            </th>
            {lines.map((line) => (
              <th key={line.label} scope="col" class="h-8 px-3 text-right text-12 font-medium text-soft">
                {line.label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {[...days.keys()].reverse().map((index) => (
            <tr key={days[index]} class="border-t border-line">
              <th
                scope="row"
                class="h-7 px-3 text-left font-normal whitespace-nowrap"
                title={longDayFormat.format(new Date(`${days[index]}T00:00:00Z`))}
              >
                {formatDayLabel(days, index, isOpen)}
              </th>
              {lines.map((line) => {
                const value = line.values[index]
                return (
                  <td key={line.label} class="h-7 px-3 text-right tabular-nums">
                    {value === null || value === undefined ? '–' : format(value)}
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
