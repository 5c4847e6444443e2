/** Dependencies of a render in tests, with an empty cache and files stored in `objects`. */
import { silentLog } from '../../src/base/log.ts'
import type { ObjectStore } from '../../src/objects/object-store.ts'
import { createMemoryCache } from '../../src/render/cache/memory-cache.ts'
import type { RenderDeps } from '../../src/render/plan/render-scope.ts'
import { createSiteFiles } from '../../src/render/versions/site-files.ts'

export function renderDeps(objects: ObjectStore, more: Partial<RenderDeps> = {}): RenderDeps {
  return { cache: createMemoryCache(), files: createSiteFiles(objects), log: silentLog, children: 1, ...more }
}
