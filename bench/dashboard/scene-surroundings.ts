/** Adds everything to the scene except agent jobs: people, keys, exports, webhooks. */
import { createServer } from 'node:http'
import { sql } from 'kysely'
import type { Context } from '../../src/app/context.ts'
import { resolveFeatures } from '../../src/base/api/features.ts'
import type { Role } from '../../src/base/api/roles.ts'
import { createId } from '../../src/base/ids.ts'
import { revokeApiKey } from '../../src/features/accounts/keys/api-keys.ts'
import { findUserByEmail } from '../../src/features/accounts/people/users.ts'
import type { ExportJob } from '../../src/features/export/operations/static-export.ts'
import {
  EXPORT_WORK,
  type ExportProgress,
  exportRows,
  insertExport,
} from '../../src/features/export/store.ts'
import type { Webhook } from '../../src/features/webhooks/operations/webhooks.ts'
import { writeProgress } from '../../src/queue/work-row.ts'
import { addKey } from '../../tests/kit/accounts.ts'
import { addPerson, type Browser, PASSWORD, signedIn } from '../../tests/kit/people.ts'

export interface ScenePlace {
  context: Context
  organizationId: string
  projectId: string
  domain: string
}

const PEOPLE = {
  owner: ['Ada Okafor', 'ada@example.com'],
  admin: ['Grace Lindqvist', 'grace@example.com'],
  editor: ['Tomás Rivera', 'tomas@example.com'],
  viewer: ['Mei Tanaka', 'mei@example.com'],
} as const satisfies Record<Role, readonly [string, string]>

export type ScenePeople = Record<Role, Browser>

export const ADDRESSES = Object.fromEntries(
  Object.entries(PEOPLE).map(([role, [, email]]) => [role, { email, password: PASSWORD }]),
) as Record<Role, { email: string; password: string }>

/** Adds a member of each role, a second editor with a very long name, and two invitations. */
export async function addPeople({ context, organizationId }: ScenePlace): Promise<void> {
  for (const [role, [name, email]] of Object.entries(PEOPLE))
    await addPerson(context.database, { email, name, organizationId, role: role as Role })
  await addPerson(context.database, {
    email: 'wolfeschlegelsteinhausenbergerdorff@documentation.example.com',
    name: 'Maximiliane Wolfeschlegelsteinhausenbergerdorff-Featherstonehaugh',
    organizationId,
    role: 'editor',
  })
  const owner = await signedIn(context.publicUrl(), { email: PEOPLE.owner[1], organizationId })
  for (const [email, role] of [
    ['new.colleague@example.com', 'editor'],
    ['agency@example.net', 'viewer'],
  ] as const)
    await owner.post('/internal/invitations', { email, role })
}

export async function signInAll({ context, organizationId }: ScenePlace): Promise<ScenePeople> {
  const entries = await Promise.all(
    Object.entries(PEOPLE).map(async ([role, [, email]]) => [
      role,
      await signedIn(context.publicUrl(), { email, organizationId }),
    ]),
  )
  return Object.fromEntries(entries) as ScenePeople
}

/** Adds a valid key and keys that are read-only without expiry, about to expire, expired and revoked. */
export async function addKeys({ context, organizationId }: ScenePlace): Promise<void> {
  const add = (name: string, more: Parameters<typeof addKey>[2] = {}) =>
    addKey(context.database, organizationId, { name, ...more })
  await add('Continuous integration', { allowList: ['203.0.113.0/24', '2001:db8::/32'] })
  await add('Reports', { scopes: ['read'], expiresInDays: null })
  const soon = await add('Import of the old feedback', { expiresInDays: 7 })
  const over = await add('Trial', { expiresInDays: 7 })
  const revoked = await add('Laptop that was lost')
  await context.database.transaction((tx) => revokeApiKey(tx, { keyId: revoked.id, actor: 'cli' }))
  const { queries } = context.database
  const shift = (id: string, days: number) =>
    sql`UPDATE api_keys SET created_at = created_at - make_interval(days => ${days}),
      expires_at = expires_at - make_interval(days => ${days}),
      last_used_at = now() - make_interval(days => ${days} - 5) WHERE id = ${id}`.execute(queries)
  await shift(soon.id, 5)
  await shift(over.id, 40)
}

/**
 * Adds exports. The finished ones are real runs. The running and the queued one are rows without a worker, which do not
 * change until someone cancels them.
 */
