import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rewriteCssUrls } from './css-urls.ts'

test('rewrites URLs in every CSS notation but not in strings and comments', () => {
  const css = `@import "a.css";@import url(a.css);.x{background:URL(a.png),url( 'a.png' )}/* url(a.png) */.y::after{content:"url(a.png)"}`
  assert.equal(
    rewriteCssUrls(css.replace('URL', 'url'), (url) => `b/${url}`),
    `@import "b/a.css";@import url("b/a.css");.x{background:url("b/a.png"),url("b/a.png")}/* url(a.png) */.y::after{content:"url(a.png)"}`,
  )
})

test('replaces a forbidden URL with a value that causes no request', () => {
  const css = `@import "//x/a.css";@font-face{src:url(//x/a.woff2) format("woff2")}`
  assert.equal(
    rewriteCssUrls(css, () => null),
    `@import "data:text/css,";@font-face{src:local("") format("woff2")}`,
  )
})

test('rewrites URLs after closed and unclosed strings', () => {
  const css = `@font-face{font-family:'Own Face';src:url("/a.woff2") format('woff2')}\n.x{content:'open\n;src:url(/b)}`
  assert.equal(
    rewriteCssUrls(css, (url) => `..${url}`),
    css.replace('"/a.woff2"', '"../a.woff2"').replace('url(/b)', 'url("../b")'),
  )
})

test('scans unterminated comments and quotes in linear time', () => {
  // These would take hours if the rest was searched again at each of them.
  for (const piece of ['/*', '"', 'url(', "url('"]) {
    const text = `url(${piece.repeat(300_000)}`
    assert.ok(rewriteCssUrls(text, (url) => url).length > 0)
  }
})
