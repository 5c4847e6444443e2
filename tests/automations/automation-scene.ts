/** An API with a database and a queue without workers. Automations are checked only on demand. */

import { createId } from '../../src/base/ids.ts'
import { silentLog } from '../../src/base/log.ts'
import { openDatabase } from '../../src/database/database.ts'
import { findQuestionsForJob } from '../../src/features/analytics/asked-questions.ts'
import type {
  Automation,
  AutomationRun,
  AutomationRunList,
  CreateAutomationBody,
  CreatedAutomation,
} from '../../src/features/automations/operations/automations.ts'
import { checkAutomations, type WatchDeps } from '../../src/features/automations/run-due-automations.ts'
import { scheduleForPublish } from '../../src/features/automations/wake-automations.ts'
import {
  reopenFeedback,
  resolveFeedback,
  startFeedbackWork,
} from '../../src/features/feedback/claim-feedback.ts'
import { recordFeedbackChanges } from '../../src/features/feedback/intake/record-events.ts'
import { storeSiteProblems } from '../../src/features/hosting/deploy/site-problems.ts'
import type { PageChange } from '../../src/features/hosting/operations/deployments.ts'
import { openQueue } from '../../src/queue/queue.ts'
import { type ApiUnderTest, jsonRequest, startApi, withKey } from '../http/api-under-test.ts'

export interface AutomationScene extends AsyncDisposable {
  api: ApiUnderTest
  deps: WatchDeps
  path(id?: string, word?: string): string
  create(wanted: Partial<CreateAutomationBody>): Promise<CreatedAutomation>
  update(id: string, change: unknown): Promise<Automation>
  runs(id: string): Promise<AutomationRun[]>
  /** Checks all automations that are due, and those with these ids even if they are not. */
  look(...ids: string[]): Promise<void>
  /** Stores a published version with these page changes. `broken` lists the messages of broken links. */
  publish(pages: Record<string, PageChange>, broken?: readonly string[]): Promise<void>
  prompts(
    jobId: string,
  ): Promise<{ prompt: string; told: { what: string; text: string }[]; feedback: unknown[] }[]>
}

const FEEDBACK_EVENTS = { reportFeedbackChanges: recordFeedbackChanges }
const CAPS = { steps: 10, tokens: 1000, minutes: 1, files: 10, bytes: 1000 }

export async function openAutomationScene(): Promise<AutomationScene> {
  await using opening = new AsyncDisposableStack()
  const api = opening.use(await startApi({ limits: { agentJobs: { count: 5000, seconds: 3600 } } }))
  const queue = opening.use(await openQueue({ address: { url: api.database.url }, log: silentLog }))
  const { acme } = api
  const deps = watchDeps(api.database, queue)
  const path = (id?: string, word?: string) =>
    [`/v2/agent/${acme.projectId}/automations`, id, word].filter(Boolean).join('/')
  const ask = async <Body>(method: string, address: string, body?: unknown): Promise<Body> => {
    const request = body === undefined ? withKey(acme.key, { method }) : jsonRequest(method, acme.key, body)
    const response = await api.fetch(address, request)
    if (!response.ok) throw new Error(`${address}: ${response.status} ${await response.text()}`)
    return (await response.json()) as Body
  }
  let before: string | null = null
  const open = opening.move()
  return {
    api,
    deps,
    path,
    create: (wanted) =>
      ask('POST', path(), {
        name: 'nightly',
        trigger: { kind: 'schedule', every: 'day' },
        prompt: 'Look after the docs.',
        ...wanted,
      }),
    update: (id, change) => ask('PATCH', path(id), change),
    runs: async (id) => (await ask<AutomationRunList>('GET', path(id, 'runs'))).runs,
    async look(...ids) {
      if (ids.length > 0)
        await api.database.queries
          .updateTable('automations')
          .set({ look_at: new Date(Date.now() - 1000) })
          .where('id', 'in', ids)
          .execute()
      await checkAutomations(deps, new AbortController().signal)
    },
    async publish(pages, broken = []) {
      before = await publishVersion(api, before, pages, broken)
    },
    async prompts(jobId) {
      return await api.database.queries
        .selectFrom('agent_job_prompts')
        .select(['prompt', 'told', 'feedback'])
        .where('job_id', '=', jobId)
        .orderBy('number')
        .execute()
    },
    [Symbol.asyncDispose]: () => open.disposeAsync(),
  }
}

/** Returns the dependencies of a check, with a model that is never called. */
export function watchDeps(database: WatchDeps['database'], queue: WatchDeps['queue']): WatchDeps {
  return {
    database,
    queue,
    log: silentLog,
    agent: { modelName: 'test:model', caps: CAPS },
    feedback: {
      claim: (tx, wanted) => startFeedbackWork(FEEDBACK_EVENTS, tx, wanted),
      resolve: (tx, wanted) => resolveFeedback(FEEDBACK_EVENTS, tx, wanted),
      release: (tx, wanted) => reopenFeedback(FEEDBACK_EVENTS, tx, wanted),
    },
    questions: { find: findQuestionsForJob },
  }
}

async function publishVersion(
  { database, acme }: ApiUnderTest,
  before: string | null,
  pages: Record<string, PageChange>,
  broken: readonly string[],
): Promise<string> {
  const id = createId('dep')
  const named = Object.entries(pages).map(([path, change]) => ({ path, change }))
  const changes =
    before === null
      ? null
      : { comparedWith: before, added: 0, changed: named.length, removed: 0, pages: named }
  await database.transaction(async (tx) => {
    const row = await tx
      .insertInto('deployments')
      .values({
        id,
        organization_id: acme.organizationId,
        project_id: acme.projectId,
        status: 'published',
        manifest_key: `manifests/${id}`,
        changes: changes && JSON.stringify(changes),
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    const pointer = { deployment_id: id, manifest_key: `manifests/${id}` }
    await tx
      .insertInto('published_sites')
      .values({ project_id: acme.projectId, ...pointer })
      .onConflict((conflict) => conflict.column('project_id').doUpdateSet(pointer))
      .execute()
    const problems = broken.map((message) => ({
      file: 'index.mdx',
      line: 3,
      code: 'link.missing',
      level: 'warning' as const,
      message,
      remedy: 'Mend it.',
    }))
    await storeSiteProblems(tx, row, problems)
    await scheduleForPublish(tx, acme.projectId)
  })
  return id
}

/** Opens another connection pool to the same database, like a second node. */
export function openBeside(api: ApiUnderTest) {
  return openDatabase({ url: api.database.url, poolSize: 4, allowFsyncOff: true, log: silentLog })
}
