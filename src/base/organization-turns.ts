/**
 * Looks at due rows that wait for servers of others: one of each organization at a time, several organizations at once,
 * so that slow servers hold up nobody but those who named them.
 */
import { repeat } from './repeat.ts'

interface OrganizationLooks<Row> {
  /** Leases the next due row of an organization that is not at work; null when there is none. */
  take(atWork: readonly string[]): Promise<Row | null>
  look(row: Row, signal: AbortSignal): Promise<void>
}

/** Organizations at once, of each process. */
const AT_ONCE = 4

/** The returned function looks at row after row until none is due. Calls may overlap. */
export function createOrganizationTurns<Row extends { organization_id: string }>({
  take,
  look,
}: OrganizationLooks<Row>): (signal: AbortSignal) => Promise<void> {
  const atWork = new Set<string>()
  let taking: Promise<Row | null> = Promise.resolve(null)
  const takeNext = async () => {
    const row = await take([...atWork])
    if (row !== null) atWork.add(row.organization_id)
    return row
  }
  // One after the other: two would take the same organization.
  const next = () => {
    taking = taking.then(takeNext, takeNext)
    return taking
  }
  return async (signal) => {
    for (let row = await next(); row !== null; row = await next()) {
      const { organization_id: organizationId } = row
      await look(row, signal).finally(() => atWork.delete(organizationId))
      signal.throwIfAborted()
    }
  }
}

export function repeatInTurns(repeated: Parameters<typeof repeat>[0]): AsyncDisposable {
  const rounds = Array.from({ length: AT_ONCE }, () => repeat(repeated))
  return {
    async [Symbol.asyncDispose]() {
      await Promise.all(rounds.map((round) => round[Symbol.asyncDispose]()))
    },
  }
}
