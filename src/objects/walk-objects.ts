/** Reads and verifies all objects in a store. */
import { mapBounded } from '../base/bounded.ts'
import type { CheckedStore } from './checked-store.ts'
import { OBJECT_KINDS } from './object-kinds.ts'
import type { ListedObject } from './object-store.ts'

export interface WalkedObjects {
  objects: number
  bytes: number
  /** Keys of objects that did not match their name and were deleted. */
  damaged: string[]
}

const BATCH = 256
const READ_CONCURRENCY = 8

/** Calls `report` after each batch. Objects added or removed meanwhile may or may not be included. */
export async function walkObjects(
  store: CheckedStore,
  report: (walked: WalkedObjects) => void = () => undefined,
): Promise<WalkedObjects> {
  const walked: WalkedObjects = { objects: 0, bytes: 0, damaged: [] }
  const look = async (batch: readonly ListedObject[]) => {
    await mapBounded(batch, READ_CONCURRENCY, async ({ key, sizeBytes }) => {
      if ((await store.check(key)) === 'damaged') walked.damaged.push(key)
      walked.objects += 1
      walked.bytes += Math.max(0, sizeBytes)
    })
    report(walked)
  }
  for (const kind of Object.keys(OBJECT_KINDS)) {
    let batch: ListedObject[] = []
    for await (const object of store.list(`${kind}/`)) {
      batch.push(object)
      if (batch.length < BATCH) continue
      await look(batch)
      batch = []
    }
    await look(batch)
  }
  return walked
}
