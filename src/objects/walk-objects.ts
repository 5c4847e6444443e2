/** Reads everything in a store once. */
import { mapBounded } from '../base/bounded.ts'
import type { CheckedStore } from './checked-store.ts'
import { OBJECT_KINDS } from './object-kinds.ts'
import type { ListedObject } from './object-store.ts'

export interface WalkedObjects {
  /** Those that were listed. */
  objects: number
  bytes: number
  /** Keys of what did not fit its name and was thrown away. */
  damaged: string[]
}

const BATCH = 256
const READ_CONCURRENCY = 8

/** `report` is told how far it is after each batch. What comes or goes meanwhile is seen or not. */
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
