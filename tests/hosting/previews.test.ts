import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { get } from 'node:http'
import { after, before, describe, test } from 'node:test'
import { ApiError } from '../../src/client/call.ts'
import {
  isBranchName,
  type Preview,
  type PreviewSettings,
} from '../../src/features/hosting/operations/previews.ts'
import { matchesPattern } from '../../src/features/hosting/previews/pull-request-message.ts'
import { cleanUpPreviews } from '../../src/features/hosting/previews/watch-previews.ts'
import { publish, until } from '../kit/until.ts'
import { type GitSite, openGitSite } from './git-site-scene.ts'

const LIVE = 'docs.example.com'

let site: GitSite
let octavo: GitSite['octavo']
let repository: GitSite['repository']
let projectId: string
let admin: GitSite['admin']
let secret: string

before(async () => {
  const env = { OCTAVO_PREVIEW_DOMAIN: 'previews.example.net', OCTAVO_LIMIT_PREVIEWS: '1000/60' }
  site = await openGitSite({ domain: LIVE, pages: 2, ref: 'main', env })
  ;({ octavo, repository, projectId, admin } = site)
  const place = `/internal/projects/${projectId}/publishing/secret`
  ;({ secret } = await admin.json<{ secret: string }>(place, { method: 'POST' }))
})
after(() => site[Symbol.asyncDispose]())

async function commitOn(branch: string, text: string): Promise<string> {
  await repository.git('checkout', '-q', '-B', branch)
  const commit = await repository.commit({ 'page-1.mdx': `---\ntitle: One\n---\n\n${text}\n` })
  await repository.git('checkout', '-q', 'main')
  return commit
}

