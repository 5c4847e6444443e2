/** What readers searched for and did not find. */
import { sql } from 'kysely'
import { sha256 } from '../../base/hash.ts'
import type { Tx } from '../../database/database.ts'
import { maskPersonal } from '../agent/publish/mask-personal.ts'
import { FOLDED } from '../analytics/intake/fold-keys.ts'
import { DAY_MS } from '../analytics/range.ts'
import { readCounts } from '../analytics/read-counts.ts'
import { type Cause, type Causes, MOST_CAUSES, NOTHING } from './cause.ts'
import type { AutomationTrigger } from './operations/automation-triggers.ts'
import type { AutomationRow } from './store.ts'

const DAYS = 7
/** The most frequent words of one look. */
const MOST_WORDS = 100
/** Until the same words begin a run again: by then what was done about them is read. */
const AGAIN_DAYS = 30
const TOPIC_LENGTH = 200

export async function findEmptySearches(
  tx: Tx,
  { id, project_id: projectId }: AutomationRow,
  { count }: Extract<AutomationTrigger, { kind: 'search' }>,
): Promise<Causes> {
  const to = Math.floor(Date.now() / DAY_MS) * DAY_MS + DAY_MS
  const sums = await readCounts(tx, projectId, {
    dimension: 'search',
    range: { from: to - DAYS * DAY_MS, to, path: null },
    by: ['key'],
    isNamed: true,
    order: 'empty',
    limit: MOST_WORDS,
  })
  const frequent = sums.filter(({ key, empty }) => empty >= count && key !== FOLDED)
  const seen = await seenWords(tx, id)
  const causes = frequent
    .map(({ key, empty }) => causeOf(key, empty))
    .filter(({ items }) => items.every((item) => !seen.has(item)))
    .slice(0, MOST_CAUSES)
  return { ...NOTHING, causes }
}

function causeOf(words: string, times: number): Cause {
  const masked = maskPersonal(words)
  return {
    topic: masked.slice(0, TOPIC_LENGTH).toWellFormed(),
    told: [
      {
        what: `what readers searched for ${times} times in the last ${DAYS} days without finding anything`,
        text: masked,
      },
    ],
    feedbackIds: [],
    items: [`search:${sha256(words)}`],
  }
}

async function seenWords(tx: Tx, automationId: string): Promise<ReadonlySet<string>> {
  const rows = await tx
    .selectFrom('automation_seen')
    .select('item')
    .where('automation_id', '=', automationId)
    .where('at', '>', sql<Date>`clock_timestamp() - make_interval(days => ${AGAIN_DAYS})`)
    .execute()
  return new Set(rows.map(({ item }) => item))
}
