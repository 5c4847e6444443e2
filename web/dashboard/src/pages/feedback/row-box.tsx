import { classes } from '../../ui/classes.ts'
import { Icon } from '../../ui/icon.tsx'

/** For what gives way to such a box, where the edge of the list has no room for both. */
const UNDER = 'max-md:not-coarse:opacity-0'
const UNDER_POINTED = classes(
  'max-md:not-coarse:group-hover:opacity-0',
  'max-md:not-coarse:group-has-[input:focus]:opacity-0',
)

export function underBox(maySelect: boolean, isShown: boolean): string | undefined {
  if (!maySelect) return undefined
  return isShown ? UNDER : UNDER_POINTED
}

/** A row begins below the title of the page. */
const EDGE = 'pl-6 max-md:pl-4'

/** For what follows such a box, and stays where it is whether the box is seen or not. */
export function besideBox(maySelect: boolean): string {
  return maySelect ? `${EDGE} coarse:pl-1` : EDGE
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
  /** It has no room of its own: it stands in the edge of the list, and on phones over what the row begins with. */
  isOver?: boolean
  onToggle: (isRange: boolean) => void
}) {
  return (
    <label
      class={classes(
        'relative flex shrink-0 items-center coarse:w-11 coarse:justify-center coarse:pl-0',
        isOver
          ? 'w-6 justify-center not-coarse:absolute not-coarse:inset-y-0 not-coarse:left-0 not-coarse:z-1 max-md:w-10 max-md:justify-start max-md:pl-4'
          : 'w-10 justify-center',
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