export async function addExports(place: ScenePlace, people: ScenePeople): Promise<Record<string, string>> {
  const { domain } = place
  const start = (who: Role, body: object) =>
    people[who].post<ExportJob>('/v1/static-export/jobs', { domain, ...body })
  const ended = async (job: ExportJob) => {
    let { status } = job
    while (status === 'queued' || status === 'running') {
      await new Promise((resolve) => setTimeout(resolve, 200))
      status = (await people.owner.json<ExportJob>(`/v1/static-export/jobs/${job.jobId}`)).status
    }
    return job.jobId
  }
  const hosted = await ended(await start('admin', { deployment: 'client-hosted', version: '2.4' }))
  const airGapped = await ended(await start('editor', { deployment: 'air-gapped' }))
  const failed = await ended(
    await start('editor', { deployment: 'client-hosted', paths: ['/guides/that-is-not-there', '/nowhere'] }),
  )
  const stopped = await start('owner', { deployment: 'air-gapped', version: 'for the plant in Gdańsk' })
  await people.owner.post(`/v1/static-export/jobs/${stopped.jobId}/cancel`)
  await ended(stopped)
  const running = await addStandingExport(place, {
    version: '2.5',
    at: { progress: 43.2, pageCount: 368, totalPages: 861 },
  })
  const queued = await addStandingExport(place, { version: null, at: null })
  const made = { hosted, airGapped, failed, cancelled: stopped.jobId }
  const hoursAgo = { hosted: 9 * 24, airGapped: 50, failed: 49, cancelled: 20 }
  for (const [name, id] of Object.entries(made)) {
    const hours = hoursAgo[name as keyof typeof made]
    await sql`UPDATE static_exports SET created_at = created_at - make_interval(hours => ${hours}),
      updated_at = updated_at - make_interval(hours => ${hours}) WHERE id = ${id}`.execute(
      place.context.database.queries,
    )
  }
  return { ...made, running, queued }
}

async function addStandingExport(
  { context, organizationId, projectId, domain }: ScenePlace,
  { version, at }: { version: string | null; at: ExportProgress | null },
): Promise<string> {
  const { queries } = context.database
  const id = createId('se')
  const deployment = 'client-hosted'
  const editor = await findUserByEmail(queries, PEOPLE.editor[1])
  await insertExport(queries, {
    id,
    organizationId,
    projectId,
    domain,
    deployment,
    features: resolveFeatures(deployment),
    widgets: {},
    paths: null,
    version,
    startedBy: editor?.id ?? '',
  })
  if (at !== null) {
    await exportRows.claim(queries, { id, attempt: 1 })
    await writeProgress(EXPORT_WORK, queries, { id, attempt: 1 }, at, 0)
  }
  return id
}

/** Responds by path: with success, with an error, or with 410 to unsubscribe. */
export function startReceiver(port: number): AsyncDisposable {
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      const status = { '/well': 204, '/badly': 500, '/gone': 410 }[request.url ?? ''] ?? 404
      response.writeHead(status).end(status === 500 ? '{"error":"The queue is full."}' : undefined)
    })
  }).listen(port, '127.0.0.1')
  return {
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Adds endpoints that succeed, fail, respond with 410 and are disabled. */
export async function addWebhooks(people: ScenePeople, receiver: string): Promise<void> {
  const add = (path: string, description: string, events?: string[]) =>
    people.admin.post<Webhook>('/v1/webhooks', {
      url: `${receiver}${path}`,
      description,
      ...(events === undefined ? {} : { events }),
    })
  await add('/well', 'Posts to the channel of the docs team')
  await add('/badly', 'Queue of the ticket system', [
    'feedback.updated',
    'agent_job.completed',
    'agent_job.failed',
  ])
  await add('/gone', 'The old board', ['agent_job.completed'])
  const off = await add('/off', 'Copies bundles to the archive', ['static_export.completed'])
  await people.admin.json(`/v1/webhooks/${off.webhookId}`, { method: 'PATCH', body: { enabled: false } })
}

/** Marks some deliveries to the failing endpoint as dead, because regular retries would take three days. */
export async function giveUpSome({ context }: ScenePlace): Promise<void> {
  await sql`
    UPDATE webhook_deliveries SET status = 'dead', attempts = 14, next_attempt_at = NULL, ended_at = now()
    WHERE (endpoint_id, event_id) IN (
      SELECT delivery.endpoint_id, delivery.event_id FROM webhook_deliveries AS delivery
      JOIN webhook_endpoints AS endpoint ON endpoint.id = delivery.endpoint_id
      WHERE delivery.status = 'pending' AND delivery.error IS NOT NULL AND endpoint.url LIKE '%/badly'
      ORDER BY delivery.created_at LIMIT 3)`.execute(context.database.queries)
}
