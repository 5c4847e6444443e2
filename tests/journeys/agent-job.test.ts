/** An agent job end to end: HTTP, queue, git, model, check, commit, review, merge and the published site. */
import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { ApiError } from '../../src/client/call.ts'
import type { AgentJob } from '../../src/features/agent/operations/agent.ts'
import type { CommitKey } from '../../src/features/agent/operations/commit-key.ts'
import { setProject } from '../kit/accounts.ts'
import { type AgentScene, DOCS, editing, finishing, openAgentScene, openReviewLink } from '../kit/agent.ts'
import { addPerson, signedIn } from '../kit/people.ts'
import { until } from '../kit/until.ts'
import { verifyCommit } from '../kit/verify-commit.ts'

const BREW = DOCS['guides/brew.mdx']

let scene: AgentScene

before(async () => {
  scene = await openAgentScene({
    conversations: [
      editing('The temperature for black tea is wrong.'),
      {
        prompt: 'Also say how long.',
        answers: [
          {
            toolCalls: [
              {
                name: 'edit_file',
                input: {
                  path: 'guides/brew.mdx',
                  oldText: 'degrees.\n',
                  newText: 'degrees.\n\nLet it draw for three minutes.\n',
                },
              },
            ],
          },
          { toolCalls: [finishing(['guides/brew.mdx'], 'Say how long')] },
        ],
      },
      {
        prompt: 'Break a link.',
        answers: [
          {
            toolCalls: [
              {
                name: 'edit_file',
                input: { path: 'index.mdx', oldText: '/guides/brew', newText: '/guides/nowhere' },
              },
            ],
          },
          ...Array.from({ length: 4 }, () => ({ toolCalls: [finishing(['index.mdx'], 'Break a link')] })),
        ],
      },
      { prompt: 'Is all well?', answers: [{ toolCalls: [finishing([], 'All is well')] }] },
    ],
  })
})
after(() => scene[Symbol.asyncDispose]())

test('a prompt becomes a checked commit on its own branch, is reviewed, accepted and published', async () => {
  const { octavo, repository, projectId } = scene
  const before = await repository.git('rev-parse', 'main')
  const created = await octavo.client.createAgentJob(projectId, {
    prompt: 'The temperature for black tea is wrong.',
  })
  assert.equal(created.status, 'active')
  assert.equal(created.prLink, null)

  const events = await scene.events(created.id)
  const job = await octavo.client.getAgentJob(projectId, created.id)
  assert.equal(job.status, 'completed', job.error ?? '')
  assert.equal(job.filesChanged, 1)
  assert.equal(job.title, 'Tell the right temperature')
  assert.match(job.branch ?? '', /^octavo\/tell-the-right-temperature-[0-9a-z]{8}$/)
  assert.equal(job.source.ref, 'main')
  assert.match(job.model, /^replay:/)
  assert.ok(job.usage.inputTokens > 0)
  const kinds = events.map((event) => event.type)
  for (const type of ['job', 'prompt', 'text', 'tool', 'changes', 'usage', 'check'] as const)
    assert.ok(kinds.includes(type), type)

  const branch = job.branch ?? ''
  assert.equal(await repository.git('rev-parse', 'main'), before)
  assert.equal(await repository.git('rev-parse', `${branch}^`), before)
  assert.equal(await repository.git('diff', '--name-only', 'main', branch), 'guides/brew.mdx')
  const message = await repository.git('log', '-1', '--format=%an%n%B', branch)
  assert.match(message, /^Octavo agent\nTell the right temperature\n\nBlack tea wants boiling water\./)
  assert.match(message, new RegExp(`Octavo-Job: ${job.id}`))

  const review = await octavo.client.getAgentReview(projectId, job.id)
  assert.equal(review.state, 'open')
  assert.equal(review.isLocal, true)
  assert.equal(review.files[0]?.reason, 'The page told the wrong number.')
  assert.match(review.files[0]?.after ?? '', /100 degrees/)
  const linked = await openReviewLink(octavo.url, job.prLink)
  assert.equal(linked.review.job.title, 'Tell the right temperature')

  await octavo.client.acceptAgentJob(projectId, job.id)
  assert.match(await readFile(join(repository.folder, 'guides/brew.mdx'), 'utf8'), /100 degrees/)
  assert.equal(await repository.git('status', '--porcelain'), '')
  assert.match(await shownPage(octavo.url, 'tea.example.com', '/guides/brew'), /100 degrees/)
  await assert.rejects(octavo.client.acceptAgentJob(projectId, job.id), isRefusal(409))
})

