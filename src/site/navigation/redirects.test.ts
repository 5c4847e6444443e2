import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Problem } from '../../base/errors/problem.ts'
import { parseJson } from '../json.ts'
import type { Redirect, SitePage } from '../model.ts'
import { checkRedirects, findRedirect, readRedirects } from './redirects.ts'

/** Creates redirects on consecutive lines of the file, starting at line 2. */
function check(
  redirects: object[],
  pages: string[] = [],
): { redirects: Redirect[]; problems: [string, number | null][] } {
  const problems: Problem[] = []
  const text = `[\n${redirects.map((redirect) => JSON.stringify(redirect)).join(',\n')}\n]`
  const read = readRedirects(problems, parseJson(problems, 'docs.json', text) ?? undefined)
  const existing = new Map(pages.map((route) => [route, { file: `${route.slice(1)}.mdx` } as SitePage]))
  const working = checkRedirects(problems, read, existing)
  return { redirects: working, problems: problems.map((problem) => [problem.code, problem.line]) }
}

test('normalizes sources and destinations', () => {
  const { redirects, problems } = check([
    { source: 'old/', destination: 'new' },
    { source: '//a//b', destination: 'https://x.y/z/', permanent: false },
    { source: '/c/:rest(.*)', destination: '/d/:rest#e' },
  ])
  assert.deepEqual(problems, [])
  assert.deepEqual(redirects, [
    { source: '/old', destination: '/new', isPermanent: true },
    { source: '/a/b', destination: 'https://x.y/z/', isPermanent: false },
    { source: '/c/:rest*', destination: '/d/:rest#e', isPermanent: true },
  ])
})

test('drops invalid redirects and reports them at their line', () => {
  const { redirects, problems } = check(
    [
      { source: '/a' },
      { source: '/b#c', destination: '/x' },
      { source: '/d/*/e', destination: '/x' },
      { source: '/f', destination: '/x' },
      { source: '/f/', destination: '/y' },
      { source: '/page', destination: '/x' },
      { source: '/g', destination: '/h' },
      { source: '/h', destination: '/g?x=1' },
      { source: '/i/*', destination: '/i/j/*' },
      { source: '/k', destination: '/k/' },
    ],
    ['/page', '/x'],
  )
  assert.deepEqual(
    redirects.map((redirect) => redirect.source),
    ['/f'],
  )
  assert.deepEqual(problems, [
    ['redirect.incomplete', 2],
    ['redirect.source', 3],
    ['redirect.source', 4],
    ['redirect.repeated', 6],
    ['redirect.over_page', 7],
    ['redirect.loop', 8],
    ['redirect.loop', 9],
    ['redirect.loop', 10],
    ['redirect.loop', 11],
  ])
})

test('a wildcard that leads to an existing page it also matches is not a loop', () => {
  const { redirects, problems } = check([{ source: '/docs/*', destination: '/docs/start' }], ['/docs/start'])
  assert.deepEqual([redirects.length, problems], [1, []])
})

test('the most specific redirect applies, and the rest of the path is carried over', () => {
  const to = (source: string, destination: string): Redirect => ({ source, destination, isPermanent: true })
  const redirects = [
    to('/a/*', '/x/*'),
    to('/a/b/:rest*', '/y/:rest*?q=1'),
    to('/a/b/c', '/z'),
    to('/p-*', '/q'),
  ]
  const find = (path: string) => findRedirect(redirects, path)?.destination ?? null
  assert.deepEqual(['/a/b/c', '/a/b/c/', '/a/b/d/e', '/a/f', '/a', '/a/b', '/p-1', '/none'].map(find), [
    '/z',
    '/z',
    '/y/d/e?q=1',
    '/x/f',
    '/x',
    '/y?q=1',
    '/q',
    null,
  ])
})

test('preserves dollar signs in a path', () => {
  const redirects = [{ source: '/a/*', destination: '/x/*', isPermanent: true }]
  assert.equal(findRedirect(redirects, "/a/$&$1$'")?.destination, "/x/$&$1$'")
})

test('drops and reports a redirect to a script URL', () => {
  const destinations = [
    'javascript:x()',
    'JavaScript://x/%0ax()',
    'vbscript:x',
    'data:text/html,x',
    'mailto:a@b.c',
  ]
  const { redirects, problems } = check(
    destinations.map((destination, index) => ({ source: `/from-${index}`, destination })),
  )
  assert.deepEqual(
    problems,
    [2, 3, 4, 5].map((line) => ['redirect.unsafe', line]),
  )
  assert.deepEqual(
    redirects.map(({ destination }) => destination),
    ['mailto:a@b.c'],
  )
})

