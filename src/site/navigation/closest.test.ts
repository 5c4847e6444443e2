import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createClosestFinder, findClosest } from './closest.ts'

test('suggests a match for a typo, different case, a different folder or a different extension', () => {
  const pages = ['guides/setup', 'guides/quickstart', 'api/overview', 'guides/overview']
  assert.equal(findClosest('guides/quickstrat', pages), 'guides/quickstart')
  assert.equal(findClosest('Guides/Setup', pages), 'guides/setup')
  assert.equal(findClosest('old/setup.mdx', pages), 'guides/setup')
  assert.equal(findClosest('guides/v2/overview', pages), 'guides/overview')
})

test('suggests nothing when no candidate is close', () => {
  assert.equal(findClosest('pricing', ['guides/setup', '/', 'index']), null)
  assert.equal(findClosest('ab', ['cd']), null)
})

test('does not suggest ambiguous names, a different number or a typo in a different folder', () => {
  const pages = ['sdk/python/overview', 'api/billing/overview', 'releases/v2', 'api/teams']
  for (const path of ['guides/start/overview', 'releases/v3', 'guides/terms']) {
    assert.equal(findClosest(path, pages), null, path)
  }
  const operations = ['GET /users/{id}', 'GET /v1/orders/{id}', 'POST /v1/orders']
  assert.equal(findClosest('GET /teams/{id}', operations), null)
  assert.equal(findClosest('GET /teams/{id}', ['GET /users/{id}']), null)
  assert.equal(findClosest('GET /orders/{id}', operations), 'GET /v1/orders/{id}')
})

test('finds only exact names after thousands of lookups on a large site', () => {
  const finder = createClosestFinder(
    Array.from({ length: 5000 }, (_, i) => `folder-${i % 50}/page-number-${i}`),
  )
  assert.equal(finder.find('nowhere/page-nunber-7'), 'folder-7/page-number-7')
  for (let i = 0; i < 20_000; i++) finder.find(`nowhere/missing-thing-${i}`)
  assert.equal(finder.find('nowhere/page-nunber-8'), null)
  assert.equal(finder.find('nowhere/page-number-8'), 'folder-8/page-number-8')
})

test('suggests a different spelling of a file name, but not a different number in a series', () => {
  const files = createClosestFinder(['/images/step-07.png', '/images/step-11.png', '/images/welcome.png'])
  assert.equal(files.find('/images/step-04.png'), null)
  assert.equal(files.find('/images/welcom.png'), '/images/welcome.png')
  assert.equal(files.find('/img/step-07.png'), '/images/step-07.png')
})
