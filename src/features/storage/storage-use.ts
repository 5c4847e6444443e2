/** Usage of object storage, measured by a sweep and shown until the next one. */
import type { Holder } from '../../base/api/retention.ts'
import type { Database, Queries } from '../../database/database.ts'
import type { Need } from './needed-objects.ts'

export interface StorageUse {
  organizationId: string
  holder: Holder
  objects: number
  bytes: number
}

export function addStorageUse(
  uses: Map<string, StorageUse>,
  { organizationId, holder }: Need,
  bytes: number,
): void {
  const name = `${organizationId} ${holder}`
  const use = uses.get(name) ?? { organizationId, holder, objects: 0, bytes: 0 }
  use.objects += 1
  use.bytes += Math.max(0, bytes)
  uses.set(name, use)
}

export async function writeStorageUse(database: Database, uses: readonly StorageUse[]): Promise<void> {
  await database.transaction(async (tx) => {
    await tx.deleteFrom('storage_use').execute()
    const rows = uses.map(({ organizationId, ...use }) => ({ ...use, organization_id: organizationId }))
    if (rows.length > 0) await tx.insertInto('storage_use').values(rows).execute()
  })
}

export interface LastSweep {
  /** Null before the end of the first sweep. */
  endedAt: Date | null
  use: StorageUse[]
}

export async function readStorageUse(queries: Queries, organizationId?: string): Promise<LastSweep> {
  const last = await queries.selectFrom('storage_sweeps').select('ended_at').executeTakeFirst()
  const rows = await queries
    .selectFrom('storage_use')
    .selectAll()
    .$if(organizationId !== undefined, (query) =>
      query.where('organization_id', '=', organizationId as string),
    )
    .orderBy('bytes', 'desc')
    .orderBy('organization_id')
    .orderBy('holder')
    .execute()
  const use = rows.map(({ organization_id, objects, bytes, holder }) => ({
    organizationId: organization_id,
    holder: holder as Holder,
    objects: Number(objects),
    bytes: Number(bytes),
  }))
  return { endedAt: last?.ended_at ?? null, use }
}
