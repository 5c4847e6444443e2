import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { after, before, test } from 'node:test'
import { createSecretBox } from '../../src/base/secret-box.ts'
import { type ForgeEvent, readForgeEvent } from '../../src/features/automations/forge-event.ts'
import type { AutomationTrigger } from '../../src/features/automations/operations/automation-triggers.ts'
import { SECRET as SERVER_SECRET } from '../http/api-under-test.ts'
import { undescribedFields } from '../kit/webhook-description.ts'
import { type AutomationScene, openAutomationScene } from './automation-scene.ts'

const HOOK_SECRET = 'it is no secret here'

let scene: AutomationScene
before(async () => {
  scene = await openAutomationScene()
  const { database, acme } = scene.api
  const box = createSecretBox(SERVER_SECRET, 'push webhooks')
  await database.queries
    .insertInto('project_publishing')
    .values({ project_id: acme.projectId, hook_secret: box.seal(Buffer.from(HOOK_SECRET), acme.projectId) })
    .execute()
})
after(() => scene[Symbol.asyncDispose]())

const comment = {
  action: 'created',
  issue: {
    number: 12,
    title: 'The flag --region is missing',
    html_url: 'https://github.com/acme/docs/issues/12',
  },
  comment: { id: 501, body: 'Please, @octavo, write it down.', user: { login: 'Anna' } },
  repository: { full_name: 'acme/docs' },
}

const lineComment = {
  action: 'created',
  pull_request: { number: 13, title: 'Regions', html_url: 'https://github.com/acme/docs/pull/13' },
  comment: { id: 502, body: '@octavo shorter', path: 'guides/regions.mdx', line: 4, user: { login: 'anna' } },
  repository: { full_name: 'acme/docs' },
}

const merged = {
  action: 'closed',
  pull_request: {
    number: 77,
    title: 'Add --region',
    html_url: 'https://github.com/acme/api/pull/77',
    body: 'A flag for the region.',
    merged: true,
    merge_commit_sha: 'c0ffee',
    user: { login: 'ben' },
    head: { ref: 'region' },
    base: { ref: 'main' },
  },
  repository: { full_name: 'acme/api' },
}

const subject = {
  repository: 'acme/docs',
  kind: 'pull request',
  number: 13,
  title: 'Regions',
  link: 'https://forge.example/acme/docs/13',
} as const

const SAID = { kind: 'comment', id: '9', author: 'anna', text: 'Hello', subject, location: null } as const
const ASKED = {
  kind: 'pull_request',
  author: 'anna',
  text: 'All of them.',
  subject,
  branch: 'regions',
  target: 'main',
} as const

