/** Retries while a forge, git host or model is temporarily unavailable. */
import { InternalError } from '../../base/internal-error.ts'
import { retry } from '../../base/net/retry.ts'
import { ForgeError } from '../../git/forges/forge.ts'
import { GitError } from '../../git/git-error.ts'
import type { ExternalService } from './operations/external-services.ts'
import { addEvents, updateLeased } from './store.ts'
import type { Run } from './turn-context.ts'

/** Retries temporary failures of an external service for `patienceSeconds`, then throws the last error. */
export async function retryUntilAvailable<T>(
  run: Pick<Run, 'deps' | 'held' | 'log' | 'clock'>,
  service: ExternalService,
  work: () => Promise<T>,
  signal: AbortSignal,
): Promise<T> {
  return await retry(work, {
    signal,
    patienceMs: run.deps.patienceSeconds * 1000,
    isWorthRetrying: isTemporary,
    requestedSeconds: (error) => (error instanceof ForgeError && error.retryAfterSeconds) || null,
    async onWait(seconds, error) {
      run.log.info({ what: service, seconds, error: (error as Error).message }, 'agent.waiting')
      await reportWaiting(run, service, seconds)
      run.clock.excuse(seconds * 1000)
    },
  })
}

export async function reportWaiting(
  { deps, held }: Pick<Run, 'deps' | 'held'>,
  service: ExternalService,
  seconds: number,
): Promise<void> {
  await deps.database.transaction(async (tx) => {
    await updateLeased(tx, held, {})
    await addEvents(tx, held.id, [{ type: 'waiting', data: { for: service, seconds: Math.round(seconds) } }])
  })
}

export function isTemporary(error: unknown): boolean {
  if (error instanceof InternalError) return true
  return (error instanceof GitError || error instanceof ForgeError) && error.isTemporary
}
