import { classes } from '../../ui/classes.ts'
import { Icon } from '../../ui/icon.tsx'

/** For what gives way to such a box. */
export const OVER = 'not-coarse:group-hover:opacity-0 not-coarse:group-has-[input:focus]:opacity-0'

/** Where a row begins: below the title of the page, in a wide list and in a narrow one. */
const EDGES = {
  wide: { row: 'pl-6', box: 'w-12 pl-6' },
  narrow: { row: 'pl-4', box: 'w-10 pl-4' },
} as const
export type Edge = keyof typeof EDGES

/** For what follows such a box. */
export function besideBox(edge: Edge, maySelect: boolean, isShown: boolean): string {
  if (!maySelect) return EDGES[edge].row
  return isShown ? 'pl-2 coarse:pl-1' : `${EDGES[edge].row} coarse:pl-1`
}

/**
 * Chooses a row: the box, and with Shift all from the last chosen one to this. Seen when one points at the row. Two
 * elements, since every row of a long list has it.
 */
export function RowBox({
  label,
  isOn,
  isPartly = false,
  isShown,
  over,
  onToggle,
}: {
  label: string
  isOn: boolean
  /** Some of what it stands for is chosen. */
  isPartly?: boolean
  /** Also without pointing at it. */
  isShown: boolean
  /** Until then it has no room of its own: it takes the place of what the row begins with, by `OVER`. */
  over?: Edge
  onToggle: (isRange: boolean) => void
}) {
  return (
    <label
      class={classes(
        'relative flex shrink-0 items-center coarse:w-11 coarse:justify-center coarse:pl-0',
        over === undefined ? 'w-10 justify-center' : EDGES[over].box,
        over !== undefined &&
          !isShown &&
          'not-coarse:absolute not-coarse:inset-y-0 not-coarse:left-0 not-coarse:z-1',
        !isShown && 'not-coarse:opacity-0 group-hover:opacity-100 focus-within:opacity-100',
      )}
      onClickCapture={(event) => {
        if (!event.shiftKey) return
        event.preventDefault()
        event.stopPropagation()
        onToggle(true)
      }}
    >
      <input
        type="checkbox"
        class="size-4 appearance-none rounded-sm border border-edge bg-raised checked:border-accent-9 checked:bg-accent-9 indeterminate:border-accent-9 indeterminate:bg-accent-9"
        checked={isOn}
        indeterminate={isPartly}
        aria-label={label}
        onChange={() => onToggle(false)}
      />
      {isOn && (
        <Icon
          name={isPartly ? 'minus' : 'check'}
          size={12}
          class="pointer-events-none absolute text-on-accent"
        />
      )}
    </label>
  )
}