const TOLD: [forge: string, event: string, message: unknown, expected: ForgeEvent | null][] = [
  [
    'github',
    'issue_comment',
    comment,
    {
      kind: 'comment',
      id: '501',
      author: 'Anna',
      text: comment.comment.body,
      subject: {
        repository: 'acme/docs',
        kind: 'issue',
        number: 12,
        title: comment.issue.title,
        link: comment.issue.html_url,
      },
      location: null,
    },
  ],
  ['github', 'issue_comment', { ...comment, action: 'edited' }, null],
  ['github', 'pull_request', { ...merged, pull_request: { ...merged.pull_request, merged: false } }, null],
  ['github', 'pull_request', { ...merged, action: 'labeled' }, null],
  [
    'gitea',
    'issue_comment',
    {
      action: 'created',
      is_pull: true,
      issue: { number: 13, title: 'Regions', html_url: subject.link },
      comment: { id: 9, body: 'Hello', user: { login: 'anna' } },
      repository: { full_name: 'acme/docs' },
    },
    SAID,
  ],
  [
    'gitlab',
    'Note Hook',
    {
      user: { username: 'anna' },
      project: { path_with_namespace: 'acme/docs' },
      object_attributes: {
        id: 9,
        note: 'Hello',
        action: 'create',
        url: `${subject.link}#note_9`,
        position: { new_path: 'a.mdx', new_line: 3 },
      },
      merge_request: { iid: 13, title: 'Regions', url: subject.link },
    },
    { ...SAID, location: { path: 'a.mdx', line: 3 } },
  ],
  [
    'gitlab',
    'Merge Request Hook',
    {
      user: { username: 'anna' },
      project: { path_with_namespace: 'acme/docs' },
      object_attributes: {
        iid: 13,
        title: 'Regions',
        description: 'All of them.',
        url: subject.link,
        action: 'open',
        source_branch: 'regions',
        target_branch: 'main',
      },
    },
    { ...ASKED, happened: 'opened', commit: null },
  ],
  [
    'bitbucket',
    'pullrequest:comment_created',
    {
      actor: { account_id: 'anna', nickname: 'anyone' },
      repository: { full_name: 'acme/docs' },
      pullrequest: { id: 13, title: 'Regions', links: { html: { href: subject.link } } },
      comment: { id: 9, content: { raw: 'Hello' }, inline: { path: 'a.mdx', to: 3 } },
    },
    { ...SAID, location: { path: 'a.mdx', line: 3 } },
  ],
  [
    'bitbucket',
    'pullrequest:fulfilled',
    {
      actor: { account_id: 'ben', nickname: 'anyone' },
      repository: { full_name: 'acme/docs' },
      pullrequest: {
        id: 13,
        title: 'Regions',
        description: 'All of them.',
        author: { account_id: 'anna', nickname: 'anyone' },
        links: { html: { href: subject.link } },
        source: { branch: { name: 'regions' } },
        destination: { branch: { name: 'main' } },
        merge_commit: { hash: 'c0ffee' },
      },
    },
    { ...ASKED, happened: 'merged', commit: 'c0ffee' },
  ],
]

test('parses events of each forge and ignores other events', () => {
  for (const [forge, event, message, expected] of TOLD)
    assert.deepEqual(readForgeEvent(forge, event, message), expected, `${forge} ${event}`)
})

test('the webhook fixtures have only fields that GitHub documents', () => {
  const described = {
    'webhook-issue-comment-created': comment,
    'webhook-pull-request-review-comment-created': lineComment,
    'webhook-pull-request-closed': merged,
  }
  for (const [name, sample] of Object.entries(described))
    assert.deepEqual(undescribedFields(sample, name), [], name)
  assert.deepEqual(undescribedFields({ comment: { words: '' } }, 'webhook-issue-comment-created'), [
    '/comment/words',
  ])
})

test('ignores malformed webhook messages without throwing', () => {
  const broken = [null, 7, 'text', [], {}, { action: 'created' }, { ...comment, comment: null }]
  for (const message of [
    ...broken,
    { ...comment, issue: { ...comment.issue, html_url: 'javascript:alert(1)' } },
  ])
    for (const [forge, event] of TOLD) assert.equal(readForgeEvent(forge, event, message), null)
  assert.equal(readForgeEvent('constructor', 'issue_comment', comment), null)
})

