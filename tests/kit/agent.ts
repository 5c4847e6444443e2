/** A node with a recorded model, and a project with a local git repository as its source. */

import { writeFile } from 'node:fs/promises'
import { addProject } from '../../src/app/operator/administration.ts'
import { followAgentJob } from '../../src/client/follow-agent-job.ts'
import type { AgentEvent, AgentJob } from '../../src/features/agent/operations/agent.ts'
import type { LinkedReview } from '../../src/features/dashboard/operations/work.ts'
import { createTestRepository, type TestRepository } from './git.ts'
import { type ModelServer, type Script, startModelServer } from './model-server.ts'
import { startTestNode, type TestNode } from './node.ts'

export interface RecordedConversation {
  prompt: string
  answers: { text?: string; toolCalls?: { name: string; input: unknown }[] }[]
}

export interface AgentScene {
  octavo: TestNode
  repository: TestRepository
  projectId: string
  /** Server that runs `script`; null with a recording. */
  model: ModelServer | null
  /** Polls until the job is no longer active. */
  ended(jobId: string): Promise<AgentJob>
  /** Returns all events up to the end of the job. */
  events(jobId: string): Promise<AgentEvent[]>
  [Symbol.asyncDispose](): Promise<void>
}

export const DOCS = {
  'docs.json': JSON.stringify(
    {
      name: 'Tea',
      theme: 'mint',
      colors: { primary: '#16A34A' },
      navigation: { groups: [{ group: 'Start', pages: ['index', 'guides/brew'] }] },
    },
    null,
    2,
  ),
  'index.mdx': '---\ntitle: Welcome\n---\n\nAll about tea. See [how to brew](/guides/brew).\n',
  'guides/brew.mdx': '---\ntitle: Brew\n---\n\n## Water\n\nUse water of 70 degrees.\n',
}

/** Returns a call of `finish`, which ends a conversation. */
export function finishing(paths: string[], title = 'Tell the right temperature') {
  const reasons = paths.map((path) => ({ path, reason: 'The page told the wrong number.' }))
  return { name: 'finish', input: { title, summary: 'Black tea wants boiling water.', reasons } }
}

/** A conversation with a single edit of a page, which results in a pull request. */
export function editing(prompt: string): RecordedConversation {
  const path = 'guides/brew.mdx'
  return {
    prompt,
    answers: [
      { text: 'I read the page.', toolCalls: [{ name: 'read_file', input: { path } }] },
      {
        toolCalls: [{ name: 'edit_file', input: { path, oldText: '70 degrees', newText: '100 degrees' } }],
      },
      { text: 'Done.', toolCalls: [finishing([path])] },
    ],
  }
}

export async function openAgentScene(options: {
  conversations?: RecordedConversation[]
  /** Answers over real HTTP instead of from a recording. */
  script?: Script
  env?: Record<string, string>
  files?: Record<string, string>
}): Promise<AgentScene> {
  await using opening = new AsyncDisposableStack()
  const repository = opening.use(await createTestRepository(options.files ?? DOCS))
  const recording = `${repository.folder}.recording.json`
  await writeFile(
    recording,
    JSON.stringify({ model: 'test:recorded', conversations: options.conversations ?? [] }),
  )
  const model = options.script === undefined ? null : opening.use(await startModelServer(options.script))
  const asked: Record<string, string> =
    model === null
      ? { OCTAVO_MODEL: `replay:${recording}` }
      : { OCTAVO_MODEL: 'openai-compatible:stand-in', OCTAVO_MODEL_URL: model.url }
  const octavo = opening.use(await startTestNode({ ...asked, ...options.env }))
  const project = await addProject(octavo.node.context, {
    organizationId: octavo.organizationId,
    name: 'Tea',
    domains: ['tea.example.com'],
    source: { kind: 'folder', repository: repository.folder },
  })
  const open = opening.move()
  return {
    octavo,
    repository,
    projectId: project.id,
    model,
    async ended(jobId) {
      for await (const _event of followAgentJob(octavo.client, project.id, jobId, { pauseMs: 50 }));
      return await octavo.client.getAgentJob(project.id, jobId)
    },
    async events(jobId) {
      const events: AgentEvent[] = []
      for await (const { event } of followAgentJob(octavo.client, project.id, jobId, { pauseMs: 50 }))
        events.push(event)
      return events
    },
    [Symbol.asyncDispose]: () => open.disposeAsync(),
  }
}

/** Opens a review by its link, as the dashboard does. */
export async function openReviewLink(url: string, prLink: string | null): Promise<LinkedReview> {
  const link = new URL(prLink ?? '')
  const body = { jobId: link.pathname.split('/').at(-1), token: link.hash.replace('#token=', '') }
  const response = await fetch(`${url}/internal/review/look-up`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`)
  return (await response.json()) as LinkedReview
}
