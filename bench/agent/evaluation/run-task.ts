/** Runs one task on a node: creates a repository, runs the job and returns its outcome. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { addProject } from '../../../src/app/operator/administration.ts'
import type { Problem } from '../../../src/base/errors/problem.ts'
import { silentLog } from '../../../src/base/log.ts'
import { followAgentJob } from '../../../src/client/follow-agent-job.ts'
import type { AgentEvent } from '../../../src/features/agent/operations/agent.ts'
import { formatCodeLocation } from '../../../src/features/agent/publish/request-text.ts'
import { checkFolder } from '../../../src/features/export/check-folder.ts'
import { createTestRepository, type TestRepository } from '../../../tests/kit/git.ts'
import type { TestNode } from '../../../tests/kit/node.ts'
import { operatorOf } from '../../../tests/kit/operator.ts'
import { writeSite } from '../../../tests/kit/site.ts'
import type { Outcome } from './grade.ts'
import type { Files, Task } from './task.ts'

export async function runTask(octavo: TestNode, task: Task): Promise<Outcome> {
  const { node, organizationId, client } = octavo
  await using repository = await createTestRepository({ ...task.site })
  const { id: projectId } = await addProject(node.context, {
    organizationId,
    name: task.id,
    domains: [`${task.id}.example.com`],
    source: { kind: 'folder', repository: repository.folder },
  })
  await using code = task.code === undefined ? null : await createTestRepository({ ...task.code.before })
  if (code !== null && task.code !== undefined) {
    await code.git('tag', 'v1.0.0')
    await code.commit({ ...task.code.after })
    await code.git('tag', 'v1.1.0')
    const body = { name: 'keepsake', repository: code.folder }
    await (await operatorOf(octavo)).call('addCodeRepository', { params: { projectId }, body })
  }
  const { id } = await client.createAgentJob(projectId, { prompt: task.prompt })
  const usage: Extract<AgentEvent, { type: 'usage' }>['data'][] = []
  for await (const { event } of followAgentJob(client, projectId, id, { pauseMs: 100 }))
    if (event.type === 'usage') usage.push(event.data)
  const job = await client.getAgentJob(projectId, id)
  const review = await client.getAgentReview(projectId, id)
  const after = job.branch === null ? task.site : await filesAt(repository, job.branch)
  return {
    before: task.site,
    after,
    account: [job.title ?? '', review.summary ?? '', ...review.references.map(formatCodeLocation)].join('\n'),
    status: job.status === 'failed' ? 'failed' : 'completed',
    error: job.error,
    isPublished: job.prLink !== null,
    steps: usage.at(-1)?.steps ?? 0,
    ...job.usage,
    costUsd: usage.at(-1)?.costUsd ?? null,
    problems: { before: await problemsOf(task.site), after: await problemsOf(after) },
  }
}

async function filesAt(repository: TestRepository, branch: string): Promise<Files> {
  const names = (await repository.git('ls-tree', '-r', '-z', '--name-only', branch))
    .split('\0')
    .filter(Boolean)
  const files: [string, string][] = []
  for (const name of names) files.push([name, `${await repository.git('show', `${branch}:${name}`)}\n`])
  return Object.fromEntries(files)
}

/** Returns errors and warnings, but no hints. */
async function problemsOf(files: Files): Promise<Problem[]> {
  const folder = await mkdtemp(join(tmpdir(), 'octavo-evaluation-'))
  try {
    await writeSite(folder, files)
    const { problems } = await checkFolder({
      folder,
      deployment: 'client-hosted',
      log: silentLog,
      report: () => {},
      signal: new AbortController().signal,
    })
    return problems.filter(({ level }) => level !== 'hint')
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
