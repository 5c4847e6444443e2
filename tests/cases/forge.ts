/** Shared tests of all Forge adapters, against a server that responds like the forge. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { ForgeError, type ForgeErrorReason } from '../../src/git/forges/forge.ts'
import type { ForgeKind } from '../../src/git/forges/forge-location.ts'
import { type ForgeSettings, openForge } from '../../src/git/forges/open-forge.ts'
import { addAnswerMark, type ReviewComment } from '../../src/git/forges/review-comments.ts'
import { type ForgeServer, startForgeServer } from '../kit/forge-servers/start-forge-server.ts'
import { listedGuard } from '../kit/git.ts'
import { until } from '../kit/until.ts'

const BRANCHES = { branch: 'octavo/region-flag-1a2b3c', target: 'main' }
const TEXT = { title: 'Document the region flag', body: 'Because readers asked.\n\n- `--region`' }

/** Error messages that differ between forges. */
export interface Differences {
  kind: ForgeKind
  /** Error for a repository that the forge does not know. */
  permission: RegExp
}

const never = () => new AbortController().signal

async function start(t: TestContext, kind: ForgeKind): Promise<ForgeServer> {
  const server = await startForgeServer(kind, { files: { 'docs/docs.json': '{}' } })
  t.after(() => server[Symbol.asyncDispose]())
  return server
}

const EXTRAS: Record<ForgeKind, { reviewer: string }> = {
  github: { reviewer: 'maintainer' },
  gitlab: { reviewer: 'maintainer' },
  gitea: { reviewer: 'maintainer' },
  bitbucket: { reviewer: '{9b7e1c52-3a74-4a1f-8a35-2f7f4f0a6c21}' },
}

/** Adds a branch with one commit on top of `from`, as a push would. */
async function addBranch(server: ForgeServer, name: string, from = 'main'): Promise<void> {
  const tree = await server.git('rev-parse', `${from}^{tree}`)
  const commit = await server.git('commit-tree', tree, '-p', from, '-m', `on ${name}`)
  await server.git('update-ref', `refs/heads/${name}`, commit)
}

async function startWithBranch(t: TestContext, kind: ForgeKind, more: Partial<ForgeSettings> = {}) {
  const server = await start(t, kind)
  await addBranch(server, BRANCHES.branch)
  return { server, forge: openForge(server.address, { ...server.settings, ...more }) }
}

async function rejectsWith(
  work: Promise<unknown>,
  reason: ForgeErrorReason,
  sentence: RegExp,
): Promise<ForgeError> {
  const error = await work.then(
    () => assert.fail('it was not refused'),
    (caught: unknown) => caught,
  )
  assert.ok(error instanceof ForgeError, String(error))
  assert.equal(error.reason, reason, error.message)
  assert.match(error.message, sentence)
  assert.equal(error.isTemporary, reason === 'unreachable')
  return error
}

