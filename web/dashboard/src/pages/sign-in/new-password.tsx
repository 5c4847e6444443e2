import { PasswordField } from '../../ui/text-field.tsx'
import { plural, t } from '../../words/words.ts'

export const MIN_PASSWORD_CHARACTERS = 12

export function NewPasswordField({
  label = t('Password'),
  value,
  onChange,
  error,
}: {
  label?: string
  value: string
  onChange: (value: string) => void
  error?: string | undefined
}) {
  const missing = MIN_PASSWORD_CHARACTERS - [...value].length
  return (
    <PasswordField
      label={label}
      error={error}
      hint={
        value !== '' && missing > 0
          ? plural(missing, '{count} more character.', '{count} more characters.')
          : t('At least {count} characters. A few unrelated words are good.', {
              count: MIN_PASSWORD_CHARACTERS,
            })
      }
      required
      minLength={MIN_PASSWORD_CHARACTERS}
      autocomplete="new-password"
      value={value}
      onText={onChange}
    />
  )
}
