/** `octavo demo feedback`: adds realistic entries to a published site through the regular intake. */
import { randomInt, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { AppError } from '../../base/errors/errors.ts'
import type { ObjectStore } from '../../objects/object-store.ts'
import { readManifest } from '../../render/versions/site-versions.ts'
import type { Handlers } from '../../routing/handler.ts'
import type { FeedbackEventDeps } from '../feedback/intake/events.ts'
import { submitFeedback } from '../feedback/intake/intake.ts'
import { canonicalPagePath } from '../feedback/intake/page-path.ts'
import { pageRoutes } from '../hosting/serve/page-routes.ts'
import { AGENT_REPORTS, COMPLAINTS, PRAISE, REASONS, SNIPPETS } from './demo-texts.ts'
import type { DEMO_FEEDBACK_OPERATIONS } from './operations/demo-feedback.ts'
import type { SubmitFeedbackBody } from './operations/reader.ts'

type DemoFeedbackDeps = FeedbackEventDeps & { secret: string; objects: ObjectStore }

export function demoFeedbackHandlers(given: DemoFeedbackDeps): Handlers<typeof DEMO_FEEDBACK_OPERATIONS> {
  const deps = {
    ...given,
    // Bypasses the flood protection, so that demo entries do not use up the limits of readers.
    flood: { difficulty: async () => 0, count: () => undefined },
    floodHeaders: {},
  }
  return {
    async addDemoFeedback({
      tx,
      caller: { organizationId },
      params: { projectId },
      body: { count, spreadDays },
    }) {
      const published = await tx
        .selectFrom('published_sites')
        .innerJoin('projects', 'projects.id', 'published_sites.project_id')
        .select(['manifest_key', 'site_id'])
        .where('project_id', '=', projectId)
        .where('organization_id', '=', organizationId)
        .executeTakeFirst()
      const manifest = published && (await readManifest(deps.objects, published.manifest_key))
      const pages = manifest === undefined ? [] : [...(await pageRoutes(manifest))]
      if (published === undefined || manifest === undefined || pages.length === 0)
        throw new AppError('not_found')
      const site = { siteId: published.site_id, projectId }
      // As on real sites, a few pages receive most of the feedback.
      const pickPage = () => pages[Math.floor(pages.length * Math.random() ** 3)] as string
      const ids: string[] = []
      for (let entry = 0; entry < count; entry++) {
        const { id } = await submitFeedback(deps, {
          site,
          body: {
            ...demoBody(),
            id: randomUUID(),
            path: pickPage(),
            pageVersion: manifest.revision.slice(0, 100),
          },
          address: `203.0.113.${randomInt(1, 255)}`,
          findPage: async (path) => canonicalPagePath(path),
          commit: (_scope, write) => write(tx),
        })
        ids.push(id)
      }
      // Sets the times in the database, because the intake always uses the current time.
      if (spreadDays !== undefined)
        await sql`
          UPDATE feedback SET created_at = created_at - random() * make_interval(days => ${spreadDays})
          WHERE id = ANY(${ids})`.execute(tx)
      return { body: { projectId, count: ids.length, pages: pages.length } }
    },
  }
}

/** Most readers only vote, and most of the others complain. */
function demoBody(): Omit<SubmitFeedbackBody, 'path'> {
  const kind = Math.random()
  if (kind < 0.55) return { helpful: Math.random() < 0.72 }
  if (kind < 0.82) return createDemoVote(Math.random() < 0.35)
  if (kind < 0.93) {
    const { code, filename, lang, comments } = pickRandom(SNIPPETS)
    return { code, lang, ...(filename === null ? {} : { filename }), comment: pickRandom(comments) }
  }
  return { feedback: pickRandom(AGENT_REPORTS) }
}

function createDemoVote(helpful: boolean): Omit<SubmitFeedbackBody, 'path'> {
  const reason = pickRandom(helpful ? REASONS.up : REASONS.down)
  if (Math.random() < 0.25) return { helpful, reason }
  const contact = Math.random() < 0.2 ? { contact: `reader${randomInt(1, 1000)}@example.com` } : {}
  return { helpful, reason, comment: pickRandom(helpful ? PRAISE : COMPLAINTS), ...contact }
}

function pickRandom<Item>(items: readonly Item[]): Item {
  return items[randomInt(items.length)] as Item
}
