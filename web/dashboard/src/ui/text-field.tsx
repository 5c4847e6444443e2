/** Text fields: label, hint and error around a control, with the text reported as it is typed. */
import type { ComponentChildren, FunctionComponent } from 'preact'
import { Field } from './field.tsx'
import { Input, PasswordInput, Textarea } from './input.tsx'

interface Labelled {
  label: string
  hint?: ComponentChildren
  error?: string | undefined
  isOptional?: boolean
  onText?: (text: string) => void
}

function withLabel<Props extends object>(Control: FunctionComponent<Props>) {
  return ({
    label,
    hint,
    error,
    isOptional = false,
    onText,
    ...props
  }: Omit<Props, 'onInput'> & Labelled) => (
    <Field label={label} hint={hint} error={error} isOptional={isOptional}>
      {(field) => (
        <Control
          {...field}
          {...(props as unknown as Props)}
          onInput={(event: { currentTarget: { value: string } }) => onText?.(event.currentTarget.value)}
        />
      )}
    </Field>
  )
}

export const TextField = withLabel(Input)
export const PasswordField = withLabel(PasswordInput)
export const TextareaField = withLabel(Textarea)