test('a message continues the same branch and pull request, and declining closes it', async () => {
  const { octavo, repository, projectId } = scene
  await repository.commit({ 'guides/brew.mdx': BREW })
  const { id } = await octavo.client.createAgentJob(projectId, {
    prompt: 'The temperature for black tea is wrong.',
  })
  const first = await scene.ended(id)
  assert.equal(first.status, 'completed', first.error ?? '')
  const again = await octavo.client.sendAgentMessage(projectId, id, { prompt: 'Also say how long.' })
  assert.equal(again.status, 'active')
  assert.equal(again.prLink, null)
  const second = await scene.ended(id)
  assert.equal(second.status, 'completed', second.error ?? '')
  assert.equal(second.prLink, first.prLink)
  assert.equal(second.branch, first.branch)
  assert.equal(await repository.git('rev-list', '--count', `main..${first.branch}`), '2')

  const declined = await octavo.client.declineAgentJob(projectId, id)
  assert.equal(declined.status, 'completed')
  assert.equal((await octavo.client.getAgentReview(projectId, id)).state, 'closed')
  assert.equal(await repository.git('branch', '--list', `${first.branch}`), '')
})

test('accepting a conflicting change is refused with the conflicting file and works once the conflict is gone', async () => {
  const { octavo, repository, projectId } = scene
  await repository.commit({ 'guides/brew.mdx': BREW })
  const { id } = await octavo.client.createAgentJob(projectId, {
    prompt: 'The temperature for black tea is wrong.',
  })
  assert.equal((await scene.ended(id)).status, 'completed')
  const file = join(repository.folder, 'guides/brew.mdx')

  await writeFile(file, BREW.replace('70', '80'))
  await assert.rejects(octavo.client.acceptAgentJob(projectId, id), isRefusal(409, /uncommitted|changes/))
  await repository.commit({})
  await assert.rejects(octavo.client.acceptAgentJob(projectId, id), (error) => {
    assert.ok(error instanceof ApiError)
    assert.equal(error.code, 'merge_conflict')
    const params = { file: 'guides/brew.mdx', ref: 'main' }
    assert.deepEqual(error.details, [
      { message: 'guides/brew.mdx was also changed on main', code: 'file_conflict', params },
    ])
    return error.status === 409
  })
  assert.equal((await octavo.client.getAgentReview(projectId, id)).state, 'open')
  await repository.commit({ 'guides/brew.mdx': BREW })
  await octavo.client.acceptAgentJob(projectId, id)
  assert.match(await readFile(file, 'utf8'), /100 degrees/)
})

test('a change with problems returns to the model three times and is then published as a draft that lists them', async () => {
  const { octavo, repository, projectId } = scene
  const { id } = await octavo.client.createAgentJob(projectId, { prompt: 'Break a link.' })
  const events = await scene.events(id)
  const job = await octavo.client.getAgentJob(projectId, id)
  assert.deepEqual([job.status, job.errorCode], ['completed', null])
  assert.match(
    job.unfinished ?? '',
    /could not fix in 3 rounds\.[\s\S]*- index\.mdx:\d+: .*\/guides\/nowhere/,
  )
  assert.ok(job.prLink)
  assert.equal(events.filter(({ type }) => type === 'check').length, 4)
  assert.notEqual(await repository.git('branch', '--list', `${job.branch}`), '')
  const review = await octavo.client.getAgentReview(projectId, id)
  assert.deepEqual(
    review.files.map(({ path, change }) => [path, change]),
    [['index.mdx', 'modified']],
  )
})

