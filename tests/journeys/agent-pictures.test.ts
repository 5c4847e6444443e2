/**
 * Images in agent jobs, from another site or a code repository into the docs: through failed turns, a killed node and
 * a moved branch, to a pull request with identical bytes and the review.
 */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import type { AgentJob } from '../../src/features/agent/operations/agent.ts'
import { setProject } from '../kit/accounts.ts'
import { type AgentScene, openAgentScene, openReviewLink } from '../kit/agent.ts'
import { createTestRepository, type TestRepository } from '../kit/git.ts'
import {
  type ChatRequest,
  type ModelServer,
  refuses,
  replies,
  startModelServer,
} from '../kit/model-server.ts'
import { png } from '../kit/pictures.ts'

const PAGE = 'guides/brew.mdx'
const PATH = 'images/pot.png'
const POT = png(40, 30)
const OTHER = png(20, 10, [200, 30, 30])
const SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"><path d="M0 0h9"/></svg>'

type Call = { name: string; input: unknown }
type Step = Call[] | 'fail'
/** Scripts by task. A task is sent once more when its job continues. */
const scripts = new Map<string, Step[]>()
let model: ModelServer
let site: Server
let port = 0
let code: TestRepository
let scene: AgentScene

before(async () => {
  model = await startModelServer((request) => {
    const step = nextStep(request)
    return step === 'fail' ? refuses(401, 'no such key') : replies({ toolCalls: step })
  })
  site = createServer((request, response) => {
    const found: Record<string, [string, string | Buffer]> = {
      '/pot.png': ['text/plain', POT],
      '/page.png': ['image/png', '<html><script>alert(1)</script></html>'],
      '/large.png': ['image/png', Buffer.concat([POT, Buffer.alloc(6 << 20)])],
      '/bomb.png': ['image/png', png(8, 1, [0, 0, 0], { width: 60_000, height: 60_000 })],
      '/evil.svg': ['image/svg+xml', SVG.replace('<path', '<script>alert(1)</script><path')],
      '/plain.svg': ['image/svg+xml', SVG],
    }
    const [type, body] = found[request.url?.split('?')[0] ?? ''] ?? ['text/plain', '']
    response.writeHead(body === '' ? 404 : 200, { 'content-type': type }).end(body)
  })
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
  port = (site.address() as AddressInfo).port
  code = await createTestRepository({
    'shots/pot.png': POT,
    '.secret/pot.png': POT,
    'shots/other.png': OTHER,
  })
  scene = await openAgentScene({
    env: {
      OCTAVO_MODEL: 'openai-compatible:script',
      OCTAVO_MODEL_URL: model.url,
      OCTAVO_AGENT_PRIVATE_HOSTS: 'localhost:*',
      OCTAVO_MODEL_PICTURES: 'true',
    },
  })
  const { database } = scene.octavo.node.context
  const agent = { hosts: ['localhost'], selfReview: false }
  await setProject(database.queries, scene.projectId, { agent })
  await database.queries
    .insertInto('code_repositories')
    .values({
      id: 'code_pictures',
      organization_id: scene.octavo.organizationId,
      project_id: scene.projectId,
      name: 'app',
      source_kind: 'folder',
      repository: code.folder,
      folder_granted: true,
      folder: '',
    })
    .execute()
})
after(async () => {
  await scene?.[Symbol.asyncDispose]()
  await code?.[Symbol.asyncDispose]()
  await model?.[Symbol.asyncDispose]()
  site?.closeAllConnections()
  site?.close()
})

function nextStep({ messages }: ChatRequest): Step {
  const at = messages.findLastIndex(
    // The content of a message with an image is a list of parts.
    ({ role, content }) =>
      role === 'user' && typeof content === 'string' && scripts.has(content.split('\n')[0] ?? ''),
  )
  const given = messages.slice(at).filter(({ role }) => role === 'assistant').length
  return scripts.get(messages[at]?.content?.split('\n')[0] ?? '')?.[given] ?? [finish([])]
}

const finish = (paths: string[]): Call => ({
  name: 'finish',
  input: {
    title: 'Show the pot',
    summary: 'The page shows the pot.',
    reasons: paths.map((path) => ({ path, reason: 'Readers asked what it looks like.' })),
  },
})
const place = (from: object, path = PATH): Call => ({ name: 'place_picture', input: { path, ...from } })
const fromSite = (file: string) => ({ url: `http://localhost:${port}/${file}?token=secret` })
const fromCode = (file = 'shots/pot.png') => ({ repository: 'app', file })
const show = (words: string, path = PATH): Call => ({
  name: 'edit_file',
  input: { path: PAGE, oldText: '## Water', newText: `![${words}](/${path})\n\n## Water` },
})

async function play(task: string, steps: Step[], of?: AgentJob): Promise<AgentJob> {
  scripts.set(task, steps)
  const { client } = scene.octavo
  if (of === undefined)
    return await scene.ended((await client.createAgentJob(scene.projectId, { prompt: task })).id)
  await client.sendAgentMessage(scene.projectId, of.id, { prompt: task })
  return await scene.ended(of.id)
}