async function tell(event: string, message: object): Promise<string | undefined> {
  const body = JSON.stringify(message)
  const response = await scene.api.fetch(`/hooks/push/${scene.api.acme.projectId}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-github-event': event,
      'x-hub-signature-256': `sha256=${createHmac('sha256', HOOK_SECRET).update(body).digest('hex')}`,
    },
    body,
  })
  assert.equal(response.status, 202)
  return ((await response.json()) as { outcome?: string }).outcome
}

const create = async (trigger: AutomationTrigger) => (await scene.create({ trigger })).automationId
const saying = (body: string, id: number, login = 'anna') => ({
  ...comment,
  comment: { id, body, user: { login } },
})

test('a mention by an allowed person starts one job, even when delivered twice', async () => {
  const id = await create({ kind: 'comment', people: ['anna'] })
  assert.equal(await tell('issue_comment', comment), 'automation')
  assert.equal(await tell('issue_comment', comment), 'review', 'it is the run that there was')
  const [run, ...more] = await scene.runs(id)
  assert.deepEqual(
    [run?.cause, run?.state, run?.topic, more],
    ['comment', 'started', 'acme/docs issue 12', []],
  )
  const [first] = await scene.prompts(run?.jobId ?? '')
  assert.match(first?.told[0]?.text ?? '', /^Anna wrote on issue 12 of acme\/docs .*\n\nPlease, @octavo/)
  assert.equal(await tell('pull_request_review_comment', lineComment), 'automation')
  const [onLine] = await scene.runs(id)
  assert.match(onLine?.asked ?? '', /at guides\/regions\.mdx line 4/)

  assert.equal(await tell('issue_comment', saying('and @Octavo: also this', 503)), 'automation')
  assert.equal((await scene.runs(id))[0]?.state, 'added', 'the job of this issue is at work')
})

test('comments without a mention by an allowed person start nothing', async () => {
  const id = await create({ kind: 'comment', mention: '@docs-bot', people: ['anna', 'ben'] })
  const others = [
    saying('@docs-bot, please', 601, 'mallory'),
    saying('nobody is called', 602),
    saying('> @docs-bot, please\n\nWhat came of this?', 603),
    saying('Write `@docs-bot` to call it', 604),
    saying('```\n@docs-bot\n```', 605),
    saying('mail me@docs-bot.example', 606),
    saying('@docs-botany is something else', 607),
  ]
  for (const one of others) assert.equal(await tell('issue_comment', one), 'review', one.comment.body)
  assert.deepEqual(await scene.runs(id), [])
  assert.equal(await tell('issue_comment', saying('Dear @docs-bot!', 608, 'BEN')), 'automation')
})

test('a comment on the open pull request of a job is left to that job', async () => {
  const id = await create({ kind: 'comment', mention: '@own', people: ['anna'] })
  await scene.api.database.queries
    .updateTable('agent_jobs')
    .set({ pull_request_link: lineComment.pull_request.html_url, pull_request_state: 'open' })
    .where(
      'id',
      '=',
      (await scene.api.database.queries.selectFrom('agent_jobs').select('id').executeTakeFirstOrThrow()).id,
    )
    .execute()
  const said = { ...lineComment, comment: { ...lineComment.comment, id: 701, body: '@own, shorter' } }
  assert.equal(await tell('pull_request_review_comment', said), 'review')
  assert.deepEqual(await scene.runs(id), [])
})

test('a merged pull request of the named repository starts a job with its description', async () => {
  const id = await create({ kind: 'pull_request', repository: 'Acme/API' })
  const opened = await create({ kind: 'pull_request', repository: 'acme/api', when: 'opened' })
  const elsewhere = await create({ kind: 'pull_request', repository: 'acme/other' })
  assert.equal(await tell('pull_request', merged), 'automation')
  const [run] = await scene.runs(id)
  assert.deepEqual([run?.state, run?.topic], ['started', 'acme/api pull request 77'])
  assert.match(run?.asked ?? '', /merged into main as commit c0ffee\. .*\n\nA flag for the region\./)
  assert.deepEqual([await scene.runs(opened), await scene.runs(elsewhere)], [[], []])
})

test('a flood of comments starts no more runs than the hourly limit', async () => {
  const id = await create({ kind: 'comment', mention: '@flood', people: ['anna'] })
  let begun = 0
  for (let number = 0; number < 80; number++)
    if ((await tell('issue_comment', saying(`@flood ${'x'.repeat(30_000)}`, 1000 + number))) === 'automation')
      begun++
  assert.equal(begun, 60)
  const runs = await scene.runs(id)
  assert.ok(runs.every(({ asked }) => asked.length <= 10_100))
})