test('commits are signed with the project key, signed off and credit the member who asked', async () => {
  const { octavo, repository, projectId } = scene
  const { context } = octavo.node
  await repository.commit({ 'guides/brew.mdx': BREW })
  const email = 'docs-bot@acme.example'
  const commitAuthor = `Acme Docs <${email}>`
  const agent = { commitAuthor, signsOff: true, namesAskers: true }
  await setProject(context.database.queries, projectId, { agent })
  const { organizationId } = octavo
  const asker = { email: 'ada@example.com', organizationId }
  await addPerson(context.database, { ...asker, name: 'Ada Lovelace' })
  const browser = await signedIn(octavo.url, asker)
  const path = `/v2/agent/${projectId}/commit-key`
  const { commitKey } = await browser.post<{ commitKey: CommitKey }>(path)
  const { id } = await browser.post<AgentJob>(`/v2/agent/${projectId}/job`, {
    prompt: 'The temperature for black tea is wrong.',
  })
  const job = await scene.ended(id)
  assert.equal(job.status, 'completed', job.error ?? '')
  const signed = { publicKey: commitKey.publicKey, email }
  await verifyCommit(repository, job.branch ?? '', signed)
  const message = await repository.git('log', '-1', '--format=%an <%ae>%n%(trailers)', job.branch ?? '')
  assert.equal(
    message.trim(),
    `${commitAuthor}\nOctavo-Job: ${id}\nCo-authored-by: Ada Lovelace <ada@example.com>\nSigned-off-by: ${commitAuthor}`,
  )
  await octavo.client.acceptAgentJob(projectId, id)
  await verifyCommit(repository, 'main', { ...signed, email: 'octavo@localhost' })
  const { rows } = await context.database.pool.query<{ text: string }>(
    'SELECT commit_keys::text AS text FROM commit_keys UNION ALL SELECT details::text FROM audit_rows',
  )
  assert.ok(rows.length > 1 && rows.every(({ text }) => !text.includes('PRIVATE')))
  await browser.ask(path, { method: 'DELETE' })
  const sealed = { public_key: 'ssh-ed25519 A', sealed: Buffer.alloc(60), project_id: projectId }
  await context.database.queries
    .insertInto('commit_keys')
    .values({ ...sealed, made_by: null })
    .execute()
  await repository.commit({ 'guides/brew.mdx': BREW })
  const stuck = await octavo.client.createAgentJob(projectId, {
    prompt: 'The temperature for black tea is wrong.',
  })
  const end = await scene.ended(stuck.id)
  assert.deepEqual([end.status, end.errorCode], ['failed', 'commit_key_unreadable'])
  await browser.ask(path, { method: 'DELETE' })
  await octavo.client.publishAgentJob(projectId, stuck.id)
  assert.equal((await scene.ended(stuck.id)).status, 'completed', 'it goes on without a key')
})

test('a job that changes nothing completes without a pull request', async () => {
  const { octavo, projectId } = scene
  for (const prompt of ['Is all well?', '  \n ']) {
    const { id } = await octavo.client.createAgentJob(projectId, { prompt })
    const job = await scene.ended(id)
    assert.equal(job.status, 'completed', job.error ?? '')
    assert.equal(job.prLink, null)
    assert.equal(job.filesChanged, 0)
  }
})

test('without a configured branch, a new job names the default branch from the start', async () => {
  const { octavo, projectId } = scene
  const created = await octavo.client.createAgentJob(projectId, { prompt: 'Is all well?' })
  const ended = await scene.ended(created.id)
  assert.deepEqual([created.source.ref, ended.source.ref], ['main', 'main'])
})

test('an archived job takes no further messages', async () => {
  const { octavo, projectId } = scene
  const { id } = await octavo.client.createAgentJob(projectId, { prompt: 'Is all well?' })
  const archived = await octavo.client.archiveAgentJob(projectId, id)
  assert.equal(archived.status, 'archived')
  assert.ok(archived.archivedAt)
  await assert.rejects(octavo.client.sendAgentMessage(projectId, id, { prompt: 'And now?' }), isRefusal(409))
})

function isRefusal(status: number, words = /./) {
  return (error: unknown) =>
    error instanceof ApiError &&
    error.status === status &&
    words.test([error.message, ...error.details.map(({ message }) => message)].join(' '))
}

/** Polls until the deployment started by the merge is published. */
function shownPage(url: string, host: string, path: string): Promise<string> {
  return until(() => pageOf(url, host, path), 'the published site')
}

async function pageOf(url: string, host: string, path: string): Promise<string | null> {
  const { request } = await import('node:http')
  const { promise, resolve, reject } = Promise.withResolvers<string | null>()
  const asked = request(new URL(path, url), { headers: { host } }, (response) => {
    let text = ''
    response.on('data', (chunk) => {
      text += chunk
    })
    response.on('end', () => resolve(response.statusCode === 200 ? text : null))
  })
  asked.on('error', reject)
  asked.end()
  return await promise
}
