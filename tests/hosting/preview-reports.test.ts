/** Preview reports to each kind of forge, from the first commit to the end, including an outage of the forge. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { addProject } from '../../src/app/operator/administration.ts'
import { commentText } from '../../src/features/hosting/previews/preview-report-text.ts'
import type { ForgeKind } from '../../src/git/forges/forge-location.ts'
import { type ForgeServer, startForgeServer } from '../kit/forge-servers/start-forge-server.ts'
import { startTestNode, type TestNode } from '../kit/node.ts'
import { smallSite } from '../kit/site.ts'
import { until } from '../kit/until.ts'

/** Bitbucket has a fixed address, so it is only tested in tests/git/forge-reports.test.ts. */
const KINDS = ['github', 'gitlab', 'gitea'] as const

const opened = new AsyncDisposableStack()
const forges = new Map<ForgeKind, ForgeServer>()
let octavo: TestNode

before(async () => {
  for (const kind of KINDS)
    forges.set(kind, opened.use(await startForgeServer(kind, { files: smallSite(1) })))
  const all = [...forges.values()]
  octavo = opened.use(
    await startTestNode({
      OCTAVO_GIT_ALLOW_HTTP: 'true',
      OCTAVO_GIT_PRIVATE_HOSTS: '127.0.0.1:*',
      OCTAVO_FORGES: all.map(({ host, kind }) => `${host}=${kind}`).join(','),
      OCTAVO_GIT_TOKENS: all.map(({ host, token }) => `${host}=${token}`).join(','),
    }),
  )
})
after(() => opened.disposeAsync())

async function branchWithRequest(forge: ForgeServer, branch: string): Promise<{ commit: string }> {
  const tree = await forge.git('rev-parse', 'main^{tree}')
  const commit = await forge.git('commit-tree', tree, '-p', 'main', '-m', branch)
  await forge.git('update-ref', `refs/heads/${branch}`, commit)
  forge.addRequest({ branch, target: 'main', isFromFork: false })
  return { commit }
}

for (const kind of KINDS)
  test(`${kind}: reports a preview on its pull request, also after the forge was unreachable`, async () => {
    const forge = forges.get(kind) as ForgeServer
    const { commit } = await branchWithRequest(forge, 'next')
    const { organizationId, node } = octavo
    const source = { kind: 'git', repository: forge.address, ref: 'main' } as const
    const domains = [`${kind}.example.com`]
    const project = await addProject(node.context, { organizationId, name: kind, domains, source })

    forge.fault = 'down'
    const { previewId, previewUrl } = await octavo.client.createPreview(project.id, 'next')
    const look = () => octavo.client.getPreview(project.id, previewId)
    await until(async () => (await look()).state === 'ready', 'the preview')
    await until(async () => (await look()).report !== null, 'the report')
    forge.fault = null
    await until(() => forge.statuses.some(({ said }) => /^success/i.test(String(said.state))), 'the status')
    const { commit: told, said } = forge.statuses.at(-1) ?? { commit: '', said: {} }
    assert.deepEqual([told, said.target_url ?? said.url], [commit, previewUrl])
    const ours = () => forge.comments.filter(({ author }) => author === 'octavo')
    await until(() => ours().length > 0, 'the comment')
    assert.ok(ours()[0]?.text.includes(previewUrl))
    assert.equal((await look()).pullRequest, 1)

    await octavo.client.removePreview(project.id, previewId)
    await until(() => /removed, because somebody removed it/.test(ours()[0]?.text ?? ''), 'the end')
    assert.equal(ours().length, 1)
  })

test('a token without status permission still writes the comment, and the preview reports what is missing', async () => {
  const forge = forges.get('github') as ForgeServer
  const { commit } = await branchWithRequest(forge, 'quiet')
  const source = { kind: 'git', repository: forge.address, ref: 'main' } as const
  const { organizationId, node } = octavo
  const domains = ['quiet.example.com']
  const project = await addProject(node.context, { organizationId, name: 'quiet', domains, source })
  forge.fault = 'no_statuses'
  const { previewId, previewUrl } = await octavo.client.createPreview(project.id, 'quiet')
  await until(() => forge.comments.some(({ text }) => text.includes(previewUrl)), 'the comment')
  const look = () => octavo.client.getPreview(project.id, previewId)
  const { error } = await until(async () => (await look()).report, 'the report')
  forge.fault = null
  assert.match(error, /permission for commit statuses/)
  assert.ok(forge.statuses.every(({ commit: told }) => told !== commit))
})

test('page names and build errors cannot break out of links and code in the comment', () => {
  const deployment = {
    status: 'published',
    revision: 'a'.repeat(40),
    page_count: 1,
    warning_count: 0,
  } as const
  const path = '/a](http://evil.example) `x`'
  const changes = {
    comparedWith: 'dep_1',
    added: 1,
    changed: 0,
    removed: 0,
    pages: [{ path, change: 'added' as const }],
  }
  const urls = { url: 'https://p.example.net', detailsUrl: 'https://o.example.com/p' }
  const text = commentText({
    preview: { removed_because: null },
    deployment: { ...deployment, changes, error: null },
    ...urls,
  })
  assert.match(text, /\(https:\/\/p\.example\.net\/a%5D%28http%3A\/\/evil\.example%29%20%60x%60\)/)
  assert.ok(!text.includes('`x`'))
  assert.match(text, /^Compared to the live site: 1 added\.$/m)
  const error = 'broken ``` [x](http://evil.example)\n\n# Title'
  const failed = commentText({
    preview: { removed_because: null },
    deployment: { ...deployment, status: 'failed', changes: null, error },
    ...urls,
  })
  assert.match(failed, /> `broken {1}\[x\]\(http:\/\/evil\.example\) # Title`$/)
})
