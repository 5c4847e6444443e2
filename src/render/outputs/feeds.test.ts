import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readUpdates } from '../child/read-updates.ts'
import { parseHtml } from '../html/parse-html.ts'
import { createFeed } from './feeds.ts'

const entry = (label: string, content: string, more = '') =>
  `<section class="update" id="${label.toLowerCase().replace(/\W+/g, '-')}"${more}><div class="update-side"><a class="update-label" href="#x">${label}</a></div><div class="update-content">${content}</div></section>`

const feedOf = (html: string) =>
  createFeed({
    title: 'Changes & more',
    description: 'About "it"',
    pageUrl: 'https://x.dev/changes',
    feedUrl: 'https://x.dev/changes/rss.xml',
    changedAt: null,
    language: 'en',
    updates: readUpdates(parseHtml(html)),
  })

const partsOf = (xml: string, tag: string) =>
  [...xml.matchAll(new RegExp(`<item>.*?<${tag}[^>]*>(.*?)</${tag}>`, 'g'))].map((one) => one[1])

test('each heading of an entry is an item and an entry without headings is one item', () => {
  const xml = feedOf(
    entry(
      'March 5, 2026',
      '<p>Intro</p><h2 id="a">A &lt;b&gt;</h2><p>One <b>two</b></p><div class="code-block"><pre>x</pre></div><h2 id="c">C</h2><p>Three</p>',
    ) + entry('2026-02-01', '<p>Only text</p>'),
  )
  assert.deepEqual(partsOf(xml, 'title'), ['A &lt;b&gt;', 'C', '2026-02-01'])
  assert.deepEqual(partsOf(xml, 'description'), ['One two', 'Three', 'Only text'])
  assert.deepEqual(partsOf(xml, 'guid'), [
    'https://x.dev/changes#a',
    'https://x.dev/changes#c',
    'https://x.dev/changes#2026-02-01',
  ])
  assert.deepEqual(partsOf(xml, 'pubDate'), [
    'Thu, 05 Mar 2026 00:00:00 GMT',
    'Thu, 05 Mar 2026 00:00:00 GMT',
    'Sun, 01 Feb 2026 00:00:00 GMT',
  ])
})

test('an entry with its own RSS title and description is one item', () => {
  const xml = feedOf(
    entry('v2', '<h2 id="a">A</h2>', ' data-rss-title="Two" data-rss-description="Big &amp; new"'),
  )
  assert.deepEqual(partsOf(xml, 'title'), ['Two'])
  assert.deepEqual(partsOf(xml, 'description'), ['Big &amp; new'])
  assert.deepEqual(partsOf(xml, 'pubDate'), [])
})

test('text of an entry cannot break the XML', () => {
  const xml = feedOf(entry('a', '<p>]]&gt; &lt;/item&gt; \u0001\u0008\ud83d\ude00</p>'))
  assert.deepEqual(partsOf(xml, 'description'), [']]&gt; &lt;/item&gt; \ud83d\ude00'])
  assert.doesNotMatch(xml, /[\u0001\u0008]/)
})