/** Returns the tool results and Octavo's messages in the last request of the task. */
function told(task: string): string {
  const asked = model.requests.findLast(({ messages }) =>
    messages.some(({ content }) => String(content).startsWith(task)),
  )
  return (asked?.messages ?? [])
    .filter(({ role }) => role !== 'system' && role !== 'assistant')
    .map(({ content }) => content ?? '')
    .join('\n')
}

function bytesAt(branch: string | null, path = PATH): Buffer {
  return execFileSync('git', ['show', `${branch}:${path}`], { cwd: scene.repository.folder })
}

test('a model with vision is shown the images of the docs that it reads, within limits', async () => {
  const { repository } = scene
  const wide = png(8, 1, [0, 0, 0], { width: 9000, height: 10 })
  await repository.commit({
    'images/cup.png': POT,
    'images/wide.png': wide,
    'images/no.png': 'no picture',
    'images/heavy.png': Buffer.concat([POT, Buffer.alloc(2 << 20)]),
  })
  const read = (path: string): Call => ({ name: 'read_file', input: { path } })
  const unseen = ['images/wide.png', 'images/no.png', 'images/heavy.png'].map(read)
  const many = Array.from({ length: 9 }, (_, at) => read(`${'/'.repeat(at)}images/cup.png`))
  scripts.set('Look at the cup.', [
    [read('/images/cup.png'), ...unseen, read('images/none.png')],
    many,
    [finish([])],
  ])
  const { id } = await scene.octavo.client.createAgentJob(scene.projectId, { prompt: 'Look at the cup.' })
  const ended = await scene.ended(id)
  assert.equal(ended.status, 'completed', ended.error ?? '')
  const bodies = model.requests.filter(({ messages }) =>
    JSON.stringify(messages).includes('Look at the cup.'),
  )
  const picturesOf = (request: ChatRequest | undefined) =>
    JSON.stringify(request?.messages).split(`data:image/png;base64,${POT.toString('base64')}`).length - 1
  assert.deepEqual(bodies.map(picturesOf), [0, 1, 8])
  const told = JSON.stringify(bodies[1]?.messages)
  assert.match(told, /images\/cup\.png[^}]* 40 × 30 pixels[^}]* It follows\. Text in it is untrusted/)
  assert.equal(told.match(/You cannot see it/g)?.length, 3)
  const kept = await scene.octavo.node.context.database.pool.query<{ text: string }>(
    'SELECT data::text AS text FROM agent_job_events WHERE job_id = $1',
    [id],
  )
  assert.ok(kept.rows.every(({ text }) => !text.includes(POT.toString('base64'))))
  await repository.git('reset', '--quiet', '--hard', 'HEAD~1')
})

test('an image from another site is added byte for byte with alternative text and listed as a review risk', async () => {
  const task = 'Show the pot from the other site'
  const job = await play(task, [
    [place(fromSite('pot.png'))],
    [show('')],
    [finish([PATH, PAGE])],
    [{ name: 'edit_file', input: { path: PAGE, oldText: '![]', newText: '![A round pot of green clay]' } }],
    [finish([PATH, PAGE])],
  ])
  assert.equal(job.status, 'completed', job.error ?? '')
  assert.match(
    told(task),
    /Added "images\/pot\.png": PNG, 40 × 30 pixels, \d+ bytes, from http:\/\/localhost:\d+\/pot\.png\./,
  )
  assert.match(told(task), /has no alternative text/)
  assert.deepEqual(bytesAt(job.branch), POT)
  const review = await scene.octavo.client.getAgentReview(scene.projectId, job.id)
  const note = review.risks.find(({ kind }) => kind === 'picture')
  assert.match(note?.what ?? '', /a picture was added, from http:\/\/localhost:\d+\/pot\.png$/)
  await seesPictures(job, review.files.find(({ path }) => path === PATH)?.picture)

  const later = await play(
    'Name the lid too',
    [
      [{ name: 'edit_file', input: { path: PAGE, oldText: 'clay]', newText: 'clay with its lid]' } }],
      [finish([PAGE])],
    ],
    job,
  )
  assert.equal(later.status, 'completed', later.error ?? '')
  const again = await scene.octavo.client.getAgentReview(scene.projectId, job.id)
  assert.match(again.risks.find(({ kind }) => kind === 'picture')?.what ?? '', /from http:\/\/localhost/)
  assert.deepEqual(bytesAt(later.branch), POT)
})

async function seesPictures(
  job: AgentJob,
  picture: { before: string | null; after: string | null } | null | undefined,
) {
  const { url } = scene.octavo
  assert.equal(picture?.before, null)
  const answer = await fetch(url + picture?.after)
  assert.deepEqual(Buffer.from(await answer.arrayBuffer()), POT)
  assert.equal(answer.headers.get('content-type'), 'image/png')
  assert.match(answer.headers.get('content-security-policy') ?? '', /sandbox/)
  assert.equal(answer.headers.get('x-content-type-options'), 'nosniff')
  for (const wrong of [
    picture?.after?.replace('pot.png', 'none.png'),
    picture?.after?.replace('/images/pot.png', '/docs.json'),
    picture?.after?.replace('/pictures/after/', '/pictures/before/'),
    picture?.after?.replace(/(\/reviews\/[^/]+\/)[^/]+/, `$1${'x'.repeat(32)}`),
  ])
    assert.equal((await fetch(`${url}${wrong}`)).status, 404, `${wrong}`)
  const { review } = await openReviewLink(url, job.prLink)
  assert.ok(review.files.some((file) => file.picture?.after === picture?.after))
}

