/** Newer parts of the format and their use on public sites. All tests share one build. */
import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before } from 'node:test'
import { encode } from 'fast-png'
import { browserTest } from '../kit/browser.ts'
import { type BuiltSite, buildSite } from '../kit/built-site.ts'
import { writeSite } from '../kit/site.ts'

const FILES: Record<string, string> = {
  'docs.json': JSON.stringify({
    theme: 'mint',
    name: 'Acme',
    colors: { primary: '#5B5BD6' },
    navigation: { groups: [{ group: 'Start', pages: ['index', 'islands', 'code', 'pictures'] }] },
  }),
  'index.mdx': '---\ntitle: Home\n---\n\nText\n',
  'code.mdx': `---
title: Code
timestamp: true
lastUpdatedDate: 2026-03-04
---

\`\`\`nocopy
A --> B
\`\`\`

<CodeGroup>

\`\`\`text One nocopy
1
\`\`\`

\`\`\`text Two
2
\`\`\`

</CodeGroup>
`,
  'pictures.mdx': `---
title: Pictures
---

![One](/picture.png)

Words below.

<Frame caption="Framed">
  <img src="/picture.png" alt="Two" />
</Frame>

<img src="/picture.png" alt="Three" className="w-1/2 rounded-xl" />

More words.

<img src="/picture.png" alt="Four" width="120" />

<img src="/picture.png" alt="Five" style={{ width: '30%' }} />

Last words.
`,
  'long.mdx': '---\ntitle: Long\n---\n\nText\n',
  'snippets/parts.jsx': 'export const Encoded = ({ of }) => <p id="encoded">{of}</p>\n',
  'snippets/body.mdx': `import { Encoded } from './parts.jsx'

export const made = ['one', 'two']

## A heading of {word}

Text with **weight**, a [link](/long), {made.join(' and ')} and $$x^2$$

<Note>
  <Encoded of={word} />
</Note>

\`\`\`js
const a = '{word}'
\`\`\`

| A | B |
|---|---|
| 1 | 2 |
`,
  'snippets/opens.jsx': `import Body, { made } from './body.mdx'
export const Mine = ({ children }) => <b className="mine">{children}</b>
export const Opens = () => {
  const [isOpen, setOpen] = useState(false)
  return <div id="opens"><button onClick={() => setOpen(!isOpen)}>{made.length}</button>{isOpen && <Body word="later" />}</div>
}
export const Shows = () => {
  const [count, setCount] = useState(0)
  return <div id="shows"><button onClick={() => setCount(count + 1)}>{count}</button><Body word="now" /></div>
}
export const Dress = ({ as: Part, of: Inner, id }) => {
  const [count, setCount] = useState(0)
  return <div id={id}><button onClick={() => setCount(count + 1)}>more</button><Part title={'Times ' + count}><Inner>in</Inner></Part></div>
}
`,
  'islands.mdx': `---
title: Islands
---
import { Opens, Shows, Dress, Mine } from '/snippets/opens.jsx'
import Body from '/snippets/body.mdx'

export const OfPage = () => {
  const [count, setCount] = useState(0)
  return <div id="of-page"><button onClick={() => setCount(count + 1)}>{count}</button><Body word="page" /></div>
}

<Opens />

<Shows />

<Dress as={Card} of={Mine} id="card" />

<Dress as={Tip} of={Mine} id="tip" />

<OfPage />
`,
}

let site: BuiltSite
let folder: string

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'octavo-newer-'))
  await writeSite(folder, FILES)
  const data = new Uint8Array(400 * 300 * 3).fill(90)
  const picture = encode({ width: 400, height: 300, data, channels: 3 })
  await writeFile(join(folder, 'picture.png'), picture)
  site = await buildSite(folder, 'client-hosted')
})

after(async () => {
  await site?.[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

browserTest('islands render imported Markdown files and components passed as props', async (browser) => {
  assert.deepEqual(
    site.problems.filter(({ file }) => file === 'islands.mdx' || /opens|body/.test(file)),
    [],
  )
  await site.visit(browser, 'islands', {}, async (page) => {
    const faults: string[] = []
    page.on('pageerror', (error) => faults.push(error.message))
    await page.reload()
    const opens = page.locator('#opens')
    assert.equal(await opens.locator('h2').count(), 0)
    await opens.locator('button').first().click()
    assert.equal((await opens.locator('h2').textContent())?.trim(), 'A heading of later')
    assert.match((await opens.textContent()) ?? '', /one and two/)
    assert.match((await opens.textContent()) ?? '', /const a = 'later'/)
    assert.equal(await opens.locator('.callout #encoded').count(), 1)
    assert.equal(await opens.locator('table td').count(), 2)
    assert.equal((await opens.locator('.katex').count()) > 0, true)
    assert.match((await opens.getByText('link').getAttribute('href')) ?? '', /long\.html$/)
    for (const [place, word] of [
      ['#shows', 'now'],
      ['#of-page', 'page'],
    ] as const) {
      await page.locator(`${place} button`).first().click()
      assert.equal(await page.locator(`${place} button`).first().textContent(), '1')
      assert.match((await page.locator(place).textContent()) ?? '', new RegExp(`A heading of ${word}`))
      assert.equal(await page.locator(`${place} table`).count(), 1)
      assert.equal(await page.locator(`${place} .katex`).first().isVisible(), true)
    }
    for (const [place, kind] of [
      ['#card', '.card'],
      ['#tip', '.callout'],
    ] as const) {
      await page.locator(`${place} > button`).click()
      assert.match((await page.locator(`${place} ${kind}`).textContent()) ?? '', /in/)
      assert.equal(await page.locator(`${place} ${kind} .mine`).textContent(), 'in')
    }
    assert.match((await page.locator('#card').textContent()) ?? '', /Times 1/)
    assert.equal(await page.locator('[data-state=fallen]').count(), 0)
    assert.deepEqual(faults, [])
  })
})

browserTest('a nocopy block in a code group has no copy button, and a page shows its date', (browser) =>
  site.visit(browser, 'code', { timezoneId: 'America/Los_Angeles' }, async (page) => {
    assert.equal(await page.locator('.code-block:not(.code-group *) .code-block-copy-button').count(), 0)
    const button = page.locator('.code-group .code-block-copy-button')
    assert.equal(await button.isVisible(), false)
    await page.locator('.code-group [role=tab]').nth(1).click()
    assert.equal(await button.isVisible(), true)
    assert.match((await page.locator('.last-modified').textContent()) ?? '', /March 4, 2026/)
  }),
)

browserTest('a page does not shift while its images load', async (browser) => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 2400 } })
  try {
    const page = await context.newPage()
    await page.route(/\.png$/, async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 400))
      await route.continue()
    })
    await page.goto(site.at('pictures'))
    await page.waitForFunction(() =>
      [...document.querySelectorAll<HTMLImageElement>('#content img')].every(
        (image) => image.naturalWidth > 0,
      ),
    )
    const { shift, shapes } = await page.evaluate(async () => {
      let sum = 0
      const observer = new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) sum += (entry as unknown as { value: number }).value
      })
      observer.observe({ type: 'layout-shift', buffered: true })
      await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 100)))
      const images = [...document.querySelectorAll<HTMLImageElement>('#content img')]
      const shapes = images.map((image) => Math.round((100 * image.clientWidth) / image.clientHeight))
      return { shift: sum, shapes }
    })
    assert.deepEqual(shapes, [133, 133, 133, 133, 133])
    assert.equal(shift, 0)
  } finally {
    await context.close()
  }
})
