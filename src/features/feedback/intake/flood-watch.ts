/** Detects sites that receive more feedback than readers would send, across all servers. */
import { sql } from 'kysely'
import type { Limit } from '../../../base/api/limits.ts'
import type { Queries } from '../../../database/database.ts'
import { MAX_PROOF_BITS, MIN_PROOF_BITS } from './proof-of-work.ts'

export interface FloodWatch {
  /** Returns the number of bits of work required for the project's next entry; 0 under normal load. */
  difficulty(projectId: string): Promise<number>
  /** Must be called after an entry is accepted. */
  count(projectId: string): void
}

/** Minimum time between database queries per site. In between, entries accepted by this process are added. */
const COUNT_INTERVAL_MS = 1000
const MAX_SITES = 10_000

/** A load above this multiple of the limit does not raise the difficulty further, so counting stops. */
const MAX_LOAD_RATIO = 2 ** (MAX_PROOF_BITS - MIN_PROOF_BITS)

interface Load {
  at: number
  entries: Promise<number>
  since: number
}

/** `limit` is the rate that a site accepts without proof of work. */
export function createFloodWatch(queries: Queries, limit: Limit, now: () => number = Date.now): FloodWatch {
  const loads = new Map<string, Load>()

  function loadOf(projectId: string): Load {
    const cached = loads.get(projectId)
    if (cached !== undefined && now() - cached.at < COUNT_INTERVAL_MS) return cached
    const entries = countRecent(queries, projectId, limit)
    const load: Load = { at: now(), entries, since: 0 }
    loads.delete(projectId)
    loads.set(projectId, load)
    entries.catch(() => loads.delete(projectId))
    for (const oldest of loads.keys()) {
      if (loads.size <= MAX_SITES) break
      loads.delete(oldest)
    }
    return load
  }

  return {
    async difficulty(projectId) {
      const load = loadOf(projectId)
      const ratio = ((await load.entries) + load.since) / limit.count
      return ratio < 1 ? 0 : Math.min(MAX_PROOF_BITS, MIN_PROOF_BITS + Math.floor(Math.log2(ratio)))
    },
    count(projectId) {
      const load = loads.get(projectId)
      if (load !== undefined) load.since += 1
    },
  }
}

async function countRecent(queries: Queries, projectId: string, limit: Limit): Promise<number> {
  const { rows } = await sql<{ entries: number }>`
    SELECT count(*) AS entries FROM (
      SELECT 1 FROM feedback
      WHERE project_id = ${projectId} AND sort_at > now() - make_interval(secs => ${limit.seconds})
      LIMIT ${Math.min(limit.count * MAX_LOAD_RATIO, 20_000)}
    ) AS recent`.execute(queries)
  return rows[0]?.entries ?? 0
}
