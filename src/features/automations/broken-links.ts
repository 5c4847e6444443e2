/** Links and images of the published site that lead nowhere: all new ones are one topic, since one change mends them. */
import { sha256 } from '../../base/hash.ts'
import type { Tx } from '../../database/database.ts'
import { bareCause, type Causes, NOTHING } from './cause.ts'
import type { AutomationRow } from './store.ts'

const CODES = ['link.missing', 'link.anchor_missing', 'image.missing']
/** Of one look. */
const MOST_PROBLEMS = 200
const LINE_LENGTH = 400

export async function findBrokenLinks(tx: Tx, { id, project_id: projectId }: AutomationRow): Promise<Causes> {
  const problems = await tx
    .selectFrom('site_problems as problem')
    .innerJoin('published_sites as site', 'site.deployment_id', 'problem.deployment_id')
    .select(['problem.file', 'problem.line', 'problem.message'])
    .where('site.project_id', '=', projectId)
    .where('problem.code', 'in', CODES)
    .orderBy('problem.number')
    .limit(MOST_PROBLEMS)
    .execute()
  const broken = new Map(problems.map((problem) => [itemOf(problem), problem]))
  const seen = await keepSeen(tx, id, [...broken.keys()])
  const fresh = [...broken].filter(([item]) => !seen.has(item))
  if (fresh.length === 0) return NOTHING
  const text = fresh.map(([, { file, line, message }]) =>
    `${file}${line === null ? '' : `, line ${line}`}: ${message}`.slice(0, LINE_LENGTH),
  )
  const told = [{ what: 'the list of broken links that the last publish found', text: text.join('\n') }]
  return { ...NOTHING, causes: [{ ...bareCause('links'), told, items: fresh.map(([item]) => item) }] }
}

/** Lines move with every edit. */
function itemOf({ file, message }: { file: string; message: string }): string {
  return `link:${sha256(`${file}\0${message}`)}`
}

/** One that is mended and breaks again is new. */
async function keepSeen(
  tx: Tx,
  automationId: string,
  items: readonly string[],
): Promise<ReadonlySet<string>> {
  await tx
    .deleteFrom('automation_seen')
    .where('automation_id', '=', automationId)
    .$if(items.length > 0, (query) => query.where('item', 'not in', items))
    .execute()
  const rows = await tx
    .selectFrom('automation_seen')
    .select('item')
    .where('automation_id', '=', automationId)
    .execute()
  return new Set(rows.map(({ item }) => item))
}
