import assert from 'node:assert/strict'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import type { Problem } from '../../src/base/errors/problem.ts'
import { silentLog } from '../../src/base/log.ts'
import { buildFolder } from '../../src/features/export/build-folder.ts'
import { browserTest } from '../kit/browser.ts'
import { patience } from '../kit/until.ts'

const FILES: Record<string, string> = {
  'docs.json': JSON.stringify({
    theme: 'mint',
    name: 'Acme',
    colors: { primary: '#5B5BD6' },
    icons: { library: 'lucide' },
    navigation: { pages: ['deep/live', 'still', 'broken'] },
  }),
  'deep/live.mdx': `---
title: Live
---
import { Counter, Frame2 } from '/snippets/counter.jsx'
import { Picker } from '../snippets/picker.jsx'

export const Toggle = ({ title, children }) => {
  const [isOpen, setOpen] = useState(false)
  return (
    <div>
      <button id="toggle" onClick={() => setOpen(!isOpen)}>{title}</button>
      {isOpen && children}
    </div>
  )
}

Text <Counter start={3} label="</script><script>globalThis.isOwned = true</script>">in **bold** words</Counter> after.

<Toggle title="More">

## Inside

Static words with <Counter start={10} /> in them.

</Toggle>

<Picker options={["a", "b"]} />

<Frame2>quiet</Frame2>
`,
  'still.mdx':
    '---\ntitle: Still\n---\nimport { Frame2 } from "/snippets/counter.jsx"\n\n<Frame2>words</Frame2>\n',
  'broken.mdx': `---
title: Broken
---
import { Wallet } from '/snippets/wallet.jsx'
import { Counter } from '/snippets/counter.jsx'

export const Falls = () => {
  const [count, setCount] = React.useState(0)
  if (count > 0) throw new Error('no further')
  return <button id="falls" onClick={() => setCount(1)}>Still standing</button>
}
export const Asks = ({ format }) => <button onClick={() => format(1)}>Asks</button>

<Falls />

<Counter start={1} />

<Asks format={(value) => value + 1} />

<Wallet />
`,
  'snippets/counter.jsx': `export const Counter = ({ start, label, children }) => {
  const [count, setCount] = useState(start)
  return <button className="counter" title={label} onClick={() => setCount((n) => n + 1)}>{count} {children}</button>
}
export const Frame2 = ({ children }) => <section className="frame2">{children}</section>
`,
  'snippets/picker.jsx': `import { useEffect, useState } from 'react'
import { Card } from '@acme/components'
import { shout } from './words.js'

export const Picker = ({ options }) => {
  const [chosen, choose] = useState(options[0])
  const [text, setText] = useState('')
  const [protocol, setProtocol] = useState('')
  useEffect(() => setProtocol(window.location.protocol), [])
  return (
    <Card title={chosen} icon={chosen === 'a' ? 'rocket' : 'star'} href="/still#x">
      {options.map((option) => <button key={option} id={'pick-' + option} onClick={() => choose(option)}>{option}</button>)}
      <input aria-label="Text" value={text} onChange={(event) => setText(event.target.value)} />
      <output className={text ? 'pl-[37px]' : ''}>{shout(text)}{protocol}</output>
      {chosen === 'b' && <a id="later" href="/still">later</a>}
    </Card>
  )
}
`,
  'snippets/words.js': 'export const shout = (text) => text.toUpperCase()\n',
  'snippets/wallet.jsx': `import { useAccount } from 'wagmi'
export const Wallet = () => { const [a, b] = useState(useAccount()); return <p onClick={b}>{a}</p> }
`,
}

let folder = ''
let out = ''
let problems: readonly Problem[] = []

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'octavo-islands-'))
  for (const [path, text] of Object.entries(FILES)) {
    await mkdir(dirname(join(folder, 'source', path)), { recursive: true })
    await writeFile(join(folder, 'source', path), text)
  }
  out = join(folder, 'out')
  const built = await buildFolder({
    folder: join(folder, 'source'),
    out,
    deployment: 'air-gapped',
    log: silentLog,
    report() {},
    signal: patience(),
  })
  problems = built.problems
})

after(() => rm(folder, { recursive: true, force: true }))

async function withPage(
  browser: Browser,
  path: string,
  act: (page: Page, errors: string[]) => Promise<void>,
): Promise<void> {
  const context = await browser.newContext()
  try {
    const page = await context.newPage()
    const errors: string[] = []
    page.on('pageerror', (error) => errors.push(error.message))
    page.on('console', (message) => {
      if (message.type() === 'error') errors.push(message.text())
    })
    await page.goto(pathToFileURL(join(out, path)).href)
    await act(page, errors)
  } finally {
    await context.close()
  }
}

