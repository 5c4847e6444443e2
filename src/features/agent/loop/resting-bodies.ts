/**
 * Bodies of pages for one check after the other: the render children stay for the next one, since a check takes less time
 * than they take to start, and end when none comes.
 */
import { openPageBodies, type PageBodies, type PageBodiesDeps } from '../../../render/bodies/page-bodies.ts'

export interface RestingBodies {
  /** Several may work at a time. */
  use<Out>(work: (bodies: PageBodies) => Promise<Out>): Promise<Out>
  [Symbol.asyncDispose](): Promise<void>
}

/** They hold memory; a model that thinks takes longer. */
const REST_AFTER_MS = 3000

export function openRestingBodies(deps: PageBodiesDeps): RestingBodies {
  const bodies = openPageBodies(deps)
  let users = 0
  let idle: NodeJS.Timeout | undefined
  return {
    async use(work) {
      clearTimeout(idle)
      users++
      try {
        return await work(bodies)
      } finally {
        users--
        if (users === 0) idle = setTimeout(() => void bodies.rest(), REST_AFTER_MS).unref()
      }
    },
    async [Symbol.asyncDispose]() {
      clearTimeout(idle)
      await bodies.rest()
    },
  }
}
