/** Publishing after changes to a real git server (by webhook and by polling) and in a watched folder. */
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { DeploymentState } from '../../src/features/hosting/operations/deployments.ts'
import type { Publishing } from '../../src/features/hosting/operations/publishing.ts'
import { smallSite } from '../kit/site.ts'
import { until } from '../kit/until.ts'
import { type GitSite, openGitSite } from './git-site-scene.ts'

let site: GitSite
let octavo: GitSite['octavo']
let repository: GitSite['repository']
let projectId: string
let admin: GitSite['admin']

before(async () => {
  site = await openGitSite({ domain: 'docs.example.com', pages: 1, ref: 'main' })
  ;({ octavo, repository, projectId, admin } = site)
})
after(() => site[Symbol.asyncDispose]())

const commitPage = (text: string) => repository.commit({ 'page-1.mdx': `---\ntitle: One\n---\n\n${text}\n` })

async function push(
  message: object,
  { secret, event = 'push', id = projectId }: { secret: string; event?: string; id?: string },
): Promise<{ status: number; outcome?: string; code?: string }> {
  const body = JSON.stringify(message)
  const response = await octavo.fetch(`/hooks/push/${id}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-github-event': event,
      'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
    },
    body,
  })
  return { status: response.status, ...((await response.json()) as object) }
}

/** Waits until the newest deployment is published and matches. */
const newest = (id: string, isRight: (one: DeploymentState) => boolean): Promise<DeploymentState> =>
  until(async () => {
    const [one] = (await octavo.client.listDeployments(id, { limit: 1 })).deployments
    assert.notEqual(one?.status, 'failed', one?.error ?? '')
    return one?.status === 'published' && isRight(one) && one
  }, 'the deployment')

describe('push to publish', () => {
  let secret: string

  test('rejects pushes before a secret exists and pushes not signed with it', async () => {
    const refused = { status: 401, code: 'push_not_signed' }
    const main = { ref: 'refs/heads/main', after: 'a1' }
    const said = async (asked: ReturnType<typeof push>) => {
      const { status, code } = await asked
      return { status, code }
    }
    assert.deepEqual(await said(push(main, { secret: 'guessed' })), refused)
    ;({ secret } = await admin.json<{ secret: string }>(`/internal/projects/${projectId}/publishing/secret`, {
      method: 'POST',
    }))
    assert.deepEqual(await said(push(main, { secret: 'guessed' })), refused)
    assert.deepEqual(await said(push(main, { secret, id: 'prj_none0' })), refused)
    const { rows } = await octavo.node.context.database.pool.query('SELECT * FROM project_publishing')
    assert.ok(!JSON.stringify(rows).includes(secret))
  })

  test('only pushes to the branch of the project start a deployment', async () => {
    const outcomes = [
      await push({ ref: 'refs/heads/other', after: 'a1' }, { secret }),
      await push({ ref: 'refs/heads/main', after: '0'.repeat(40) }, { secret }),
      await push({ zen: 'Keep it simple.' }, { secret, event: 'ping' }),
      await push({ action: 'created' }, { secret, event: 'pull_request_review_comment' }),
    ]
    assert.deepEqual(
      outcomes.map(({ outcome }) => outcome),
      ['other_branch', 'other_branch', 'no_push', 'review'],
    )
    assert.deepEqual((await octavo.client.listDeployments(projectId)).deployments, [])
    const { hook } = await admin.json<Publishing>(`/internal/projects/${projectId}/publishing`)
    assert.deepEqual([hook.forge, hook.calledAt === null], ['github', false])
    // Answered with 202, because a forge may disable a webhook that returns errors.
    await octavo.client.archiveProject(projectId, {})
    const archived = await push({ ref: 'refs/heads/main', after: 'a1' }, { secret })
    assert.deepEqual([archived.status, archived.outcome], [202, 'archived'])
    await octavo.client.unarchiveProject(projectId)
    assert.deepEqual((await octavo.client.listDeployments(projectId)).deployments, [])
  })

  test('thirty pushes end in the last commit, and a replayed push does not change it', async () => {
    const first = await commitPage('Text 0.')
    for (let round = 1; round <= 30; round++) {
      const commit = await commitPage(`Text ${round}.`)
      assert.equal((await push({ ref: 'refs/heads/main', after: commit }, { secret })).outcome, 'published')
    }
    const last = await repository.git('rev-parse', 'HEAD')
    const published = await newest(projectId, ({ revision }) => revision === last)
    assert.deepEqual([published.trigger, published.isLive], ['push', true])
    await push({ ref: 'refs/heads/main', after: first }, { secret })
    const again = await newest(projectId, ({ deploymentId }) => deploymentId !== published.deploymentId)
    assert.deepEqual([again.revision, again.isLive], [last, true])
  })

  test('a followed repository is polled and a followed folder is watched', async () => {
    const site = await octavo.addSite('folder.example.com', smallSite(1))
    for (const id of [projectId, site.projectId])
      await admin.json(`/internal/projects/${id}/publishing`, { method: 'PATCH', body: { follows: true } })
    const commit = await commitPage('Found by asking.')
    const polled = await newest(projectId, ({ revision }) => revision === commit)
    assert.equal(polled.trigger, 'poll')
    // The watcher starts only with its next poll and ignores earlier changes, so the file is written repeatedly.
    // The pause is needed because a file that changes while it is read is read again.
    const isSeen = async () => (await octavo.client.listDeployments(site.projectId)).deployments.length > 0
    for (let round = 1; !(await isSeen()); round++) {
      await writeFile(join(site.folder, 'page-1.mdx'), `# Round ${round}\n`)
      await new Promise((resolve) => setTimeout(resolve, 2000))
    }
    const seen = await newest(site.projectId, () => true)
    assert.equal(seen.trigger, 'folder')
  })
})
