import { classes } from '../../ui/classes.ts'
import { Icon } from '../../ui/icon.tsx'

/**
 * Chooses a row: the box, and with Shift all from the last chosen one to this. Seen when one points at the row. Two
 * elements, since every row of a long list has it.
 */
export function RowBox({
  label,
  isOn,
  isPartly = false,
  isShown,
  onToggle,
}: {
  label: string
  isOn: boolean
  /** Some of what it stands for is chosen. */
  isPartly?: boolean
  /** Also without pointing at it. */
  isShown: boolean
  onToggle: (isRange: boolean) => void
}) {
  return (
    <label
      class={classes(
        'relative flex w-10 shrink-0 items-center justify-center coarse:w-11',
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
