/** Downloads remote API descriptions, cached like other remote files. */
import { GuardedFetchError } from '../../base/net/guarded-fetch.ts'
import { MAX_SPEC_BYTES, type SpecFetch } from '../../site/reference/spec-sources.ts'
import { fallBackToCached, fetchCached, type RemoteFileDeps } from './remote-files.ts'

const SPEC_OPTIONS = { timeoutMs: 20_000, maxBytes: MAX_SPEC_BYTES }

/** Rejects only if `signal` aborts; failures of remote servers are results. */
export function createSpecFetch(deps: RemoteFileDeps, signal: AbortSignal): SpecFetch {
  return async (url) => {
    try {
      return await fetchCached(deps, url, SPEC_OPTIONS, signal)
    } catch (error) {
      if (!(error instanceof GuardedFetchError)) throw error
      deps.log.warn({ url, kind: error.kind }, 'spec.fetch_failed')
      return fallBackToCached(deps, url, error.message)
    }
  }
}
