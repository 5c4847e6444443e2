import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openMemoryTree } from '../../../base/files/memory-tree.ts'
import { type CommitRange, createReviewTexts } from './review-texts.ts'

const { signal } = new AbortController()

/** Creates a repository with two commits that counts how often it is opened. */
function twoCommits(after: string, to = 'b') {
  const opened: string[] = []
  const texts: Record<string, Record<string, string>> = {
    a: { 'page.mdx': 'before', 'gone.mdx': 'was here' },
    [to]: { 'page.mdx': after, 'new.mdx': 'is new' },
  }
  const place: CommitRange = {
    repository: {
      address: 'https://example.com/docs.git',
      docsFolder: '',
      changedFiles: async () => [
        { path: 'gone.mdx', change: 'deleted' },
        { path: 'new.mdx', change: 'added' },
        { path: 'page.mdx', change: 'modified' },
      ],
      openDocs: async (commit) => {
        opened.push(commit)
        return openMemoryTree(texts[commit] ?? {})
      },
    },
    from: 'a',
    to,
  }
  return { place, opened }
}

test('returns each changed file with its text before and after', async () => {
  const { place } = twoCommits('after')
  assert.deepEqual(await createReviewTexts().read(place, signal), [
    { path: 'gone.mdx', change: 'deleted', before: 'was here', after: null },
    { path: 'new.mdx', change: 'added', before: null, after: 'is new' },
    { path: 'page.mdx', change: 'modified', before: 'before', after: 'after' },
  ])
})

test('other commits, and the same commits of another repository, are read separately', async () => {
  const texts = createReviewTexts()
  const first = twoCommits('after')
  await texts.read(first.place, signal)
  const later = twoCommits('once more', 'c')
  const [, , page] = await texts.read(later.place, signal)
  assert.equal(page?.after, 'once more')
  const elsewhere = twoCommits('elsewhere')
  const repository = { ...elsewhere.place.repository, address: '/srv/docs' }
  assert.equal((await texts.read({ ...elsewhere.place, repository }, signal))[2]?.after, 'elsewhere')
})

test('a failed read is not cached', async () => {
  const { place, opened } = twoCommits('after')
  const texts = createReviewTexts()
  const broken = { ...place.repository, changedFiles: async () => Promise.reject(new Error('git is away')) }
  await assert.rejects(texts.read({ ...place, repository: broken }, signal), /git is away/)
  assert.equal((await texts.read(place, signal)).length, 3)
  await texts.read(place, signal)
  assert.deepEqual(opened, ['a', 'b', 'a', 'b'], 'the second look was read again')
})
