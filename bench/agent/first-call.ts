/**
 * Measures the time from the POST of an agent job to the model's first request, on a repository of 5,000 pages served
 * over HTTP by a git server on this machine: `node bench/agent/first-call.ts`. The first round starts with an empty
 * mirror, the others reuse it.
 */
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { addProject } from '../../src/app/operator/administration.ts'
import { createTestRepository, startGitServer } from '../../tests/kit/git.ts'
import { answersWith, startModelServer } from '../../tests/kit/model-server.ts'
import { startTestNode } from '../../tests/kit/node.ts'

const FILES = Number(process.env.OCTAVO_BENCH_FILES ?? 5000)
const ROUNDS = 5

const pages = Array.from({ length: FILES }, (_, i) => `section-${i % 50}/page-${i}`)
await using repository = await createTestRepository({
  'docs.json': JSON.stringify({ name: 'Large', navigation: { pages } }),
  ...Object.fromEntries(
    pages.map((page) => [`${page}.mdx`, `---\ntitle: ${page}\n---\n\n${'Some text. '.repeat(200)}\n`]),
  ),
})
const served = await mkdtemp(join(tmpdir(), 'octavo-bench-'))
await mkdir(join(served, 'docs'))
await repository.git('clone', '--quiet', '--bare', repository.folder, join(served, 'docs', 'large.git'))
await using git = await startGitServer({ folder: served })

let asked = Promise.withResolvers<number>()
await using model = await startModelServer((request, number) => {
  asked.resolve(performance.now())
  return answersWith([
    {
      text: 'Nothing to do.',
      toolCalls: [{ name: 'finish', input: { title: 'Nothing', summary: 'All is well.', reasons: [] } }],
    },
  ])(request, number)
})
await using octavo = await startTestNode({
  OCTAVO_MODEL: 'openai-compatible:bench',
  OCTAVO_MODEL_URL: model.url,
  OCTAVO_GIT_ALLOW_HTTP: 'true',
  OCTAVO_FORGES: `${new URL(git.url).host}=gitea`,
  OCTAVO_GIT_PRIVATE_HOSTS: '127.0.0.1:*',
  OCTAVO_GIT_TOKENS: `${new URL(git.url).host}=none`,
})
const project = await addProject(octavo.node.context, {
  organizationId: octavo.organizationId,
  name: 'Large',
  domains: ['large.example.com'],
  source: { kind: 'git', repository: `${git.url}/docs/large.git` },
})
for (let round = 1; round <= ROUNDS; round++) {
  asked = Promise.withResolvers()
  const started = performance.now()
  const { id } = await octavo.client.createAgentJob(project.id, { prompt: `Round ${round}.` })
  const answered = performance.now()
  const first = await Promise.race([asked.promise, failed(id)])
  process.stdout.write(
    `round ${round}: POST answered after ${Math.round(answered - started)} ms, model asked after ${Math.round(first - started)} ms\n`,
  )
}
await rm(served, { recursive: true, force: true })

async function failed(id: string): Promise<number> {
  for (;;) {
    const job = await octavo.client.getAgentJob(project.id, id)
    if (job.status === 'failed') throw new Error(job.error ?? '')
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
}
