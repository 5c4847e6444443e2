import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rewriteCssUrls } from './css-urls.ts'

test('addresses are rewritten in every way of writing them, strings and comments are not', () => {
  const css = `@import "a.css";@import url(a.css);.x{background:URL(a.png),url( 'a.png' )}/* url(a.png) */.y::after{content:"url(a.png)"}`
  assert.equal(
    rewriteCssUrls(css.replace('URL', 'url'), (url) => `b/${url}`),
    `@import "b/a.css";@import url("b/a.css");.x{background:url("b/a.png"),url("b/a.png")}/* url(a.png) */.y::after{content:"url(a.png)"}`,
  )
})

test('an address that must not be fetched leaves nothing that a browser could ask for', () => {
  const css = `@import "//x/a.css";@font-face{src:url(//x/a.woff2) format("woff2")}`
  assert.equal(
    rewriteCssUrls(css, () => null),
    `@import "data:text/css,";@font-face{src:local("") format("woff2")}`,
  )
})

test('a string in front of an address does not hide it, closed or not', () => {
  const css = `@font-face{font-family:'Own Face';src:url("/a.woff2") format('woff2')}\n.x{content:'open\n;src:url(/b)}`
  assert.equal(
    rewriteCssUrls(css, (url) => `..${url}`),
    css.replace('"/a.woff2"', '"../a.woff2"').replace('url(/b)', 'url("../b")'),
  )
})

test('comments and quotes that never end are read once', () => {
  // These would take hours if the rest was searched again at each of them.
  for (const piece of ['/*', '"', 'url(', "url('"]) {
    const text = `url(${piece.repeat(300_000)}`
    assert.ok(rewriteCssUrls(text, (url) => url).length > 0)
  }
})
