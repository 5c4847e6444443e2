import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'
import { t } from '../words/words.ts'
import { Icon } from './icon.tsx'

/** Props that a field passes to its control, so that label, hint and error are associated with it. */
export interface FieldProps {
  id: string
  'aria-describedby'?: string
  'aria-invalid'?: true
}

/** Column of the control next to label and hint. Selects never exceed its width. */
const CONTROL_COLUMN_CLASS =
  'min-w-0 beside:col-start-2 beside:row-span-2 beside:row-start-1 [&_select]:min-w-0!'
/**
 * Size container for the fields of a group, which are laid out by the width of its column. Not used for a single
 * control, because Chromium does not show selects directly in a size container.
 */
const GROUP = `${CONTROL_COLUMN_CLASS} @container/form`
const HINT = 'mt-1.5 text-13 text-soft beside:mt-0'

export function Field({
  label,
  hint,
  error,
  isOptional = false,
  children,
}: {
  label: string
  hint?: ComponentChildren
  error?: string | undefined
  isOptional?: boolean
  children: (props: FieldProps) => ComponentChildren
}) {
  const id = useId()
  const described = [hint !== undefined && `${id}-hint`, error !== undefined && `${id}-error`]
    .filter(Boolean)
    .join(' ')
  return (
    <div class="pair mb-4 last:mb-0 beside:mb-6">
      <label for={id} class="mb-1.5 block text-13 font-medium beside:mb-0.5 beside:pt-1.5">
        {label}
        {isOptional && <span class="font-normal text-faint"> {t('– optional')}</span>}
      </label>
      <div class={CONTROL_COLUMN_CLASS}>
        {children({
          id,
          ...(described === '' ? {} : { 'aria-describedby': described }),
          ...(error === undefined ? {} : { 'aria-invalid': true as const }),
        })}
        {error !== undefined && <FieldError id={`${id}-error`}>{error}</FieldError>}
      </div>
      {hint !== undefined && (
        <p id={`${id}-hint`} class={HINT}>
          {hint}
        </p>
      )}
    </div>
  )
}

export function FieldError({ children, ...more }: { children: string; id?: string; role?: 'alert' }) {
  return (
    <p {...more} class="mt-1.5 flex items-start gap-1.5 text-13 text-danger">
      <Icon name="circle-alert" size={14} class="mt-[3px]" />
      <span class="min-w-0 break-words">{children}</span>
    </p>
  )
}

export function FieldSet({
  label,
  hint,
  error,
  children,
}: {
  label: string
  hint?: ComponentChildren
  error?: string | undefined
  children: ComponentChildren
}) {
  const id = useId()
  return (
    <fieldset
      class="pair mb-4 last:mb-0 beside:mb-6"
      {...(hint === undefined ? {} : { 'aria-describedby': id })}
    >
      {/* A legend only participates in the column layout when it floats. */}
      <legend class="mb-1.5 text-13 font-medium beside:float-left beside:mb-0.5 beside:pt-1.5">
        {label}
      </legend>
      <div class={GROUP}>
        {children}
        {error !== undefined && <FieldError>{error}</FieldError>}
      </div>
      {hint !== undefined && (
        <p id={id} class={HINT}>
          {hint}
        </p>
      )}
    </fieldset>
  )
}

/** Errors without a field, or about a form as a whole. */
export function FormError({ title, details = [] }: { title: string; details?: readonly string[] }) {
  return (
    <div role="alert" class="mb-4 flex gap-2 rounded-sm bg-danger-ground px-3 py-2 text-13 text-danger">
      <Icon name="circle-alert" class="mt-0.5" />
      <div class="min-w-0 flex-1">
        <p class="font-medium break-words">{title}</p>
        {details.length > 0 && (
          <ul class="mt-1 list-disc pl-4">
            {details.map((detail) => (
              <li key={detail} class="break-words">
                {detail}
              </li>
            ))}
          </ul>
        )}
      </div>
    </div>
  )
}
