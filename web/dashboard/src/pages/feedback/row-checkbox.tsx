import { classes } from '../../ui/classes.ts'
import { Icon } from '../../ui/icon.tsx'

/** Hides content that the checkbox overlaps when the list's padding is too narrow for both. */
const HIDDEN_UNDER_CHECKBOX_CLASS = 'max-md:not-coarse:opacity-0'
const HIDDEN_ON_HOVER_CLASS = classes(
  'max-md:not-coarse:group-hover:opacity-0',
  'max-md:not-coarse:group-has-[input:focus]:opacity-0',
)

export function checkboxOverlapClass(maySelect: boolean, isShown: boolean): string | undefined {
  if (!maySelect) return undefined
  return isShown ? HIDDEN_UNDER_CHECKBOX_CLASS : HIDDEN_ON_HOVER_CLASS
}

const EDGE = 'pl-6 max-md:pl-4'

/** Padding of content next to the checkbox, the same whether or not the checkbox is visible. */
export function besideCheckboxClass(maySelect: boolean): string {
  return maySelect ? `${EDGE} coarse:pl-1` : EDGE
}

/**
 * Checkbox that selects a row, or with Shift all rows from the last selected row. Visible on hover. Limited
 * to two elements, because every row of a long list has a checkbox.
 */
export function RowCheckbox({
  label,
  isOn,
  isPartly = false,
  isShown,
  isOver = false,
  onToggle,
}: {
  label: string
  isOn: boolean
  isPartly?: boolean
  isShown: boolean
  /** Takes no space: positioned in the list's padding, and on phones over the start of the row. */
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
