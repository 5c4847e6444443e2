/**
 * A store for whoever renders one state of a site after the other: which blobs are there is asked once in a while, since
 * nearly all of them are the same each time.
 *
 * What was looked for is not deleted for longer than a job may run, see ../storage/keeping-store.ts; that grace is an hour
 * longer than the job, and what is remembered is younger than that.
 */
import { kindOf } from './object-kinds.ts'
import type { FoundObject, ObjectStore } from './object-store.ts'

const REMEMBERED_MS = 15 * 60_000
const MOST_REMEMBERED = 50_000

export function rememberBlobs(objects: ObjectStore, now = () => performance.now()): ObjectStore {
  const seen = new Map<string, { found: FoundObject; at: number }>()
  return {
    ...objects,
    async head(key) {
      const known = seen.get(key)
      if (known !== undefined && now() - known.at < REMEMBERED_MS) return known.found
      const at = now()
      const found = await objects.head(key)
      seen.delete(key)
      if (found === null || kindOf(key) !== 'blobs') return found
      if (seen.size >= MOST_REMEMBERED) seen.clear()
      seen.set(key, { found, at })
      return found
    },
  }
}