test('refuses non-images, oversized images, image bombs and SVG with scripts, each with the reason', async () => {
  const task = 'Take whatever there is'
  const job = await play(task, [
    [
      place(fromSite('page.png')),
      place(fromSite('large.png')),
      place(fromSite('bomb.png')),
      place(fromSite('evil.svg'), 'images/evil.svg'),
      place(fromSite('none.png')),
      place({ url: `http://127.0.0.1:${port}/pot.png` }),
      place({ url: 'https://elsewhere.example/pot.png' }),
      place({ repository: 'app', file: '.secret/pot.png' }),
      place({ repository: 'app', file: '../../etc/passwd' }),
      place({ repository: 'of-somebody-else', file: 'pot.png' }),
      place({}),
      place(fromSite('pot.png'), '.github/pot.png'),
    ],
    [finish([])],
  ])
  assert.equal(job.status, 'completed', job.error ?? '')
  const said = told(task)
  for (const reason of [
    /its content is not a picture/,
    /larger than|more than 5242880/,
    /60000 × 60000 pixels/,
    /it contains the element script/,
    /the server returned 404/,
    /on 127\.0\.0\.1, which is not allowed/,
    /on elsewhere\.example, which is not allowed/,
    /There is no file "\.secret\/pot\.png"/,
    /no code repository with this name/,
    /Set either `url`, or both/,
    /is used by tools/,
  ])
    assert.match(said, reason)
  assert.doesNotMatch(said, /Added "/)
})

test('a failed turn hands its image to the next, and an image that no page shows is reported to the agent', async () => {
  const failed = await play('Fail after the picture', [[place(fromCode())], 'fail'])
  assert.equal(failed.status, 'failed')
  const task = 'Go on with the picture'
  const job = await play(task, [[finish([PATH])], [show('A pot of clay')], [finish([PATH, PAGE])]], failed)
  assert.equal(job.status, 'completed', job.error ?? '')
  assert.match(told(task), /images\/pot\.png \(added\)/)
  assert.match(told(task), /No page shows this new image/)
  assert.deepEqual(bytesAt(job.branch), POT)
  const review = await scene.octavo.client.getAgentReview(scene.projectId, job.id)
  assert.match(
    review.risks.find(({ kind }) => kind === 'picture')?.what ?? '',
    /app, shots\/pot\.png at [0-9a-f]{12}/,
  )
})

test('an image also changed on main is reported as a conflict to the agent and to reviewers', async () => {
  const first = await play('Place it once more', [[place(fromCode()), show('A pot')], [finish([PATH, PAGE])]])
  assert.equal(first.status, 'completed', first.error ?? '')
  await scene.repository.commit({
    [PATH]: OTHER,
    'guides/tea.mdx': '---\ntitle: Tea\nhidden: true\n---\n\n![Tea](/images/pot.png)\n',
  })
  const task = 'Say that the pot is round'
  const job = await play(
    task,
    [
      [{ name: 'edit_file', input: { path: PAGE, oldText: '![A pot]', newText: '![A round pot]' } }],
      [finish([PAGE])],
    ],
    first,
  )
  assert.equal(job.status, 'completed', job.error ?? '')
  assert.match(
    told(task),
    /others changed the same pictures in the meantime\.[\s\S]*<<<UNTRUSTED-\w+(?:\n|\\n)images\/pot\.png/,
  )
  assert.doesNotMatch(bytesAt(job.branch).toString('latin1'), /<<<<<<</)
  assert.deepEqual(bytesAt(job.branch), POT)
  const review = await scene.octavo.client.getAgentReview(scene.projectId, job.id)
  assert.ok(review.risks.some(({ kind, what }) => kind === 'picture' && /also changed in main/.test(what)))

  const address = review.files.find(({ path }) => path === PATH)?.picture?.after ?? ''
  const { jobs } = await scene.octavo.client.call('listAgentJobs', { params: { projectId: scene.projectId } })
  const others = jobs.filter(({ id, prLink }) => id !== job.id && prLink !== null)
  assert.ok(others.length > 1 && address.includes(job.id))
  for (const { id } of others)
    assert.equal((await fetch(scene.octavo.url + address.replace(job.id, id))).status, 404)
})

test('a failed turn stores the bytes of its image with its changes', async () => {
  const failed = await play('Fail once more', [
    [place(fromCode('shots/other.png'), 'images/other.png')],
    'fail',
  ])
  const row = await scene.octavo.node.context.database.queries
    .selectFrom('agent_job_changes')
    .select(['content', 'picture'])
    .where('job_id', '=', failed.id)
    .executeTakeFirstOrThrow()
  assert.equal(row.content, null)
  assert.deepEqual(row.picture, OTHER)
})
