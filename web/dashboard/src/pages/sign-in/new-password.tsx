import { textOf } from '../../forms/draft.ts'
import type { Draft, FieldSpec } from '../../forms/field-spec.ts'
import { plural, t } from '../../words/words.ts'

const MIN_PASSWORD_CHARACTERS = 12

/** Field `password` for a new password, with a count of the missing characters. */
export function newPasswordField(draft: Draft, label = t('Password')): FieldSpec {
  const value = textOf(draft, 'password')
  const missing = MIN_PASSWORD_CHARACTERS - [...value].length
  return {
    name: 'password',
    kind: 'password',
    label,
    isOptional: false,
    help:
      value !== '' && missing > 0
        ? plural(missing, '{count} more character.', '{count} more characters.')
        : t('At least {count} characters. A few unrelated words work well.', {
            count: MIN_PASSWORD_CHARACTERS,
          }),
    input: { required: true, minLength: MIN_PASSWORD_CHARACTERS, autocomplete: 'new-password' },
  }
}
