/** What one run needs and nobody after it: on disk, since that of a large site would fill the memory. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openCacheFolder } from './cache-folder.ts'
import { openMemoryStore } from './memory-store.ts'
import type { ObjectCache } from './object-store.ts'

/** In memory where no folder can be made. What a full disk does not take is as good as missing. */
export async function openPassingStore(parent = tmpdir()): Promise<ObjectCache & AsyncDisposable> {
  const folder = await mkdtemp(join(parent, 'octavo-build-')).catch(() => null)
  if (folder === null) return openMemoryStore()
  const remove = () => rm(folder, { recursive: true, force: true })
  const cache = await openCacheFolder(join(folder, 'kept'))
  if (cache === null) {
    await remove()
    return openMemoryStore()
  }
  return { ...cache, [Symbol.asyncDispose]: remove }
}
