import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anchorsOf } from './check-anchors.ts'

test('a link to a place of its own page is kept only where the page has no such place', () => {
  const html =
    '<h2 id="a"><a href="#a">A</a></h2><h2 id="übersicht"><a href="#%C3%BCbersicht">Ü</a></h2><a href="#gone">x</a><a href="/other#a">y</a><a href="#">z</a>'
  const anchors = anchorsOf({ html, side: '<p id="b"></p><a href="#b">b</a>', islands: null })
  assert.deepEqual(anchors, { ids: 'a\nübersicht\nb', links: ['#gone', '/other#a', '#'], isOpen: false })
})
