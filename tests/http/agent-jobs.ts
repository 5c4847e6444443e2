/** Requests shared by the agent job tests, and job results as a worker writes them, without a model. */
import type { AgentJob } from '../../src/features/agent/operations/agent.ts'
import { type ApiUnderTest, jsonRequest, type Tenant, withKey } from './api-under-test.ts'

export const jobsOf = (tenant: Tenant) => `/v2/agent/${tenant.projectId}/jobs`
export const jobPath = (tenant: Tenant, id: string) => `/v2/agent/${tenant.projectId}/job/${id}`

export function create(
  api: ApiUnderTest,
  tenant: Tenant,
  body: unknown = { prompt: 'Document the new flag.' },
  headers: Record<string, string> = {},
): Promise<Response> {
  return api.fetch(`/v2/agent/${tenant.projectId}/job`, jsonRequest('POST', tenant.key, body, headers))
}

export async function createJob(api: ApiUnderTest, tenant: Tenant): Promise<AgentJob> {
  const response = await create(api, tenant)
  if (response.status !== 201) throw new Error(await response.text())
  return (await response.json()) as AgentJob
}

/** `word` is the last segment of the path. */
export function steer(api: ApiUnderTest, tenant: Tenant, id: string, word: string, body?: unknown) {
  const path = `${jobPath(tenant, id)}/${word}`
  if (body !== undefined) return api.fetch(path, jsonRequest('POST', tenant.key, body))
  return api.fetch(path, withKey(tenant.key, { method: 'POST' }))
}

/** Completes a job without a change, as a worker does. */
export async function complete(api: ApiUnderTest, id: string): Promise<void> {
  await api.database.queries
    .updateTable('agent_jobs')
    .set({ status: 'completed' })
    .where('id', '=', id)
    .execute()
}

/** Inserts one feedback entry per comment and returns their ids. */
export async function addFeedback(api: ApiUnderTest, tenant: Tenant, comments: string[]): Promise<string[]> {
  const ids = comments.map(
    (_, index) => `fb_${String(Date.now()).padStart(20, '0')}${String(index).padStart(6, '0')}`,
  )
  await api.database.queries
    .insertInto('feedback')
    .values(
      comments.map((comment, index) => ({
        id: ids[index] as string,
        project_id: tenant.projectId,
        path: '/',
        source: 'contextual' as const,
        status: 'pending' as const,
        helpful: false,
        comment,
      })),
    )
    .execute()
  return ids
}
