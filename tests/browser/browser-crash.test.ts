import assert from 'node:assert/strict'
import type { Browser } from 'playwright-core'
import { browserTest } from '../kit/browser.ts'

let killed: Browser | undefined

browserTest('page calls reject after the browser is killed during a test', async (browser) => {
  killed = browser
  const page = await browser.newPage()
  const gone = new Promise((resolve) => browser.once('disconnected', resolve))
  const session = await browser.newBrowserCDPSession()
  const { processInfo } = await session.send('SystemInfo.getProcessInfo')
  const main = processInfo.find(({ type }) => type === 'browser')
  process.kill(main?.id ?? Number.NaN, 'SIGKILL')
  await gone
  await assert.rejects(page.evaluate(() => document.title))
})

browserTest('the next test after a browser crash gets a new browser', async (browser) => {
  assert.notEqual(browser, killed)
  const page = await browser.newPage()
  await page.setContent('<title>Alive</title>')
  assert.equal(await page.title(), 'Alive')
})

browserTest('text falls back to system fonts when a web font cannot be loaded', async (browser) => {
  const page = await browser.newPage()
  // The font data is invalid on purpose.
  await page.setContent(
    '<style>@font-face { font-family: Web; src: url(data:font/woff2;base64,AAAA) } p { font-family: Web }</style>' +
      '<p>Latin <b>bold</b> <code>code</code> 日本語 العربية 🎉</p><input value="typed"><select><option>one</select>',
  )
  const width = () => page.locator('b').evaluate((element) => element.getBoundingClientRect().width)
  assert.ok((await width()) > 10, 'text without a font has no width')
})
