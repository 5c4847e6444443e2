/**
 * Renders page bodies for consecutive checks. The render processes stay alive for the next check, since starting them
 * takes longer than the check itself, and end if none follows.
 */
import { openPageBodies, type PageBodies, type PageBodiesDeps } from '../../../render/bodies/page-bodies.ts'

export interface RestingBodies {
  /** Several calls may run at the same time. */
  use<Out>(work: (bodies: PageBodies) => Promise<Out>): Promise<Out>
  [Symbol.asyncDispose](): Promise<void>
}

/** Short, because the processes hold memory and a model takes longer to answer. */
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
        if (users === 0) idle = setTimeout(() => void bodies.closeChildren(), REST_AFTER_MS).unref()
      }
    },
    async [Symbol.asyncDispose]() {
      clearTimeout(idle)
      await bodies.closeChildren()
    },
  }
}
