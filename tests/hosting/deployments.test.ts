import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { createId } from '../../src/base/ids.ts'
import { ApiError } from '../../src/client/call.ts'
import { publishVersion } from '../../src/features/hosting/deploy/promote.ts'
import { deploymentRows, insertDeployment } from '../../src/features/hosting/deploy/store.ts'
import type { Deployment } from '../../src/features/hosting/operations/deployments.ts'
import { smallSite } from '../kit/site.ts'
import { ended as awaitEnd } from '../kit/until.ts'
import { type GitSite, openGitSite } from './git-site-scene.ts'

const DOMAIN = 'docs.example.com'

let site: GitSite
let octavo: GitSite['octavo']
let repository: GitSite['repository']
let projectId: string

before(async () => {
  const env = {
    OCTAVO_ASSISTANT_MODEL: 'openai-compatible:stand-in',
    OCTAVO_MODEL_URL: 'http://127.0.0.1:9/v1',
  }
  site = await openGitSite({ domain: DOMAIN, pages: 2, env })
  ;({ octavo, repository, projectId } = site)
})
after(() => site[Symbol.asyncDispose]())

const ended = (deploymentId: string): Promise<Deployment> =>
  awaitEnd(() => octavo.client.getDeployment(projectId, deploymentId))

/** All text the assistant can answer from. */
async function passages(): Promise<string> {
  const { queries } = octavo.node.context.database
  const rows = await queries.selectFrom('assistant_passages').select('body').execute()
  return rows.map(({ body }) => body).join('\n')
}

const publish = async () => ended((await octavo.client.startDeployment(projectId)).deploymentId)

/** Waits first, because nodes cache lookups for 100 ms. */
async function servedNow(path: string): Promise<string> {
  await new Promise((resolve) => setTimeout(resolve, 150))
  return served(path)
}

async function served(path: string): Promise<string> {
  const { hostname, port } = new URL(octavo.url)
  const { get } = await import('node:http')
  return new Promise((resolve, reject) => {
    get({ hostname, port, path, headers: { host: DOMAIN } }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => resolve(Buffer.concat(chunks).toString()))
    }).on('error', reject)
  })
}

const page = (text: string) => ({ 'page-1.mdx': `---\ntitle: One\n---\n\n${text}\n` })

async function refused(call: Promise<unknown>): Promise<string> {
  const error = await call.then(
    () => assert.fail('it was not refused'),
    (reason: unknown) => reason,
  )
  assert.ok(error instanceof ApiError, String(error))
  return error.code ?? ''
}

