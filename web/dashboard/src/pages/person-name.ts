/** Returns the display name of a person or key; null when it was not recorded. */
import type { WorkPerson } from '../../../../src/features/dashboard/operations/work.ts'
import { t } from '../words/words.ts'

export function displayPersonName(person: WorkPerson): string | null {
  if (person === null) return null
  if (person.kind === 'automation')
    return person.name === null ? t('an automation') : t('{name} (automation)', { name: person.name })
  if (person.name === null) return person.kind === 'key' ? t('a key') : t('a former member')
  return person.kind === 'key' ? t('{name} (key)', { name: person.name }) : person.name
}
