import type { WorkPerson } from '../../../../src/features/dashboard/operations/work.ts'
import { displayPersonName } from './person-name.ts'

/** Name of the person who started a job, below its title; renders nothing when it was not recorded. */
export function StartedBy({ person }: { person: WorkPerson }) {
  const name = displayPersonName(person)
  return name === null ? null : (
    <span class="max-w-64 truncate" title={name}>
      {name}
    </span>
  )
}
