import { classes } from '../../ui/classes.ts'
import { Icon } from '../../ui/icon.tsx'

/** For what gives way to such a box. */
export const OVER = classes(
  'not-coarse:group-hover:opacity-0',
  'not-coarse:group-has-[input:focus]:opacity-0',
)

/** A row begins below the title of the page. */
const EDGE = 'pl-6 max-md:pl-4'

/** For what follows such a box. */
export function besideBox(maySelect: boolean, isShown: boolean): string {
  if (!maySelect) return EDGE
  return isShown ? 'pl-2 coarse:pl-1' : `${EDGE} coarse:pl-1`
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
  isOver = false,
  onToggle,
}: {
  label: string
  isOn: boolean
  /** Some of what it stands for is chosen. */
  isPartly?: boolean
  /** Also without pointing at it. */
  isShown: boolean
  /** Until then it has no room of its own: it takes the place of what the row begins with, by `OVER`. */
  isOver?: boolean
  onToggle: (isRange: boolean) => void
}) {
  return (
    <label
      class={classes(
        'relative flex shrink-0 items-center coarse:w-11 coarse:justify-center coarse:pl-0',
        isOver ? `w-12 max-md:w-10 ${EDGE}` : 'w-10 justify-center',
        isOver && !isShown && 'not-coarse:absolute not-coarse:inset-y-0 not-coarse:left-0 not-coarse:z-1',
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
          class="pointer-events-none absolute mx-0.5 text-on-accent"
        />
      )}
    </label>
  )
}
