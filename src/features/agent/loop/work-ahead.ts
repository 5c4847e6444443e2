/**
 * What a job does while its model thinks and nobody waits for the processor: what every check at its commit needs, and the
 * check of the change as it is. The check before publishing then has little left to do, also where many jobs end at once.
 */
import type { ChangeCheck } from '../check/check-change.ts'
import type { Workspace } from '../publish/workspace.ts'

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
  /** The check of the change as it is, when that was made; waits for one that has begun. */
  known(): Promise<SavedCheck | null>
  /** What a check tells has changed without the files. */
  forget(): void
  /** Waits for what is being made, and makes no more. */
  end(): Promise<void>
}

/** When nobody waits for the processor. Rejects with the reason of `giveUp` unless it has begun by then. */
type IdleWork<Out> = (signal: AbortSignal, giveUp: AbortSignal) => Promise<Out>

interface WorkAheadDeps {
  workspace: Workspace
  prepare: IdleWork<void>
  check: IdleWork<Checked>
}

export function createWorkAhead({ workspace, prepare, check }: WorkAheadDeps): WorkAhead {
  const end = new AbortController()
  let prepared: Promise<void> | undefined
  let begun: string | null = null
  let giveUp = new AbortController()
  let last: Promise<Checked | null> = Promise.resolve(null)
  let isOver = false

  const checkAhead = async (signal: AbortSignal): Promise<Checked | null> => {
    giveUp.abort()
    const own = new AbortController()
    giveUp = own
    return await check(signal, own.signal).catch(() => {
      // After one that failed the turn makes no other: each may cost a process.
      isOver ||= !own.signal.aborted
      return null
    })
  }

  return {
    async work(workSignal) {
      prepared ??= prepare(workSignal, end.signal).catch(() => undefined)
      await prepared
      const { revision } = workspace.tree
      if (isOver || workspace.changes.size === 0 || begun === revision) return
      begun = revision
      last = checkAhead(workSignal)
      await last
    },
    async known() {
      giveUp.abort()
      const checked = await last
      if (checked === null) begun = null
      // A tool may have been faster than the check.
      return checked?.revision === workspace.tree.revision ? checked.found : null
    },
    forget() {
      begun = null
      last = Promise.resolve(null)
    },
    async end() {
      isOver = true
      end.abort()
      giveUp.abort()
      await last
    },
  }
}
