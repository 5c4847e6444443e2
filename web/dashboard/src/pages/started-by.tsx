import type { WorkPerson } from '../../../../src/features/dashboard/operations/work.ts'
import { nameOfPerson } from './person-name.ts'

/** Who began a piece of work, below its title; nothing where nobody wrote it down. */
export function StartedBy({ person }: { person: WorkPerson }) {
  const name = nameOfPerson(person)
  return name === null ? null : (
    <span class="max-w-64 truncate" title={name}>
      {name}
    </span>
  )
}