test('a page without state or handlers loads no island script', async () => {
  const html = await readFile(join(out, 'still.html'), 'utf8')
  assert.match(html, /<section class="frame2">words<\/section>/)
  assert.doesNotMatch(html, /island/)
})

test('each island has its own script, without code that the component does not use', async () => {
  const names = (await readdir(join(out, '_octavo'))).filter((name) => name.startsWith('island-'))
  assert.deepEqual(
    names.map((name) => name.replace(/\.\w+\.js$/, '')),
    ['island-Counter', 'island-Falls', 'island-Picker', 'island-Toggle'],
  )
  const counter = await readFile(join(out, '_octavo', names[0] ?? ''), 'utf8')
  assert.doesNotMatch(counter, /frame2|eval|Function\(/)
  const live = await readFile(join(out, 'deep/live.html'), 'utf8')
  assert.doesNotMatch(live, /island-Falls/)
  assert.doesNotMatch(live, /<script>globalThis\.isOwned/)
})

test('reports components that cannot run in a browser', () => {
  const told = problems
    .filter(({ level, file }) => level !== 'hint' && file === 'broken.mdx')
    .map(({ code, line, message }) => `${code}:${line} ${message}`)
  assert.equal(told.length, 2)
  assert.match(told.join('\n'), /mdx\.component_failed:\d+ The component <Wallet> failed: there is no wagmi/)
  assert.match(told.join('\n'), /mdx\.island:\d+ .*its prop format cannot be sent to a browser/)
})

browserTest(
  'state, effects and handlers work, and static content inside an island stays in place',
  (browser) =>
    withPage(browser, 'deep/live.html', async (page, errors) => {
      const bold = await page.locator('.counter strong').first().elementHandle()
      await page.locator('.counter').first().click()
      assert.equal(await page.locator('.counter').first().textContent(), '4 in bold words')
      assert.ok(await bold?.evaluate((element) => element.isConnected))
      assert.equal(await page.evaluate('globalThis.isOwned'), undefined)

      await page.click('#pick-b')
      assert.equal(await page.locator('.card-title').textContent(), 'b')
      await page.fill('input[aria-label="Text"]', 'abc')
      assert.equal(await page.locator('output').textContent(), 'ABCfile:')
      assert.equal(
        await page.locator('output').evaluate((element) => getComputedStyle(element).paddingLeft),
        '37px',
      )
      assert.deepEqual(errors, [])
    }),
)

browserTest('initially hidden content mounts and unmounts with its own islands working', (browser) =>
  withPage(browser, 'deep/live.html', async (page, errors) => {
    const inside = page.locator('#inside')
    assert.equal(await inside.count(), 0)
    await page.click('#toggle')
    await inside.waitFor()
    await page.locator('o-slot .counter').last().click()
    await page.click('#toggle')
    assert.equal(await inside.count(), 0)
    await page.click('#toggle')
    assert.equal((await page.locator('o-slot .counter').last().textContent())?.trim(), '11')
    assert.deepEqual(errors, [])
  }),
)

browserTest('links and icons rendered later resolve within the bundle', (browser) =>
  withPage(browser, 'deep/live.html', async (page) => {
    await page.click('#pick-b')
    const href = await page.locator('#later').evaluate((element) => (element as HTMLAnchorElement).href)
    assert.equal(href, pathToFileURL(join(out, 'still.html')).href)
    assert.ok((await page.locator('.card .card-icon path').count()) > 0)
  }),
)

browserTest('an island that throws restores its server markup and logs one error', (browser) =>
  withPage(browser, 'broken.html', async (page, errors) => {
    await page.click('#falls')
    await page.locator('o-island[data-state="fallen"]').waitFor()
    assert.equal(await page.locator('#falls').textContent(), 'Still standing')
    assert.deepEqual(errors, ['The component broken.mdx#Falls stopped.'])
    await page.locator('.counter').click()
    assert.equal((await page.locator('.counter').textContent())?.trim(), '2')
  }),
)

browserTest('all content of an island is readable without JavaScript', async (browser) => {
  const context = await browser.newContext({ javaScriptEnabled: false })
  try {
    const page = await context.newPage()
    await page.goto(pathToFileURL(join(out, 'deep/live.html')).href)
    assert.ok(await page.locator('#inside').isVisible())
    assert.ok(await page.getByText('3 in bold words').isVisible())
  } finally {
    await context.close()
  }
})
