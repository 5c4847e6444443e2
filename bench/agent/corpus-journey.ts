/**
 * Runs complete agent jobs on a real docs folder over HTTP and prints the time of each stage: `node
 * bench/agent/corpus-journey.ts <folder> [--jobs 3]`. The folder is copied into a new git repository. The model is a
 * replay that searches, edits a page, adds another one with a broken link, and fixes the link after the check. The
 * first job starts cold. The others print the time from the POST to the pull request, the last one also its stages.
 */
import { execFile } from 'node:child_process'
import { rm, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { resolve } from 'node:path'
import { parseArgs, promisify } from 'node:util'
import { addProject } from '../../src/app/operator/administration.ts'
import { openFolderTree } from '../../src/base/files/folder-tree.ts'
import { followAgentJob } from '../../src/client/follow-agent-job.ts'
import { allPages, type NavPage, readOutline } from '../../src/features/agent/edit/navigation-outline.ts'
import type { AgentJob } from '../../src/features/agent/operations/agent.ts'
import type { Deployment } from '../../src/features/hosting/operations/deployments.ts'
import { readTextFile } from '../../src/site/text.ts'
import { createTestRepository } from '../../tests/kit/git.ts'
import { startTestNode } from '../../tests/kit/node.ts'

const DOMAIN = 'corpus.example.com'
const PROMPT = 'Write a page about how this site is changed, and lead to it.'
const SENTENCE = 'The way a change takes from a prompt to readers'

const { values, positionals } = parseArgs({
  options: { jobs: { type: 'string', default: '3' } },
  allowPositionals: true,
})
const jobs = Number(values.jobs)
const [folder] = positionals
if (folder === undefined)
  throw new Error('usage: node bench/agent/corpus-journey.ts <docs folder> [--jobs 3]')
const run = promisify(execFile)
let since = performance.now()

await using repository = await createTestRepository()
await run('cp', ['-R', `${resolve(folder)}/.`, repository.folder])
await run('chmod', ['-R', 'u+w', repository.folder])
await repository.commit({})
await using tree = await openFolderTree(repository.folder)
tell(`a git repository of ${tree.files.size} files`)

const recording = `${repository.folder}.recording.json`
await using written = new AsyncDisposableStack()
written.defer(() => rm(recording, { force: true }))
const target = await choosePage()
const conversations = Array.from({ length: jobs }, (_, number) => conversation(target, number + 1))
await writeFile(recording, JSON.stringify({ model: 'bench', conversations }))
await using octavo = await startTestNode({ OCTAVO_MODEL: `replay:${recording}`, OCTAVO_RENDER_CHILDREN: '2' })
const project = await addProject(octavo.node.context, {
  organizationId: octavo.organizationId,
  name: 'Corpus',
  domains: [DOMAIN],
  source: { kind: 'folder', repository: repository.folder },
})
tell('a node with its database')
const first = await published(await askDeployment('POST', `/v1/deployments/${project.id}`))
tell(`the site published for the first time, ${first.pageCount} pages`)

const job = await runJob(1, tell)
for (let number = 2; number <= jobs; number++) {
  const began = performance.now()
  await runJob(number, number === jobs ? tell : () => undefined)
  const seconds = (performance.now() - began) / 1000
  tell(`job ${number}: ${seconds.toFixed(2)} s from the POST to the pull request`)
}
const review = await octavo.client.getAgentReview(project.id, job.id)
tell(`review: ${review.files.length} files`)

await octavo.client.acceptAgentJob(project.id, job.id)
tell('accepted and merged')
const newest = await octavo.node.context.database.queries
  .selectFrom('deployments')
  .select('id')
  .where('project_id', '=', project.id)
  .orderBy('id', 'desc')
  .executeTakeFirstOrThrow()
const second = await published(await askDeployment('GET', `/v1/deployments/${project.id}/${newest.id}`))
tell(`the site published again, ${second.pageCount} pages`)
for (const path of [target.route, `/${newPage(1)}`]) {
  const { status, text } = await askSite(path)
  if (status !== 200 || !text.includes(SENTENCE))
    throw new Error(`${path} does not show the change (${status})`)
}
tell('both pages asked for, and they show the change')

/** Reports each stage. Rejects if the job does not end in a pull request. */
async function runJob(number: number, told: (what: string) => void): Promise<AgentJob> {
  const { id } = await octavo.client.createAgentJob(project.id, { prompt: promptOf(number) })
  told('POST answered')
  const tools: string[] = []
  for await (const { event } of followAgentJob(octavo.client, project.id, id, { pauseMs: 20 })) {
    if (event.type === 'prompt') told('taken up by a worker')
    if (event.type === 'tool') tools.push(event.data.isError ? `${event.data.name} REFUSED` : event.data.name)
    if (event.type === 'usage') told(`step ${event.data.steps}: ${tools.splice(0).join(', ')}`)
    if (event.type === 'check') {
      const found = event.data.problems.map(({ message }) => message).join(' ')
      told(`check, round ${event.data.round}: ${event.data.passed ? 'passed' : found}`)
    }
  }
  const ended = await octavo.client.getAgentJob(project.id, id)
  if (ended.status !== 'completed') throw new Error(`${ended.status}: ${ended.error}`)
  told(`commit, branch and review, ${ended.filesChanged} files`)
  return ended
}

function promptOf(number: number): string {
  return `${PROMPT} It is the one with number ${number}.`
}

function newPage(number: number): string {
  return `how-this-site-is-changed-${number}`
}

function tell(what: string): void {
  const now = performance.now()
  process.stdout.write(`${((now - since) / 1000).toFixed(2).padStart(8)} s  ${what}\n`)
  since = performance.now()
}

/** Returns the first page in the navigation that is a list item and begins with frontmatter. */
async function choosePage(): Promise<NavPage & { file: string; head: string }> {
  for (const page of allPages(await readOutline(tree))) {
    const file = `${page.text.replace(/^\//, '')}.mdx`
    if (page.location === null || !tree.files.has(file)) continue
    const [head] = /^---\n[\s\S]*?\n---\n/.exec(await readTextFile(tree, file)) ?? []
    if (head !== undefined) return { ...page, file, head }
  }
  throw new Error('the navigation names no page that could be changed')
}

function conversation({ file, head, text, entry }: Awaited<ReturnType<typeof choosePage>>, number: number) {
  const added = newPage(number)
  const newFile = `${added}.mdx`
  const newText = `---\ntitle: "How this site is changed, ${number}"\ndescription: "${SENTENCE}."\n---\n\n${SENTENCE}.\n\n## Next\n\n- [Back](/octavo/nowhere)\n`
  const reasons = [file, newFile, 'docs.json'].map((path) => ({ path, reason: 'It was asked for.' }))
  const finish = {
    name: 'finish',
    input: { title: 'Say how this site is changed', summary: 'A page.', reasons },
  }
  const edit = (path: string, oldText: string, fresh: string) => ({
    name: 'edit_file',
    input: { path, oldText, newText: fresh },
  })
  const answers = [
    [
      { name: 'list_files', input: { glob: '**/*.mdx' } },
      { name: 'update_navigation', input: { operation: 'show' } },
    ],
    [
      { name: 'search', input: { query: 'how to change the documentation', mode: 'pages' } },
      { name: 'search', input: { query: 'chang(e|ed|ing)', mode: 'regex' } },
    ],
    [{ name: 'read_file', input: { path: file } }],
    [
      edit(file, head, `${head}\n[${SENTENCE}](/${added})\n\n`),
      { name: 'write_file', input: { path: newFile, text: newText } },
      {
        name: 'update_navigation',
        input: { operation: 'add_page', page: added, within: entry.labels, after: text },
      },
    ],
    [{ name: 'preview', input: { path: newFile } }],
    [finish],
    [edit(newFile, '/octavo/nowhere', routeOf(text))],
    [{ name: 'check', input: {} }],
    [finish],
  ]
  return { prompt: promptOf(number), answers: answers.map((toolCalls) => ({ toolCalls })) }
}

function routeOf(text: string): string {
  return `/${text.replace(/^\//, '')}`
}

async function askDeployment(method: string, path: string): Promise<Deployment> {
  const headers = { authorization: `Bearer ${octavo.key}` }
  return (await (await octavo.fetch(path, { method, headers })).json()) as Deployment
}

async function published(started: Deployment): Promise<Deployment> {
  let deployment = started
  while (deployment.status === 'queued' || deployment.status === 'running') {
    await new Promise((wait) => setTimeout(wait, 50))
    deployment = await askDeployment('GET', `/v1/deployments/${project.id}/${started.deploymentId}`)
  }
  if (deployment.status === 'failed') throw new Error(deployment.error ?? '')
  return deployment
}

function askSite(path: string): Promise<{ status: number; text: string }> {
  const answer = Promise.withResolvers<{ status: number; text: string }>()
  const asked = request(new URL(path, octavo.url), { headers: { host: DOMAIN } }, async (response) => {
    const text = Buffer.concat(await response.toArray()).toString()
    answer.resolve({ status: response.statusCode ?? 0, text })
  })
  asked.on('error', answer.reject)
  asked.end()
  return answer.promise
}
