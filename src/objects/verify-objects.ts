/** Reads and verifies all objects in a store. */
import { mapBounded } from '../base/bounded.ts'
import type { CheckedStore } from './checked-store.ts'
import { OBJECT_KINDS } from './object-kinds.ts'
import type { ListedObject } from './object-store.ts'

export interface VerifiedObjects {
  objects: number
  bytes: number
  /** Keys of objects that were damaged and have been deleted. */
  damaged: string[]
}

const BATCH = 256
const READ_CONCURRENCY = 8

/** Calls `report` after each batch. Objects added or removed during the run may be left out. */
export async function verifyAllObjects(
  store: CheckedStore,
  report: (totals: VerifiedObjects) => void = () => undefined,
): Promise<VerifiedObjects> {
  const totals: VerifiedObjects = { objects: 0, bytes: 0, damaged: [] }
  const verifyBatch = async (batch: readonly ListedObject[]) => {
    await mapBounded(batch, READ_CONCURRENCY, async ({ key, sizeBytes }) => {
      if ((await store.check(key)) === 'damaged') totals.damaged.push(key)
      totals.objects += 1
      totals.bytes += Math.max(0, sizeBytes)
    })
    report(totals)
  }
  for (const kind of Object.keys(OBJECT_KINDS)) {
    let batch: ListedObject[] = []
    for await (const object of store.list(`${kind}/`)) {
      batch.push(object)
      if (batch.length < BATCH) continue
      await verifyBatch(batch)
      batch = []
    }
    await verifyBatch(batch)
  }
  return totals
}
