import { classes } from '../../ui/classes.ts'
import { Checkbox } from '../../ui/switch.tsx'

/** Chooses a row: the box, and with Shift all from the last chosen one to this. Seen when one points at the row. */
export function RowBox({
  label,
  isOn,
  isShown,
  onToggle,
}: {
  label: string
  isOn: boolean
  /** Also without pointing at it. */
  isShown: boolean
  onToggle: (isRange: boolean) => void
}) {
  return (
    <span
      class={classes(
        'flex w-10 shrink-0 items-center justify-center coarse:w-11',
        !isShown && 'not-coarse:opacity-0 group-hover:opacity-100 focus-within:opacity-100',
      )}
      onClickCapture={(event) => {
        if (!event.shiftKey) return
        event.preventDefault()
        event.stopPropagation()
        onToggle(true)
      }}
    >
      <Checkbox isBare label={label} isOn={isOn} onChange={() => onToggle(false)} />
    </span>
  )
}
