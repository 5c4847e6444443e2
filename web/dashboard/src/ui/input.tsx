import type { InputHTMLAttributes, Ref, SelectHTMLAttributes, TextareaHTMLAttributes } from 'preact'
import { useState } from 'preact/hooks'
import { t } from '../words/words.ts'
import { IconButton } from './button.tsx'
import { classes } from './classes.ts'
import { Icon } from './icon.tsx'

const BOX_CLASS =
  'w-full min-w-0 rounded-sm border border-edge bg-raised text-14 transition-colors outline-offset-[-1px] ' +
  'hover:border-neutral-9 disabled:border-line-strong disabled:bg-sunken disabled:text-soft aria-invalid:border-danger-solid max-md:text-16'

type InputProps = Omit<InputHTMLAttributes<HTMLInputElement>, 'class' | 'size' | 'ref'> & {
  class?: string
  inputRef?: Ref<HTMLInputElement>
  /** For ids, URLs and code: disables spell checking and autocomplete unless the caller overrides it. */
  isMono?: boolean
  size?: 'medium' | 'small'
}

const VERBATIM_INPUT_PROPS = { spellcheck: false, autocapitalize: 'off', autocomplete: 'off' } as const

export function Input({ class: className, inputRef, isMono = false, size = 'medium', ...more }: InputProps) {
  const looks = classes(
    BOX_CLASS,
    size === 'medium' ? 'h-9 px-3' : 'h-8 px-2.5 text-13',
    'coarse:h-(--control)',
    isMono && 'font-mono text-13',
    'read-only:border-line-strong read-only:bg-sunken read-only:hover:border-line-strong',
    className,
  )
  const verbatimProps = isMono ? VERBATIM_INPUT_PROPS : {}
  return (
    <input {...(inputRef ? { ref: inputRef } : {})} class={looks} {...verbatimProps} {...(more as object)} />
  )
}

export function PasswordInput(props: InputProps) {
  const [isShown, setShown] = useState(false)
  return (
    <div class="relative">
      <Input {...props} type={isShown ? 'text' : 'password'} class="pr-10" spellcheck={false} />
      <IconButton
        icon="eye"
        size="small"
        label={isShown ? t('Hide the password') : t('Show the password')}
        aria-pressed={isShown}
        class="absolute top-1/2 right-1 -translate-y-1/2"
        onClick={() => setShown(!isShown)}
      />
    </div>
  )
}

type SearchProps = InputProps & { onClear?: () => void }

export function SearchInput({ class: className, onClear, ...more }: SearchProps) {
  const isEmpty = more.value === '' || more.value === undefined
  return (
    <div class={classes('relative', className)}>
      <Icon
        name="search"
        size={14}
        class="pointer-events-none absolute top-1/2 left-2.5 -translate-y-1/2 text-faint"
      />
      <Input type="search" {...more} size="small" class="pr-8! pl-8!" />
      {!isEmpty && onClear && (
        <IconButton
          icon="x"
          size="small"
          label={t('Clear')}
          class="absolute top-1/2 right-0.5 -translate-y-1/2"
          onClick={onClear}
        />
      )}
    </div>
  )
}

type TextareaProps = Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, 'class' | 'ref'> & {
  class?: string
  textareaRef?: Ref<HTMLTextAreaElement>
  isMono?: boolean
}

/** Grows with its text, up to half of the window. */
export function Textarea({ class: className, textareaRef, isMono = false, ...more }: TextareaProps) {
  const looks = classes(
    BOX_CLASS,
    'field-sizing-content max-h-[50vh] min-h-20 resize-y px-3 py-2',
    isMono && 'font-mono text-13',
    className,
  )
  return <textarea {...(textareaRef ? { ref: textareaRef } : {})} class={looks} {...(more as object)} />
}

type SelectProps = Omit<SelectHTMLAttributes<HTMLSelectElement>, 'class' | 'size' | 'onChange'> & {
  options: readonly { value: string; label: string; isOff?: boolean }[]
  onChange: (value: string) => void
  size?: 'medium' | 'small'
  /** Takes the width from `class` instead of its longest option. */
  isFluid?: boolean
  isQuiet?: boolean
  class?: string
}

/** Native select, which is familiar and works well on phones. */
export function Select({
  options,
  onChange,
  size = 'medium',
  isFluid = false,
  isQuiet = false,
  class: className,
  value,
  ...more
}: SelectProps) {
  return (
    // A width in percent would be circular in a box that is sized by its content.
    <span class={classes('relative inline-flex max-w-full', className)}>
      <select
        class={classes(
          BOX_CLASS,
          'w-auto! grow appearance-none truncate pr-8 pl-3',
          isFluid ? '' : 'min-w-max!',
          isQuiet && 'border-transparent! bg-transparent! hover:border-edge!',
          size === 'medium' ? 'h-9 coarse:h-(--control)' : 'h-8 coarse:h-(--control) md:text-13!',
        )}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
        {...(more as object)}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value} disabled={option.isOff === true}>
            {option.label}
          </option>
        ))}
      </select>
      <Icon
        name="chevron-down"
        size={14}
        class="pointer-events-none absolute top-1/2 right-2.5 -translate-y-1/2 text-soft"
      />
    </span>
  )
}