export function forgeCases({ kind, permission }: Differences): void {
  test(`${kind}: a request is opened, found again, and its text replaced`, async (t) => {
    const { server, forge } = await startWithBranch(t, kind)
    assert.equal(forge.kind, kind)
    assert.equal(await forge.findPullRequest(BRANCHES, never()), null)
    const made = await forge.createPullRequest({ ...BRANCHES, ...TEXT }, never())
    assert.equal(made.state, 'open')
    assert.ok(made.link.startsWith(`http://${server.host}/`) && made.link.endsWith(`/${made.id}`), made.link)
    assert.deepEqual(await forge.findPullRequest(BRANCHES, never()), made)
    await forge.updatePullRequest(made.id, { title: 'Another title', body: 'Another text' }, never())
    const [kept, ...others] = server.requests
    assert.deepEqual(others, [])
    assert.deepEqual([kept?.title, kept?.body], ['Another title', 'Another text'])
    assert.deepEqual([kept?.branch, kept?.target], [BRANCHES.branch, BRANCHES.target])
  })

  test(`${kind}: what people do with a request at the forge is seen`, async (t) => {
    const { server, forge } = await startWithBranch(t, kind)
    const { id } = await forge.createPullRequest({ ...BRANCHES, ...TEXT }, never())
    const state = async () => (await forge.findPullRequest(BRANCHES, never()))?.state
    server.close(Number(id))
    assert.equal(await state(), 'closed')
    const again = await forge.createPullRequest({ ...BRANCHES, ...TEXT }, never())
    assert.notEqual(again.id, id)
    assert.equal(await state(), 'open')
    await server.merge(Number(again.id))
    assert.equal(await state(), 'merged')
    assert.match(await server.git('log', '-1', '--format=%s', 'main'), /^Merge Document/)
    await server.git('update-ref', '-d', `refs/heads/${BRANCHES.branch}`)
    assert.deepEqual(await forge.findPullRequest(BRANCHES, never()), { ...again, state: 'merged' })
  })

  test(`${kind}: the newest of several requests counts, also behind many others`, async (t) => {
    const { server, forge } = await startWithBranch(t, kind)
    for (let round = 0; round < 3; round++)
      server.close(server.addRequest({ ...BRANCHES, isFromFork: false, title: `round ${round}` }))
    for (let other = 0; other < 70; other++)
      server.addRequest({ branch: `other-${other}`, target: 'main', isFromFork: false })
    for (let fork = 0; fork < 35; fork++) server.addRequest(BRANCHES)
    const found = await forge.findPullRequest(BRANCHES, never())
    assert.deepEqual([found?.id, found?.state], ['3', 'closed'])
  })

  test(`${kind}: requests from forks, into other branches and from other branches are others`, async (t) => {
    const { server, forge } = await startWithBranch(t, kind)
    await addBranch(server, 'release/2.0')
    server.addRequest(BRANCHES)
    server.addRequest({ branch: BRANCHES.branch, target: 'release/2.0', isFromFork: false })
    server.addRequest({ branch: `${BRANCHES.branch}-2`, target: 'main', isFromFork: false })
    assert.equal(await forge.findPullRequest(BRANCHES, never()), null)
    const into = await forge.findPullRequest({ ...BRANCHES, target: 'release/2.0' }, never())
    assert.equal(into?.id, '2')
  })

  test(`${kind}: names of branches come through as they are`, async (t) => {
    const server = await start(t, kind)
    const forge = openForge(server.address, server.settings)
    for (const target of ['release/v1.0+beta', 'ü&100%#1']) {
      await server.git('update-ref', `refs/heads/${target}`, 'main')
      const branch = `octavo/${target}-1a2b3c`
      await addBranch(server, branch)
      const made = await forge.createPullRequest({ branch, target, ...TEXT }, never())
      assert.deepEqual(await forge.findPullRequest({ branch, target }, never()), made)
    }
  })

  test(`${kind}: a draft is one until it is ended`, async (t) => {
    const { server, forge } = await startWithBranch(t, kind)
    const { id } = await forge.createPullRequest({ ...BRANCHES, ...TEXT, isDraft: true }, never())
    const isDraft = () =>
      server.requests[0]?.isDraft || /^(?:Draft|WIP): /.test(server.requests[0]?.title ?? '')
    assert.ok(isDraft())
    await forge.updatePullRequest(id, TEXT, never())
    await forge.markReadyForReview?.(id, never())
    await forge.markReadyForReview?.(id, never())
    assert.ok(!isDraft())
    assert.equal(server.requests[0]?.title, TEXT.title)
  })

  test(`${kind}: reviewers and labels are added once each; what the forge does not have is told`, async (t) => {
    const { server, forge } = await startWithBranch(t, kind)
    const { id } = await forge.createPullRequest({ ...BRANCHES, ...TEXT }, never())
    const wanted = { reviewers: [EXTRAS[kind].reviewer, 'nobody'], labels: ['documentation', 'agent'] }
    const faults = await forge.addToPullRequest?.(id, wanted, never())
    assert.match(faults?.[0] ?? '', /^The forge rejected nobody as a reviewer\. \S/)
    assert.equal(faults?.length, kind === 'bitbucket' ? 2 : 1)
    await forge.addToPullRequest?.(id, { reviewers: [], labels: [] }, never())
    await forge.updatePullRequest(id, TEXT, never())
    assert.deepEqual(server.requests[0]?.reviewers, [EXTRAS[kind].reviewer])
    assert.deepEqual(server.requests[0]?.labels, kind === 'bitbucket' ? [] : wanted.labels)
    server.fault = 'server_error'
    const away = forge.addToPullRequest?.(id, { reviewers: wanted.reviewers, labels: [] }, never())
    await rejectsWith(away ?? Promise.resolve(), 'unreachable', /error/)
  })

  test(`${kind}: what people who may write say is read, and known to be answered`, async (t) => {
    const { server, forge } = await startWithBranch(t, kind)
    const { id } = await forge.createPullRequest({ ...BRANCHES, ...TEXT }, never())
    const say = (author: string, text: string) => server.say({ request: 1, author, text })
    server.say({ request: 1, author: 'maintainer', text: 'Which one?', path: 'docs/index.mdx', line: 3 })
    const others = ['reader', 'stranger', 'helper[bot]', 'project_1_bot_5e']
    if (kind === 'bitbucket') others.push('maintainer#2')
    for (const author of others) say(author, 'Do as I say.')
    say('maintainer', 'Thanks.')
    if (forge.readComments === undefined) return
    const { comments, answered } = await forge.readComments(id, never())
    assert.deepEqual(
      comments.map(({ author, path, line, text }) => [author, path, line, text]),
      [
        ['maintainer', 'docs/index.mdx', 3, 'Which one?'],
        ['maintainer', null, null, 'Thanks.'],
      ],
    )
    assert.equal(answered.size, 0)
    const [first, second] = comments as [ReviewComment, ReviewComment]
    for (const comment of [first, second])
      await forge.answerComment?.(id, { id: comment.id, text: addAnswerMark(comment.id, 'Done.') }, never())
    const again = await forge.readComments(id, never())
    assert.deepEqual(again.comments, comments)
    assert.deepEqual([...again.answered].sort(), [first.id, second.id].sort())
    assert.match(server.comments.at(-1)?.text ?? '', /^Done\.\n\n\[\/\/\]: # \(octavo: answers \S+\)\n$/)
  })

  test(`${kind}: of a long conversation as much is read as there is a bound for`, async (t) => {
    const { server, forge } = await startWithBranch(t, kind)
    const { id } = await forge.createPullRequest({ ...BRANCHES, ...TEXT }, never())
    for (let said = 1; said <= 230; said++)
      server.say({ request: 1, author: 'maintainer', text: `Number ${said}.`, path: 'a.mdx', line: said })
    if (forge.readComments === undefined) return
    const { comments } = await forge.readComments(id, never())
    assert.ok(comments.length >= 30 && comments.length <= 500)
    const asked = server.apiRequests.filter(({ path }) => !path.includes('/reviews/')).length
    assert.ok(asked < 20, `${asked} calls`)
  })

  test(`${kind}: a request that is there already is given instead of a second one`, async (t) => {
    const { server, forge } = await startWithBranch(t, kind)
    const first = await forge.createPullRequest({ ...BRANCHES, ...TEXT }, never())
    assert.deepEqual(await forge.createPullRequest({ ...BRANCHES, ...TEXT }, never()), first)
    await addBranch(server, 'octavo/second')
    server.fault = 'created_meanwhile'
    const raced = { ...BRANCHES, branch: 'octavo/second' }
    const second = await forge.createPullRequest({ ...raced, ...TEXT }, never())
    assert.deepEqual(await forge.findPullRequest(raced, never()), second)
    assert.equal(server.requests.length, 2)
  })

  test(`${kind}: a request whose answer was lost is found by whoever looks first`, async (t) => {
    const { server, forge } = await startWithBranch(t, kind)
    server.fault = 'cut_after_create'
    const lost = forge.createPullRequest({ ...BRANCHES, ...TEXT }, never())
    await rejectsWith(lost, 'unreachable', /cannot be reached/)
    const found = await forge.findPullRequest(BRANCHES, never())
    assert.equal(found?.state, 'open')
    assert.equal(server.requests.length, 1)
  })

  test(`${kind}: a forge that is away, in trouble or busy may answer later`, async (t) => {
    const { server, forge } = await startWithBranch(t, kind)
    server.fault = 'down'
    await rejectsWith(forge.findPullRequest(BRANCHES, never()), 'unreachable', /cannot be reached from here/)
    server.fault = 'server_error'
    await rejectsWith(forge.findPullRequest(BRANCHES, never()), 'unreachable', /an error \(50[02]\)/)
    server.fault = 'rate_limited'
    const error = await rejectsWith(
      forge.createPullRequest({ ...BRANCHES, ...TEXT }, never()),
      'unreachable',
      /limits requests at the moment/,
    )
    assert.ok(
      error.retryAfterSeconds !== null && error.retryAfterSeconds >= 5 && error.retryAfterSeconds <= 9,
    )
    assert.equal(server.requests.length, 0)
    server.fault = null
    assert.equal(await forge.findPullRequest(BRANCHES, never()), null)
  })

  test(`${kind}: a forge that never answers is given up after a time, and at once when the caller says so`, async (t) => {
    const { server, forge } = await startWithBranch(t, kind)
    server.fault = 'silent'
    const quick = openForge(server.address, {
      ...server.settings,
      network: { guard: listedGuard, timeoutMs: 200 },
    })
    const sentence = /cannot be reached from here/
    await rejectsWith(quick.findPullRequest(BRANCHES, never()), 'unreachable', sentence)
    const stop = new AbortController()
    const reason = new Error('the job was stopped')
    const asked = server.apiRequests.length
    const waiting = forge.findPullRequest(BRANCHES, stop.signal)
    await until(() => server.apiRequests.length !== asked)
    stop.abort(reason)
    await assert.rejects(waiting, (error) => error === reason)
    await assert.rejects(forge.findPullRequest(BRANCHES, stop.signal), (error) => error === reason)
  })

  test(`${kind}: a wrong token, and one without the permission, are told with what it needs`, async (t) => {
    const { server, forge } = await startWithBranch(t, kind)
    const wrong = openForge(server.address, { ...server.settings, tokens: { [server.host]: 'wrong-token' } })
    const refused = await rejectsWith(
      wrong.findPullRequest(BRANCHES, never()),
      'credentials_refused',
      permission,
    )
    assert.match(refused.message, /rejects the token/)
    server.fault = 'forbidden'
    const forbidden = forge.createPullRequest({ ...BRANCHES, ...TEXT }, never())
    assert.match(
      (await rejectsWith(forbidden, 'credentials_refused', permission)).message,
      /does not allow the token to do this/,
    )
  })

  test(`${kind}: a repository that is not there may also be one that the token does not see`, async (t) => {
    const { server } = await startWithBranch(t, kind)
    const address = server.address.replace(/docs\.git$/, 'other.git')
    const forge = openForge(address, server.settings)
    const sentence = /has no repository acme\/.*other, or the token has no access to it/
    await rejectsWith(forge.findPullRequest(BRANCHES, never()), 'repository_missing', sentence)
    const create = forge.createPullRequest({ ...BRANCHES, ...TEXT }, never())
    await rejectsWith(create, 'repository_missing', sentence)
  })

  test(`${kind}: the token goes to its own forge, never along a redirect`, async (t) => {
    const { server, forge } = await startWithBranch(t, kind)
    server.fault = 'moved'
    const sentence = /has moved to another URL, to which the token is not sent/
    await rejectsWith(forge.findPullRequest(BRANCHES, never()), 'repository_missing', sentence)
    assert.equal(server.apiRequests.length, 1)
    assert.ok(server.apiRequests[0]?.authorization?.endsWith(` ${server.token}`))
  })

  test(`${kind}: neither sentences nor what is behind them hold the token`, async (t) => {
    const { server, forge } = await startWithBranch(t, kind)
    for (const fault of ['quotes_token', 'unauthorized', 'down', 'not_json', 'server_error'] as const) {
      server.fault = fault
      const error = await forge.createPullRequest({ ...BRANCHES, ...TEXT }, never()).catch((caught) => caught)
      assert.ok(error instanceof ForgeError, fault)
      for (let part: unknown = error; part instanceof Error; part = part.cause) {
        const told = `${part.message} ${part.stack} ${JSON.stringify(part)}`
        assert.ok(!told.includes(server.token), `${fault}: ${told}`)
      }
    }
  })

  test(`${kind}: an answer of another kind, or without end, is refused`, async (t) => {
    const { server, forge } = await startWithBranch(t, kind)
    server.fault = 'not_json'
    const sentence = /an invalid response.*OCTAVO_FORGES/
    await rejectsWith(forge.findPullRequest(BRANCHES, never()), 'refused', sentence)
    await rejectsWith(forge.createPullRequest({ ...BRANCHES, ...TEXT }, never()), 'refused', sentence)
    server.fault = 'endless'
    await rejectsWith(forge.findPullRequest(BRANCHES, never()), 'refused', /more than 16 MiB/)
  })

  test(`${kind}: a title and a text beyond what forges take are shortened`, async (t) => {
    const { server, forge } = await startWithBranch(t, kind)
    await forge.createPullRequest(
      { ...BRANCHES, title: `Line\nbreak ${'x'.repeat(300)}`, body: 'y'.repeat(100_000) },
      never(),
    )
    const { title = '', body = '' } = server.requests[0] ?? {}
    assert.match(title, /^Line break x+…$/)
    assert.ok(title.length <= 255 && body.length <= 65_000 && body.endsWith('…'))
  })
}
