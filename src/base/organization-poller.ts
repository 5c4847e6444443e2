/**
 * Processes due rows that depend on third-party servers: one at a time per organization and several organizations
 * concurrently, so that slow servers delay only the organization that named them.
 */
import { repeat } from './repeat.ts'

interface OrganizationPollerOptions<Row> {
  /** Leases the next due row of an organization that is not in `busyOrganizations`, or returns null. */
  leaseNext(busyOrganizations: readonly string[]): Promise<Row | null>
  processRow(row: Row, signal: AbortSignal): Promise<void>
}

const LOOPS_PER_PROCESS = 4

export function createOrganizationPoller<Row extends { organization_id: string }>({
  leaseNext,
  processRow,
}: OrganizationPollerOptions<Row>): (signal: AbortSignal) => Promise<void> {
  const busyOrganizations = new Set<string>()
  let leasing: Promise<Row | null> = Promise.resolve(null)
  const leaseNextRow = async () => {
    const row = await leaseNext([...busyOrganizations])
    if (row !== null) busyOrganizations.add(row.organization_id)
    return row
  }
  // Sequential, because two concurrent calls could take the same organization.
  const next = () => {
    leasing = leasing.then(leaseNextRow, leaseNextRow)
    return leasing
  }
  return async (signal) => {
    for (let row = await next(); row !== null; row = await next()) {
      const { organization_id: organizationId } = row
      await processRow(row, signal).finally(() => busyOrganizations.delete(organizationId))
      signal.throwIfAborted()
    }
  }
}

export function repeatConcurrently(repeated: Parameters<typeof repeat>[0]): AsyncDisposable {
  const rounds = Array.from({ length: LOOPS_PER_PROCESS }, () => repeat(repeated))
  return {
    async [Symbol.asyncDispose]() {
      await Promise.all(rounds.map((round) => round[Symbol.asyncDispose]()))
    },
  }
}