describe('deployments', () => {
  let first: Deployment
  let second: Deployment

  test('a deployment reports its commit, its stages with their times and its log', async () => {
    first = await publish()
    assert.equal(first.status, 'published', first.error ?? '')
    assert.equal(first.revision, await repository.git('rev-parse', 'HEAD'))
    assert.deepEqual([first.commit?.title, first.commit?.author], ['change', 'Test'])
    assert.deepEqual(
      first.stages.map(({ name }) => name),
      ['waiting', 'source', 'render', 'store', 'publish'],
    )
    const times = first.stages.flatMap(({ startedAt, endedAt }) => [startedAt, endedAt ?? 'at work'])
    assert.deepEqual(times, times.toSorted())
    assert.ok(!times.includes('at work'), 'the last stage, which writes them, has ended too')
    assert.match(first.log.map(({ text }) => text).join('\n'), /Read commit \w{10} by Test: change/)
    assert.deepEqual([first.isLive, first.isKept, first.changes], [true, true, null])
  })

  test('a deployment counts and lists changed pages, but not pages with only changed surroundings', async () => {
    await repository.git('rm', '--quiet', 'page-2.mdx')
    await repository.commit({ ...page('Another text.'), 'new.mdx': '---\ntitle: New\n---\n\nNew.\n' })
    const { statusId } = await octavo.client.call('triggerUpdate', { params: { projectId } })
    second = await ended(statusId)
    assert.deepEqual(second.changes, { added: 1, changed: 1, removed: 1 })
    assert.deepEqual(second.changedPages, [
      { path: '/new', change: 'added' },
      { path: '/page-1', change: 'changed' },
      { path: '/page-2', change: 'removed' },
    ])
    assert.match(await servedNow('/page-1'), /Another text/)
  })

  test('getUpdateStatus describes a deployment in the format of other platforms', async () => {
    const { deploymentId: statusId } = second
    const { author, commit, logs, ...status } = await octavo.client.call('getUpdateStatus', {
      params: { statusId },
    })
    assert.deepEqual(status, {
      ...{ _id: statusId, projectId, status: 'success', subdomain: DOMAIN, source: 'api' },
      summary: `Published ${second.pageCount} pages.`,
      createdAt: second.createdAt,
      endedAt: second.endedAt,
    })
    assert.deepEqual(
      [author, commit],
      [
        { name: 'Test' },
        {
          ...{ sha: second.revision, ref: 'main', message: 'change' },
          filesChanged: { added: ['/new'], modified: ['/page-1'], removed: ['/page-2'] },
        },
      ],
    )
    assert.deepEqual(
      logs,
      second.log.map(({ text }) => text),
    )
    assert.equal(
      await refused(octavo.client.call('getUpdateStatus', { params: { statusId: 'dep_none0' } })),
      'not_found',
    )
  })

  test('deployments are listed newest first, page by page', async () => {
    const newest = await octavo.client.listDeployments(projectId, { limit: 1 })
    assert.deepEqual([newest.deployments[0]?.deploymentId, newest.hasMore], [second.deploymentId, true])
    const older = await octavo.client.listDeployments(projectId, {
      limit: 1,
      cursor: newest.nextCursor ?? '',
    })
    assert.deepEqual(
      older.deployments.map(({ deploymentId, isLive }) => [deploymentId, isLive]),
      [[first.deploymentId, false]],
    )
  })

  test('a retained version can be promoted and stays live until it is released', async () => {
    const pointer = await octavo.client.promoteDeployment(projectId, first.deploymentId)
    assert.deepEqual([pointer.deploymentId, pointer.pinnedAt === null], [first.deploymentId, false])
    assert.match(await servedNow('/page-1'), /Text of page-1/)
    assert.match(await passages(), /Text of page-1/)
    assert.doesNotMatch(await passages(), /Another text/)
    await repository.commit(page('A third text.'))
    const third = await publish()
    assert.deepEqual([third.status, third.isLive], ['published', false])
    assert.match(await servedNow('/page-1'), /Text of page-1/)
    assert.doesNotMatch(await passages(), /A third text/, 'nobody reads it yet')
    const released = await octavo.client.releaseSite(projectId)
    assert.deepEqual([released.deploymentId, released.pinnedAt], [third.deploymentId, null])
    assert.match(await servedNow('/page-1'), /A third text/)
    assert.match(await passages(), /A third text/)
    assert.equal((await octavo.client.getDeployment(projectId, third.deploymentId)).isLive, true)
  })

  test('a failed deployment logs its error and is retried as a new deployment', async () => {
    await repository.git('rm', '--quiet', 'docs.json')
    await repository.commit({})
    const failed = await publish()
    assert.deepEqual([failed.status, failed.errorCode], ['failed', 'site_invalid'])
    assert.equal(failed.log.at(-1)?.text, failed.error)
    assert.match(await servedNow('/page-1'), /A third text/)
    assert.equal(
      await refused(octavo.client.promoteDeployment(projectId, failed.deploymentId)),
      'version_not_kept',
    )
    assert.equal(
      await refused(octavo.client.cancelDeployment(projectId, failed.deploymentId)),
      'deployment_not_running',
    )
    await repository.commit({ ...smallSite(2), ...page('A fourth text.') })
    const again = await octavo.client.retryDeployment(projectId, failed.deploymentId)
    assert.equal(again.trigger, 'retry')
    assert.equal((await ended(again.deploymentId)).status, 'published')
    assert.match(await servedNow('/page-1'), /A fourth text/)
    assert.equal(
      await refused(octavo.client.retryDeployment(projectId, again.deploymentId)),
      'deployment_not_failed',
    )
  })

  test('concurrent deployment requests are coalesced and end in the last commit', async () => {
    const asked = await Promise.all(
      Array.from({ length: 30 }, async (_, index) => {
        if (index === 15) await repository.commit(page('The last text.'))
        return octavo.client.startDeployment(projectId)
      }),
    )
    const ids = new Set(asked.map(({ deploymentId }) => deploymentId))
    assert.ok(ids.size < 15, `${ids.size} deployments of 30 requests`)
    const last = await publish()
    assert.equal(last.revision, await repository.git('rev-parse', 'HEAD'))
    assert.match(await servedNow('/page-1'), /The last text/)
  })

  test('a waiting or running deployment is cancelled without affecting the live version', async () => {
    const { queries } = octavo.node.context.database
    const { organizationId } = octavo
    for (const isAtWork of [false, true]) {
      // Inserted without a queue job, so that no worker processes it.
      const { id } = await insertDeployment(queries, { id: createId('dep'), organizationId, projectId })
      const held = { id, attempt: 1 }
      if (isAtWork) await deploymentRows.claim(queries, held)
      const cancelled = await octavo.client.cancelDeployment(projectId, id)
      assert.deepEqual([cancelled.status, cancelled.errorCode], ['failed', 'cancelled'])
      assert.notEqual(cancelled.endedAt, null)
      const version = {
        projectId,
        revision: 'late',
        manifestKey: 'manifests/none',
        pageCount: 1,
        problems: [],
      }
      assert.equal(
        await octavo.node.context.database.transaction((tx) => publishVersion(tx, held, version)),
        null,
      )
    }
    assert.match(await servedNow('/page-1'), /The last text/)
  })
})
