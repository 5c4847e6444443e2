/** Helpers for feedback tests: rows, published sites, and requests of readers and API clients. */
import assert from 'node:assert/strict'
import { createId } from '../../src/base/ids.ts'
import type {
  FeedbackEntry,
  FeedbackSource,
  FeedbackStatus,
} from '../../src/features/feedback/operations/feedback.ts'
import type { SiteManifest } from '../../src/render/versions/manifest.ts'
import { saveManifest } from '../../src/render/versions/site-versions.ts'
import { type ApiUnderTest, makeTenant, startApi, type Tenant, withKey } from '../http/api-under-test.ts'
import type { TestDatabase } from '../kit/database.ts'

export interface Site extends Tenant {
  siteId: string
}

/** Starts an API behind one proxy, with high limits except for agents, which may send three entries an hour. */
export function startIntake(): Promise<ApiUnderTest> {
  return startApi({
    limits: {
      analytics: { count: 10_000, seconds: 3600 },
      feedback: { count: 10_000, seconds: 60 },
      agentFeedback: { count: 3, seconds: 3600 },
      siteFeedback: { count: 10_000, seconds: 60 },
    },
    trustedProxies: 1,
  })
}

/** Adds a project at `<name>.example.com` without a published version. */
export async function makeSite(api: ApiUnderTest, name: string): Promise<Site> {
  const tenant = await makeTenant(api.database, { name, plan: 'enterprise' })
  const { site_id } = await api.database.queries
    .selectFrom('projects')
    .select('site_id')
    .where('id', '=', tenant.projectId)
    .executeTakeFirstOrThrow()
  return { ...tenant, siteId: site_id }
}

/** Publishes a version with these files, but does not store their blobs. */
export async function publishPages(api: ApiUnderTest, site: Site, files: readonly string[]): Promise<void> {
  const entry = (file: string) => ({
    sha256: '0'.repeat(64),
    sizeBytes: 1,
    contentType: file.endsWith('.html') ? 'text/html; charset=utf-8' : 'application/json',
  })
  await publishManifest(api, site, {
    format: 1,
    octavo: '0.0.0',
    revision: createId('req'),
    deployment: 'cloud',
    features: { search: true, assistant: true, analytics: true, playground: true, export: true },
    pageCount: files.length,
    files: Object.fromEntries(files.map((file) => [file, entry(file)])),
    redirects: [],
  })
}

export async function publishManifest(api: ApiUnderTest, site: Site, manifest: SiteManifest): Promise<void> {
  const manifestKey = await saveManifest(api.objects, manifest)
  const deploymentId = createId('dep')
  await api.database.transaction(async (tx) => {
    await tx
      .insertInto('deployments')
      .values({ id: deploymentId, organization_id: site.organizationId, project_id: site.projectId })
      .execute()
    await tx
      .insertInto('published_sites')
      .values({ project_id: site.projectId, deployment_id: deploymentId, manifest_key: manifestKey })
      .onConflict((conflict) =>
        conflict.column('project_id').doUpdateSet({ deployment_id: deploymentId, manifest_key: manifestKey }),
      )
      .execute()
  })
}

export interface GivenRow {
  id?: string
  source?: FeedbackSource
  status?: FeedbackStatus
  createdAt?: string | null
  path?: string
  helpful?: boolean | null
  reason?: string | null
  comment?: string | null
  contact?: string | null
  code?: string | null
  filename?: string | null
  lang?: string | null
}

/** Inserts rows directly into the database and returns their ids. */
export async function putRows(
  database: Pick<TestDatabase, 'queries'>,
  projectId: string,
  rows: readonly GivenRow[],
): Promise<string[]> {
  const values = rows.map((row) => {
    const { source = 'thumbs_only', createdAt } = row
    const isVote = source === 'contextual' || source === 'thumbs_only'
    return {
      id: row.id ?? createId('fb'),
      project_id: projectId,
      source,
      status: row.status ?? 'pending',
      path: row.path ?? '/guides/deploy',
      helpful: row.helpful ?? (isVote ? true : null),
      reason: row.reason ?? null,
      comment: row.comment ?? null,
      contact: row.contact ?? null,
      code: row.code ?? (source === 'code_snippet' ? 'x' : null),
      filename: row.filename ?? null,
      lang: row.lang ?? null,
      created_at: createdAt == null ? null : new Date(createdAt),
      ...(createdAt === undefined ? { created_at: new Date() } : {}),
    }
  })
  for (let at = 0; at < values.length; at += 1000)
    await database.queries
      .insertInto('feedback')
      .values(values.slice(at, at + 1000))
      .execute()
  return values.map((value) => value.id)
}

export const feedbackPath = (projectId: string, rest = '') => `/v1/analytics/${projectId}/feedback${rest}`

export interface Page {
  feedback: FeedbackEntry[]
  nextCursor: string | null
  hasMore: boolean
}

/** Requests one page of the list; `query` is appended to the path unchanged. */
export async function readPage(api: ApiUnderTest, site: Tenant, query = ''): Promise<Page> {
  const response = await api.fetch(feedbackPath(site.projectId, query), withKey(site.key))
  if (response.status !== 200) throw new Error(`${response.status}: ${await response.text()}`)
  return (await response.json()) as Page
}

export async function idsOf(api: ApiUnderTest, site: Tenant, query = ''): Promise<string[]> {
  return (await readPage(api, site, query)).feedback.map(({ id }) => id)
}

/** Sends feedback like a page of a client-hosted site. */
export function say(
  api: ApiUnderTest,
  site: Site,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<Response> {
  return api.fetch(`/_octavo/sites/${site.siteId}/feedback`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
}

export async function sayAccepted(
  api: ApiUnderTest,
  site: Site,
  body: unknown,
): Promise<{ id: string; source: FeedbackSource }> {
  const response = await say(api, site, body)
  if (response.status !== 201) throw new Error(`${response.status}: ${await response.text()}`)
  return (await response.json()) as { id: string; source: FeedbackSource }
}

let made = 0
/** Unique id for an entry, as pages generate it. */
export const clientId = () => `client-id-of-a-test-${++made}`

/** Returns the only entry, and fails if there are others. */
export async function onlyEntry(api: ApiUnderTest, site: Site, query = ''): Promise<FeedbackEntry> {
  const { feedback } = await readPage(api, site, query)
  assert.equal(feedback.length, 1)
  const [entry] = feedback
  assert.ok(entry)
  return entry
}
