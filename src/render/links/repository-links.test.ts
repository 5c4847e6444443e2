import assert from 'node:assert/strict'
import test from 'node:test'
import { type Repository, repositoryLinks } from './repository-links.ts'

const at = (address: string, change: Partial<Repository> = {}) =>
  repositoryLinks({ address, ref: 'main', docsFolder: 'docs', ...change })

test('builds the edit URL of each kind of forge', () => {
  const edit = (address: string) => at(address)?.edit('guides/a b#.mdx')
  assert.equal(
    edit('https://github.com/acme/site.git'),
    'https://github.com/acme/site/edit/main/docs/guides/a%20b%23.mdx',
  )
  assert.equal(
    edit('https://gitlab.acme.test/group/sub/site/'),
    'https://gitlab.acme.test/group/sub/site/-/edit/main/docs/guides/a%20b%23.mdx',
  )
  assert.equal(
    edit('https://codeberg.org/acme/site'),
    'https://codeberg.org/acme/site/_edit/main/docs/guides/a%20b%23.mdx',
  )
})

test('links to the file view instead of the editor without a branch', () => {
  const address = 'https://github.com/acme/site'
  const commit = '0123456789abcdef0123456789abcdef01234567'
  assert.equal(
    at(address, { ref: null, docsFolder: '' })?.edit('x.mdx'),
    'https://github.com/acme/site/blob/HEAD/x.mdx',
  )
  assert.equal(at(address, { ref: commit })?.edit('x.mdx'), `${address}/blob/${commit}/docs/x.mdx`)
  assert.equal(
    at(address, { ref: 'refs/heads/next/one' })?.edit('x.mdx'),
    `${address}/edit/next/one/docs/x.mdx`,
  )
})

test('the link to a new issue contains its title and text', () => {
  const query = (address: string) => new URL(at(address)?.issue('A & b', 'On /x?y') ?? '')
  const github = query('https://github.com/acme/site')
  assert.equal(github.pathname, '/acme/site/issues/new')
  assert.deepEqual(
    [...github.searchParams],
    [
      ['title', 'A & b'],
      ['body', 'On /x?y'],
    ],
  )
  const gitlab = query('https://gitlab.com/acme/site')
  assert.equal(gitlab.pathname, '/acme/site/-/issues/new')
  assert.equal(gitlab.searchParams.get('issue[title]'), 'A & b')
})

test('returns null for repositories that readers cannot open', () => {
  for (const address of [
    'git@github.com:acme/site.git',
    'ssh://git@github.com/acme/site.git',
    'http://github.com/acme/site',
    'https://me:secret@github.com/acme/site',
    'https://git.acme.test/acme/site',
    'https://notgithub.com/acme/site',
    'https://github.com/acme',
    '/srv/site',
  ])
    assert.equal(at(address), null, address)
})