test('a redirect repeated with the same destination is a hint, with another destination a warning', () => {
  const problems: Problem[] = []
  const text = `[
    { "source": "/a", "destination": "/x" },
    { "source": "/a/", "destination": "/x/" },
    { "source": "/a", "destination": "/y" }
  ]`
  readRedirects(problems, parseJson(problems, 'docs.json', text) ?? undefined)
  assert.deepEqual(
    problems.map(({ code, level, line }) => [code, level, line]),
    [
      ['redirect.repeated', 'hint', 3],
      ['redirect.repeated', 'warning', 4],
    ],
  )
})

test('the wildcard with the longest prefix applies', () => {
  const path = fc
    .array(fc.constantFrom('/', 'a', 'b', '/a', '/b'), { maxLength: 6 })
    .map((parts) => `/${parts.join('')}`.replace(/\/+/g, '/'))
  fc.assert(
    fc.property(fc.uniqueArray(path, { maxLength: 12 }), path, (prefixes, wanted) => {
      const redirects = prefixes.map((prefix) => ({
        source: `${prefix}*`,
        destination: `/to${prefix}`,
        isPermanent: true,
      }))
      const bare = wanted.length > 1 ? wanted.replace(/\/$/, '') : wanted
      const [longest] = prefixes
        .filter((prefix) => `${bare}/`.startsWith(prefix))
        .sort((a, b) => b.length - a.length)
      const expected = longest === undefined ? undefined : `/to${longest}`
      const found = findRedirect(redirects, wanted)?.destination
      assert.equal(found?.replace(/\/$/, ''), expected?.replace(/\/$/, ''))
    }),
    { numRuns: 2000 },
  )
})

test('checks 19,000 chained redirects and reports every chain over the maximum length', () => {
  const redirects = Array.from({ length: 19_000 }, (_, n) => ({
    source: `/old/part-${n}/:rest*`,
    destination: `/old/part-${n + 1}/:rest*`,
  }))
  const { problems } = check(redirects)
  assert.equal(problems.length, 19_000 - 20 + 1)
})

test('drops redirects that exceed the maximum number or length', () => {
  const many = Array.from({ length: 20_001 }, (_, n) => ({ source: `/${n}`, destination: '/x' }))
  const { redirects, problems } = check([{ source: `/${'a'.repeat(3000)}`, destination: '/x' }, ...many])
  assert.equal(redirects.length, 20_000)
  assert.deepEqual(problems, [
    ['redirect.too_long', 2],
    ['redirect.too_many', 20_003],
  ])
})

test('source parameters are substituted in the destination', () => {
  const { redirects, problems } = check(
    [
      { source: '/docs/:page', destination: '/guides/:page' },
      {
        source: '/:version/api/:page/:rest*',
        destination: 'https://api.acme.dev:8080/:page/:version/:rest*#top',
      },
      { source: '/blog/:year/:slug', destination: '/news/:slug?year=:year', permanent: false },
      { source: '/docs/old', destination: '/new' },
      { source: '/x/:a/*', destination: '/y/*' },
      { source: '/a:b/c', destination: '/z' },
      { source: '/loop/:a', destination: '/loop/:a' },
    ],
    ['/new'],
  )
  assert.deepEqual(problems, [
    ['redirect.source', 7],
    ['redirect.loop', 8],
  ])
  const lead = (path: string) => findRedirect(redirects, path)?.destination
  assert.equal(lead('/docs/setup/'), '/guides/setup')
  assert.equal(lead('/docs/old'), '/new')
  assert.equal(lead('/docs'), undefined)
  assert.equal(lead('/docs/a/b'), undefined)
  assert.equal(lead('/v2/api/users/list/all'), 'https://api.acme.dev:8080/users/v2/list/all#top')
  assert.equal(lead('/v2/api/users'), 'https://api.acme.dev:8080/users/v2#top')
  assert.deepEqual(findRedirect(redirects, '/blog/2026/$&'), {
    destination: '/news/$&?year=2026',
    isPermanent: false,
  })
  assert.equal(lead('/x/1/2/3'), '/y/2/3')
})
