import { Input } from '../ui/input.tsx'
import { useDebouncedInput } from './use-debounced-input.ts'

/** Earliest accepted date: while the year is being typed, the field briefly contains dates such as year 2. */
const MIN_DATE = '1970-01-01'

export function DateFilter({
  label,
  date,
  onChange,
}: {
  label: string
  date: string
  onChange: (date: string) => void
}) {
  const [typed, setTyped] = useDebouncedInput(date, (text) => {
    if (text === '' || text >= MIN_DATE) onChange(text)
  })
  return (
    <label class="flex items-center gap-1.5 text-13 text-soft max-md:flex-col max-md:items-stretch max-md:gap-1">
      {label}
      <Input
        type="date"
        size="small"
        class="w-34! max-md:w-full!"
        value={typed}
        onInput={(event) => setTyped(event.currentTarget.value)}
      />
    </label>
  )
}
