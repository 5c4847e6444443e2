/**
 * What a job does while its model thinks: what every check at its commit needs, and the check of the change as it is. The
 * check before publishing then has little left to do, also where many jobs end at once.
 */
import type { Sandbox } from '../sandbox/sandbox.ts'
import type { ChangeCheck } from './check-change.ts'
import type { PrepareInput, ToolScene } from './tool-process.ts'

/** A check, with the keys of its manifests in place of them. */
export interface SavedCheck extends Omit<ChangeCheck, 'before' | 'after'> {
  before: string | null
  after: string | null
}

export interface Checked {
  /** Of the tree that was checked. */
  revision: string
  found: SavedCheck
}

export interface WorkAhead {
  /** Does not reject. */
  work(workSignal: AbortSignal): Promise<void>
  /** The check of the change as it is, when that was made; waits for one that is being made. */
  known(): Promise<SavedCheck | null>
  /** What a check tells has changed without the files. */
  forget(): void
  /** Waits for what is being made, and makes no more. */
  end(): Promise<void>
}

interface WorkAheadDeps {
  renderChildren: number
  check: (ending: AbortSignal) => Promise<Checked>
}

export function createWorkAhead(
  { workspace, bench, siteId, origin }: ToolScene,
  { renderChildren, check }: WorkAheadDeps,
): WorkAhead {
  const input: PrepareInput = { siteId, origin, renderChildren }
  const prepare = (sandbox: Sandbox) => sandbox.call<void>('prepare', input)
  let prepared: Promise<void> | undefined
  let begun: string | null = null
  let last: Promise<Checked | null> = Promise.resolve(null)
  let isOver = false
  /** The turn makes no other: each that fails may cost a process. */
  const failed = () => {
    isOver = true
    return null
  }
  return {
    async work(workSignal) {
      prepared ??= bench.use(prepare, workSignal, () => undefined).catch(() => undefined)
      await prepared
      const { revision } = workspace.tree
      if (isOver || workspace.changes.size === 0 || begun === revision) return
      begun = revision
      last = check(workSignal).catch(failed)
      await last
    },
    async known() {
      const checked = await last
      // A tool may have been faster than the check.
      return checked?.revision === workspace.tree.revision ? checked.found : null
    },
    forget() {
      begun = null
      last = Promise.resolve(null)
    },
    async end() {
      isOver = true
      await last
    },
  }
}
