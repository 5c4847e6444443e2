/** `octavo demo feedback`: adds realistic entries to the pages of a published site through the real intake. */
import { randomInt, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { SAMPLE_DOMAIN } from '../../base/api/form-choices.ts'
import { mapBounded } from '../../base/bounded.ts'
import { submitFeedback } from '../../features/feedback/intake/intake.ts'
import { canonicalPagePath } from '../../features/feedback/intake/page-path.ts'
import { recordFeedbackChanges } from '../../features/feedback/intake/record-events.ts'
import { pageRoutes } from '../../features/hosting/serve/page-routes.ts'
import type { SubmitFeedbackBody } from '../../features/reader/operations/reader.ts'
import { readManifest } from '../../render/versions/site-versions.ts'
import type { Context } from '../context.ts'
import { AdministrationError, chooseProject } from './administration.ts'
import { AGENT_REPORTS, COMPLAINTS, PRAISE, REASONS, SNIPPETS } from './demo-texts.ts'
import { programCall } from './program-call.ts'

export interface DemoFeedbackOptions {
  count: number
  /** Host name of the site; defaults to the sample site. */
  domain?: string | undefined
  /** Number of past days over which the entries are spread afterwards; null leaves them at the current time. */
  spreadDays: number | null
}

export interface DemoFeedback {
  projectId: string
  domain: string
  count: number
  pages: number
}

/** Concurrent submissions: enough to saturate the database. */
const CONCURRENCY = 8

/** Adds demo entries to a site. Throws AdministrationError if the site does not exist or is not published. */
export async function addDemoFeedback(
  context: Context,
  options: DemoFeedbackOptions,
  report: (done: number) => void = () => {},
): Promise<DemoFeedback> {
  const domain = options.domain ?? SAMPLE_DOMAIN
  const site = await findSite(context, domain)
  const pages = [...site.pages]
  // As on real sites, a few pages receive most of the feedback.
  const pickPage = () => pages[Math.floor(pages.length * Math.random() ** 3)] as string
  const deps = {
    secret: context.secret,
    // Bypass the flood protection, so that demo entries do not use up the limits of readers.
    flood: { difficulty: async () => 0, count: () => undefined },
    floodHeaders: {},
    reportFeedbackChanges: recordFeedbackChanges,
  }
  let done = 0
  const ids = await mapBounded(Array.from({ length: options.count }), CONCURRENCY, async () => {
    const { id } = await submitFeedback(deps, {
      site,
      body: { ...demoBody(), id: randomUUID(), path: pickPage(), pageVersion: site.revision },
      address: `203.0.113.${randomInt(1, 255)}`,
      findPage: async (path) => canonicalPagePath(path),
      commit: (_scope, write) => context.database.transaction(write),
    })
    report(++done)
    return id
  })
  if (options.spreadDays !== null) await spreadOverDays(context, ids, options.spreadDays)
  return { projectId: site.projectId, domain, count: ids.length, pages: pages.length }
}

async function findSite(context: Context, domain: string) {
  const { queries } = context.database
  const project = await chooseProject(context, domain)
  const published = await queries
    .selectFrom('published_sites')
    .select('manifest_key')
    .where('project_id', '=', project.id)
    .executeTakeFirst()
  const manifest = published && (await readManifest(context.objects, published.manifest_key))
  const pages = manifest === undefined ? new Set<string>() : await pageRoutes(manifest)
  if (manifest === undefined || pages.size === 0)
    throw new AdministrationError([
      `The site ${domain} is not published: ${programCall()} projects sync ${domain}`,
    ])
  return { siteId: project.siteId, projectId: project.id, pages, revision: manifest.revision.slice(0, 100) }
}

/** Most readers only vote; most of the others complain. */
function demoBody(): Omit<SubmitFeedbackBody, 'path'> {
  const kind = Math.random()
  if (kind < 0.55) return { helpful: Math.random() < 0.72 }
  if (kind < 0.82) return pickWords(Math.random() < 0.35)
  if (kind < 0.93) {
    const { code, filename, lang, comments } = pickRandom(SNIPPETS)
    return { code, lang, ...(filename === null ? {} : { filename }), comment: pickRandom(comments) }
  }
  return { feedback: pickRandom(AGENT_REPORTS) }
}

function pickWords(helpful: boolean): Omit<SubmitFeedbackBody, 'path'> {
  const reason = pickRandom(helpful ? REASONS.up : REASONS.down)
  if (Math.random() < 0.25) return { helpful, reason }
  const contact = Math.random() < 0.2 ? { contact: `reader${randomInt(1, 1000)}@example.com` } : {}
  return { helpful, reason, comment: pickRandom(helpful ? PRAISE : COMPLAINTS), ...contact }
}

function pickRandom<Item>(items: readonly Item[]): Item {
  return items[randomInt(items.length)] as Item
}

/** Changes timestamps in the database directly, since the intake only uses the current time. */
async function spreadOverDays(context: Context, ids: readonly string[], days: number): Promise<void> {
  const batch = 10_000
  for (let start = 0; start < ids.length; start += batch) {
    await sql`
      UPDATE feedback SET created_at = created_at - random() * make_interval(days => ${days})
      WHERE id = ANY(${ids.slice(start, start + batch)})`.execute(context.database.queries)
  }
}
