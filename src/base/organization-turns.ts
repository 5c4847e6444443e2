/**
 * Processes due rows that depend on third-party servers: one at a time per organization and several organizations at
 * once, so that slow servers delay only the organization that named them.
 */
import { repeat } from './repeat.ts'

interface OrganizationLooks<Row> {
  /** Leases the next due row of an organization that is not in `atWork`, or returns null. */
  take(atWork: readonly string[]): Promise<Row | null>
  look(row: Row, signal: AbortSignal): Promise<void>
}

/** Maximum number of organizations processed at once, per process. */
const AT_ONCE = 4

/** Returns a function that processes rows until none is due. Its calls may overlap. */
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
  // Sequential, because two concurrent calls could take the same organization.
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
