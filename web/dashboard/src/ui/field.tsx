import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'
import { t } from '../words/words.ts'
import { classes } from './classes.ts'
import { Icon } from './icon.tsx'
import { Original } from './original.tsx'

/** What a control is told by its field, so that label, hint and error are heard with it. */
export interface FieldProps {
  id: string
  'aria-describedby'?: string
  'aria-invalid'?: true
}

/** The control, beside its label and hint; what is in it is a form of its own width, and no choice is wider. */
const BESIDE = classes(
  'min-w-0 @container/form beside:col-start-2 beside:row-span-2 beside:row-start-1',
  '[&_:has(>select)]:max-w-full',
  '[&_select]:min-w-0!',
)
const HINT = 'mt-1.5 text-13 text-soft beside:mt-0'

/** Label, control, hint and what is wrong; the control is rendered with the ids that tie them together. */
export function Field({
  label,
  hint,
  error,
  isOptional = false,
  children,
}: {
  label: string
  hint?: ComponentChildren
  /** What is wrong, as a sentence. */
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
      <div class={BESIDE}>
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

/** What is wrong, below what it is about. */
export function FieldError({ children, ...more }: { children: string; id?: string; role?: 'alert' }) {
  return (
    <p {...more} class="mt-1.5 flex items-start gap-1.5 text-13 text-danger">
      <Icon name="circle-alert" size={14} class="mt-[3px]" />
      <span class="min-w-0 break-words">{children}</span>
    </p>
  )
}

/** A set of controls with one label. */
export function FieldSet({
  label,
  hint,
  error,
  children,
}: {
  label: string
  hint?: ComponentChildren
  /** What is wrong with the set as a whole. */
  error?: string | undefined
  children: ComponentChildren
}) {
  const id = useId()
  return (
    <fieldset
      class="pair mb-4 last:mb-0 beside:mb-6"
      {...(hint === undefined ? {} : { 'aria-describedby': id })}
    >
      {/* A legend has a place in the columns only where it floats. */}
      <legend class="mb-1.5 text-13 font-medium beside:float-left beside:mb-0.5 beside:pt-1.5">
        {label}
      </legend>
      <div class={BESIDE}>
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

/** Faults that belong to no field, or to the whole of a form. */
export function FormError({
  title,
  original = null,
  details = [],
}: {
  title: string
  /** What the server says in its own language. */
  original?: string | null
  details?: readonly string[]
}) {
  return (
    <div role="alert" class="mb-4 flex gap-2 rounded-sm bg-danger-ground px-3 py-2 text-13 text-danger">
      <Icon name="circle-alert" class="mt-0.5" />
      <div class="min-w-0 flex-1">
        <p class="font-medium break-words">{title}</p>
        <Original text={original} />
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
