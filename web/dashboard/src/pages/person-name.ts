/** How a person or a key is named; null when nobody wrote it down. */
import type { WorkPerson } from '../../../../src/contract/dashboard-work.ts'

export function nameOfPerson(person: WorkPerson): string | null {
  if (person === null) return null
  if (person.kind === 'automation')
    return person.name === null ? 'an automation' : `${person.name} (automation)`
  if (person.name === null) return person.kind === 'key' ? 'a key' : 'a former member'
  return person.kind === 'key' ? `${person.name} (key)` : person.name
}
