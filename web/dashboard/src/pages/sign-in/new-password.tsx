import { PasswordField } from '../../ui/text-field.tsx'
import { t } from '../../words/words.ts'

export const LEAST_CHARACTERS = 12

/** A password that is being chosen. */
export function NewPasswordField({
  label = 'Password',
  value,
  onChange,
  error,
}: {
  label?: string
  value: string
  onChange: (value: string) => void
  error?: string | undefined
}) {
  const missing = LEAST_CHARACTERS - [...value].length
  return (
    <PasswordField
      label={label}
      error={error}
      hint={
        value !== '' && missing > 0
          ? `${missing} more ${missing === 1 ? 'character' : 'characters'}.`
          : t('At least 12 characters. A few unrelated words are good.')
      }
      required
      minLength={LEAST_CHARACTERS}
      autocomplete="new-password"
      value={value}
      onText={onChange}
    />
  )
}