async function hook(message: object, event = 'push'): Promise<string | undefined> {
  const body = JSON.stringify(message)
  const response = await octavo.fetch(`/hooks/push/${projectId}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-github-event': event,
      'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
    },
    body,
  })
  assert.equal(response.status, 202)
  return ((await response.json()) as { outcome?: string }).outcome
}

const pushed = (branch: string, after = 'a1') => hook({ ref: `refs/heads/${branch}`, after })
const settings = (previews: Partial<PreviewSettings>) =>
  admin.json(`/internal/projects/${projectId}/publishing`, { method: 'PATCH', body: { previews } })
const list = async () => (await octavo.client.listPreviews(projectId)).previews

function requestOf(number: number, head: { ref: string; isFork?: boolean }, state = 'open', merged = false) {
  const own = { id: 1 }
  return {
    pull_request: {
      ...{ number, state, merged },
      head: { ref: head.ref, repo: head.isFork ? { id: 2 } : own },
      base: { ref: 'main', repo: own },
    },
  }
}

const ready = (branch: string, isRight: (one: Preview) => boolean = () => true): Promise<Preview> =>
  until(async () => {
    const one = (await list()).find((preview) => preview.branch === branch)
    assert.notEqual(one?.state, 'failed', one?.deployment.error ?? '')
    return one?.state === 'ready' && isRight(one) && one
  }, `the preview of ${branch}`)

interface Read {
  status: number | undefined
  text: string
  headers: Record<string, unknown>
}

function textAt(host: string, path = '/page-1', more: Record<string, string> = {}): Promise<Read> {
  const { hostname, port } = new URL(octavo.url)
  return new Promise((resolve, reject) => {
    get({ hostname, port, path, headers: { host, accept: 'text/html', ...more } }, async (response) => {
      let text = ''
      for await (const chunk of response) text += chunk
      resolve({ status: response.statusCode, headers: response.headers, text })
    }).on('error', reject)
  })
}

const hostOf = ({ previewUrl }: Preview) => new URL(previewUrl ?? '').host

describe('previews', () => {
  test('a requested branch gets a preview at its own address and leaves the site unchanged', async () => {
    await commitOn('next', 'Of the next version.')
    const { deploymentId } = await publish(octavo.client, projectId)
    const made = await octavo.client.createPreview(projectId, 'next')
    const preview = await ready('next')
    assert.equal(preview.previewId, made.previewId)
    const status = await octavo.client.call('getUpdateStatus', { params: { statusId: made.statusId } })
    const { subdomain, commit, source } = status
    assert.deepEqual(
      [status.status, subdomain, commit?.ref, source],
      ['success', hostOf(preview), 'next', 'api'],
    )
    assert.match(preview.previewUrl ?? '', /^https:\/\/[a-z2-7]{32}\.previews\.example\.net$/)
    const page = await textAt(hostOf(preview))
    assert.equal(page.status, 200)
    assert.match(page.text, /Of the next version/)
    assert.equal(page.headers['x-robots-tag'], 'noindex, nofollow')
    assert.equal(page.headers['referrer-policy'], 'same-origin')
    assert.doesNotMatch(page.text, /_octavo\/analytics\./)
    const live = await textAt(LIVE)
    assert.doesNotMatch(live.text, /Of the next version/)
    assert.equal(live.headers['x-robots-tag'], undefined)
    assert.deepEqual(preview.deployment.changes, { added: 0, changed: 1, removed: 0 })
    // It is not listed with the deployments of the site, and cannot be promoted.
    const { deployments } = await octavo.client.listDeployments(projectId)
    assert.deepEqual(
      deployments.map((one) => one.deploymentId),
      [deploymentId],
    )
    await assert.rejects(
      octavo.client.promoteDeployment(projectId, preview.deployment.deploymentId),
      (error) => error instanceof ApiError && error.code === 'not_found',
    )
    // Feedback on a preview does not count for the site.
    const vote = await octavo.fetch('/_octavo/feedback', {
      method: 'POST',
      headers: { host: hostOf(preview), 'content-type': 'application/json' },
      body: JSON.stringify({ path: '/page-1', helpful: true }),
    })
    assert.notEqual(vote.status, 200)
  })

  test('pushes and pull requests are previewed only after previews are enabled', async () => {
    assert.equal(await pushed('next'), 'previewed', 'the one that was asked for is brought up to date')
    await commitOn('feature/a', 'Of the feature.')
    assert.equal(await pushed('feature/a'), 'other_branch')
    assert.equal(await hook(requestOf(7, { ref: 'feature/a' }), 'pull_request'), 'review')
    await settings({ mode: 'pull_requests' })
    assert.equal(await pushed('feature/a'), 'other_branch')
    assert.equal(await hook(requestOf(7, { ref: 'feature/a' }), 'pull_request'), 'previewed')
    const preview = await ready('feature/a')
    assert.deepEqual([preview.pullRequest, preview.isFork], [7, false])
    await settings({ mode: 'branches', branches: ['release/*'] })
    await commitOn('release/2', 'Of the release.')
    assert.equal(await pushed('release/2'), 'previewed')
    assert.equal(await pushed('main'), 'published')
    assert.ok(!(await list()).some(({ branch }) => branch === 'main'))
  })

  test('thirty pushes end in a preview of the last commit at the same address', async () => {
    const before = await ready('feature/a')
    let last = ''
    for (let round = 1; round <= 30; round++) {
      last = await commitOn('feature/a', `Round ${round}.`)
      assert.equal(await pushed('feature/a', last), 'previewed')
    }
    const preview = await ready('feature/a', ({ deployment }) => deployment.revision === last)
    assert.equal(preview.previewUrl, before.previewUrl)
    assert.match((await textAt(hostOf(preview))).text, /Round 30/)
    const { rows } = await octavo.node.context.database.pool.query(
      'SELECT count(*)::integer AS count FROM deployments WHERE preview_id = $1 AND manifest_key IS NOT NULL',
      [preview.previewId],
    )
    assert.equal(rows[0].count, 1, 'versions that nobody gets are kept')
  })

  test('a fork needs permission and is read through the ref of its pull request', async () => {
    const commit = await commitOn('of-a-stranger', 'By a stranger.')
    await repository.git('update-ref', 'refs/pull/9/head', commit)
    await repository.git('branch', '-q', '-D', 'of-a-stranger')
    const news = requestOf(9, { ref: 'main', isFork: true })
    await settings({ mode: 'pull_requests' })
    assert.equal(await hook(news, 'pull_request'), 'review')
    await settings({ forks: true })
    assert.equal(await hook(news, 'pull_request'), 'previewed')
    const preview = await ready('main')
    assert.deepEqual([preview.isFork, preview.pullRequest], [true, 9])
    assert.match((await textAt(hostOf(preview))).text, /By a stranger/)
  })

  test('merged, closed, deleted and expired previews return 404 and retain no files', async () => {
    const [forked, feature, release] = [
      await ready('main'),
      await ready('feature/a'),
      await ready('release/2'),
    ]
    await hook(requestOf(9, { ref: 'main', isFork: true }, 'closed'), 'pull_request')
    await hook(requestOf(7, { ref: 'feature/a' }, 'closed', true), 'pull_request')
    assert.equal(await pushed('release/2', '0'.repeat(40)), 'previewed')
    const { pool } = octavo.node.context.database
    await pool.query(`UPDATE previews SET expires_at = now() WHERE removed_at IS NULL`)
    await cleanUpPreviews(octavo.node.context)
    assert.deepEqual(await list(), [])
    const removed = await pool.query('SELECT removed_because FROM previews ORDER BY number')
    assert.deepEqual(
      removed.rows.map((row) => row.removed_because),
      ['expired', 'merged', 'gone', 'closed'],
    )
    // The server caches host names briefly.
    await new Promise((resolve) => setTimeout(resolve, 150))
    for (const one of [forked, feature, release]) {
      const gone = await textAt(hostOf(one))
      assert.equal(gone.status, 404)
      assert.match(gone.text, /There is no preview here/)
    }
    const kept = await pool.query(
      'SELECT 1 FROM deployments WHERE preview_id IS NOT NULL AND manifest_key IS NOT NULL',
    )
    assert.equal(kept.rowCount, 0)
    await pool.query(`UPDATE previews SET removed_at = now() - interval '2 days'`)
    await cleanUpPreviews(octavo.node.context)
    const rows = await pool.query(
      'SELECT 1 FROM previews UNION ALL SELECT 1 FROM deployments WHERE preview_id IS NOT NULL',
    )
    assert.equal(rows.rowCount, 0)
  })

  test('the project decides who can read previews, and a private site has no public preview', async () => {
    await octavo.client.createPreview(projectId, 'next')
    const preview = await ready('next')
    const host = hostOf(preview)
    assert.equal((await textAt(host)).status, 200)
    for (const access of ['members', 'password'] as const) {
      await settings({ access })
      await new Promise((resolve) => setTimeout(resolve, 150))
      const shut = await textAt(host)
      assert.deepEqual([shut.status, shut.headers['x-robots-tag']], [401, 'noindex, nofollow'])
      assert.doesNotMatch(shut.text, /Of the next version/)
    }
    await settings({ access: 'public' })
    const site = `/internal/projects/${projectId}/access`
    await admin.json(site, { method: 'PATCH', body: { isPrivate: true } })
    await new Promise((resolve) => setTimeout(resolve, 150))
    assert.equal((await textAt(host)).status, 401)
    await admin.json(site, { method: 'PATCH', body: { isPrivate: false } })
  })

  test('hostile branch names start no preview, and ten thousand branches stay within the limit', async () => {
    await settings({ mode: 'branches', branches: ['*'] })
    const before = (await list()).length
    const hostile = [
      '../../etc',
      'a..b',
      '-x',
      'a'.repeat(5000),
      'a b',
      'x~1',
      'a*',
      '@{-1}',
      'a.lock',
      'a\u0000',
    ]
    for (const name of hostile) {
      assert.equal(isBranchName(name), false, name.slice(0, 20))
      assert.equal(await pushed(name), 'other_branch')
      await assert.rejects(octavo.client.createPreview(projectId, name), ApiError)
    }
    assert.equal((await list()).length, before)
    assert.ok(isBranchName('größe/日本語'))
    await commitOn('größe/日本語', 'In every script.')
    assert.equal(await pushed('größe/日本語'), 'previewed')
    assert.match((await textAt(hostOf(await ready('größe/日本語')))).text, /In every script/)
    const changes = Array.from({ length: 10_000 }, (_, index) => ({
      ref: { id: `refs/heads/b${index}` },
      type: 'ADD',
    }))
    assert.equal(await hook({ changes }), 'previewed')
    const { most, previews } = await octavo.client.listPreviews(projectId)
    assert.ok(previews.length <= most, `${previews.length} of ${most}`)
    await settings({ mode: 'off' })
    const left = await list()
    assert.ok(
      left.every(({ branch }) => branch === 'next'),
      'those that were asked for stay',
    )
  })

  test('an asterisk in a branch pattern matches any characters', () => {
    const fits = [
      ['a', '*'],
      ['release/2', 'release/*'],
      ['x-y-z', 'x*z'],
      ['a-b-c', 'a*b*c'],
    ] as const
    for (const [name, pattern] of fits) assert.ok(matchesPattern(name, pattern), `${name} ${pattern}`)
    for (const [name, pattern] of [
      ['main', 'mai'],
      ['ab', 'ab*b'],
      ['x', 'x*x'],
      ['abc', 'a*d*c'],
    ] as const)
      assert.ok(!matchesPattern(name, pattern), `${name} ${pattern}`)
    assert.ok(!matchesPattern('a'.repeat(250), `${'*a'.repeat(120)}b`))
  })
})
