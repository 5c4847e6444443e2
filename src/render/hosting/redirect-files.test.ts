import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Redirect, Site } from '../../site/model.ts'
import { buildRedirectJson, buildRedirectLines, listMovedPaths } from './redirect-files.ts'

function siteOf(redirects: [string, string, boolean?][], pages: string[] = []): Site {
  const list: Redirect[] = redirects.map(([source, destination, isPermanent = true]) => ({
    source,
    destination,
    isPermanent,
  }))
  return { redirects: list, pages: new Map(pages.map((route) => [route, {}])) } as unknown as Site
}

test('a wildcard redirect expands to one old path per page at its destination', () => {
  const pages = ['/guides/a', '/guides/b/c', '/other', '/old/b/c']
  const site = siteOf(
    [
      ['/old/:slug*', '/guides/:slug*'],
      ['/old/a', '/other'],
      ['/out/*', 'https://example.com/*'],
      ['/all/*', '/other'],
    ],
    pages,
  )
  assert.deepEqual(listMovedPaths(site, new Set(pages)), [
    // The exact rule precedes the wildcard, and a page precedes both.
    { source: '/old/a', destination: '/other' },
    { source: '/out', destination: 'https://example.com' },
    { source: '/all', destination: '/other' },
  ])
  assert.deepEqual(
    listMovedPaths(siteOf([['/v1/:rest*', '/v2/:rest*/x?y#z']]), new Set(['/v2/a/x', '/v2/b'])),
    [{ source: '/v1/a', destination: '/v2/a/x?y#z' }],
  )
})

test('writes redirect rules in the format of each host', () => {
  const site = siteOf([
    ['/a', '/b'],
    ['/o/:slug*', '/n/:slug*', false],
  ])
  assert.equal(buildRedirectLines(site), '/a /b 308\n/o/* /n/:splat 307\n')
  assert.deepEqual(JSON.parse(buildRedirectJson(site)), {
    cleanUrls: true,
    redirects: [
      { source: '/a', destination: '/b', permanent: true },
      { source: '/o/:rest*', destination: '/n/:rest*', permanent: false },
    ],
  })
})

test('text in a redirect rule cannot add another line or field', () => {
  const site = siteOf([['/a";}\n.*(x)', '/b$host"; evil {\n}']])
  assert.equal(buildRedirectLines(site).trim().split('\n').length, 1)
  assert.equal(buildRedirectLines(site).trim().split(' ').length, 3)
})

test('writes named path parameters in the format of redirect lines', () => {
  const site = siteOf([
    ['/docs/:the-page', '/guides/:the-page'],
    ['/:version/api/:rest*', '/reference/:version/:rest*'],
    ['/plain', '/to'],
  ])
  assert.equal(
    buildRedirectLines(site),
    '/plain /to 308\n/docs/:the_page /guides/:the_page 308\n/:version/api/* /reference/:version/:splat 308\n',
  )
})

test('named path parameters expand to one old path per page at their destination', () => {
  const pages = ['/guides/a', '/guides/a/deep', '/reference/v1/x', '/reference/v1/x/y', '/reference/v1']
  const site = siteOf(
    [
      ['/docs/:page', '/guides/:page'],
      ['/:version/api/:rest*', '/reference/:version/:rest*'],
      // A destination without the parameter could have any number of sources.
      ['/lost/:page', '/guides/a'],
      ['/half/:page', '/guides/x-:page'],
      ['/away/:page', 'https://example.com/:page'],
    ],
    pages,
  )
  assert.deepEqual(listMovedPaths(site, new Set(pages)), [
    { source: '/docs/a', destination: '/guides/a' },
    { source: '/v1/api/x', destination: '/reference/v1/x' },
    { source: '/v1/api/x/y', destination: '/reference/v1/x/y' },
  ])
})
