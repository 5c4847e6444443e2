/** Commit statuses and the pull request comment, on every kind of forge. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FORGE_KINDS } from '../../src/git/forges/forge-location.ts'
import { openForge } from '../../src/git/forges/open-forge.ts'
import { startForgeServer } from '../kit/forge-servers/start-forge-server.ts'

const never = () => new AbortController().signal
const WORDS = { github: 'failure', gitlab: 'failed', gitea: 'failure', bitbucket: 'FAILED' } as const

for (const kind of FORGE_KINDS)
  test(`${kind}: sets commit statuses and keeps one comment per pull request up to date`, async () => {
    await using server = await startForgeServer(kind, { files: { 'docs.json': '{}' } })
    const tree = await server.git('rev-parse', 'main^{tree}')
    const commit = await server.git('commit-tree', tree, '-p', 'main', '-m', 'next')
    await server.git('update-ref', 'refs/heads/next', commit)
    const forge = openForge(server.address, server.settings)
    const change = { branch: 'next', target: 'main', title: 'Next', body: 'Text' }
    const { id } = await forge.createPullRequest(change, never())

    const status = {
      name: 'octavo/preview',
      commit,
      branch: 'next',
      description: 'It was not built',
      url: 'https://x.example.net/',
    }
    for (const state of ['pending', 'success', 'failure'] as const)
      await forge.setStatus?.({ ...status, state }, never())
    assert.deepEqual(
      server.statuses.map((one) => one.commit),
      [commit, commit, commit],
    )
    const last = server.statuses.at(-1)?.said ?? {}
    assert.equal(last.state, WORDS[kind])
    assert.equal(last.target_url ?? last.url, status.url)
    assert.equal(last.description, status.description)

    const name = 'preview of prj_1'
    // Another author quotes the marker, not at the start of the comment.
    server.say({ request: 1, author: 'maintainer', text: 'See [//]: # (octavo: keeps preview of prj_1)' })
    for (const text of ['being built', 'ready', 'ready'])
      await forge.writeComment?.(id, { name, text }, never())
    const ours = server.comments.filter(({ author }) => author === 'octavo')
    assert.deepEqual(
      ours.map(({ text }) => text),
      ['[//]: # (octavo: keeps preview of prj_1)\n\nready\n'],
    )
    const calls = server.apiRequests.filter(({ method }) => method !== 'GET').length
    await forge.writeComment?.(id, { name, text: 'ready' }, never())
    const again = server.apiRequests.filter(({ method }) => method !== 'GET').length
    assert.equal(again, calls, 'what stands there already is not sent again')

    if (forge.readApprovals === undefined)
      return assert.equal(kind, 'bitbucket', 'comments have no reactions')
    const [comment] = ours
    const react = (author: string, reaction = kind === 'gitlab' ? 'thumbsup' : '+1') =>
      server.react(comment?.id ?? 0, author, reaction)
    react('maintainer')
    const changed = await forge.writeComment?.(id, { name, text: 'changed' }, never())
    assert.ok(changed)
    const approvals = () => forge.readApprovals?.(id, changed, never())
    react('maintainer', 'heart')
    react('stranger')
    react('reader')
    assert.deepEqual(
      await approvals(),
      [],
      'of an earlier text, another reaction, or somebody who may only read',
    )
    react('maintainer')
    assert.deepEqual(await approvals(), ['maintainer'])
    const gone = { ...changed, id: '999' }
    assert.deepEqual(await forge.readApprovals?.(id, gone, never()), [], 'the comment is gone')
  })
