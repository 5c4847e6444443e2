/** File trees: keyboard navigation, accessibility tree and rendering without JavaScript. */
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { allFaultsInBothSchemes } from '../kit/axe.ts'
import { browserTest } from '../kit/browser.ts'
import { type BuiltSite, buildSite } from '../kit/built-site.ts'
import { smallSite, writeSite } from '../kit/site.ts'

const TREE = `<Tree>
  <Tree.Folder name="docs" defaultOpen>
    <Tree.File name="docs.json" highlight />
    <Tree.File name="index.mdx" />
    <Tree.Folder name="guides">
      <Tree.File name="export.mdx" />
      <Tree.Folder name="deep">
        <Tree.File name="well.mdx" />
      </Tree.Folder>
    </Tree.Folder>
    <Tree.Folder name="node_modules" openable={false} />
  </Tree.Folder>
  <Tree.File name="package.json" />
</Tree>`

const LATER = `export const Later = () => {
  const [isShown, setShown] = useState(false)
  return (
    <div>
      <button id="show" onClick={() => setShown(!isShown)}>Show</button>
      {isShown && <Tree><Tree.Folder name="late"><Tree.File name="later.md" /></Tree.Folder></Tree>}
    </div>
  )
}`

let folder = ''
let site: BuiltSite
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'octavo-trees-'))
  await writeSite(folder, {
    ...smallSite(1),
    'index.mdx': `---\ntitle: Home\n---\n\n${LATER}\n\n${TREE}\n\n<Later />\n`,
  })
  site = await buildSite(folder)
})
after(async () => {
  await site?.[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

const withHome = (browser: Browser, act: (page: Page) => Promise<void>) =>
  site.visit(browser, 'index', {}, act)

/** Returns the name of the focused item. */
const active = (page: Page) =>
  page.evaluate(() => document.activeElement?.querySelector('.tree-name')?.textContent ?? null)

const item = (page: Page, name: string) => page.getByRole('treeitem', { name, exact: true })

browserTest('a file tree supports the keyboard navigation of a tree', (browser) =>
  withHome(browser, async (page) => {
    const press = async (keys: string) => {
      for (const key of keys.split(' ')) await page.keyboard.press(key)
      return active(page)
    }
    const guides = item(page, 'guides')
    await item(page, 'docs').focus()
    assert.equal(await press('ArrowDown'), 'docs.json')
    assert.equal(await press('End'), 'package.json')
    assert.equal(await press('ArrowUp'), 'node_modules', 'what is closed is passed over')
    assert.equal(await press('Home'), 'docs')
    assert.equal(await press('g'), 'guides')
    assert.equal(await guides.getAttribute('aria-expanded'), 'false')
    assert.equal(await press('ArrowRight ArrowRight'), 'export.mdx')
    assert.equal(await guides.getAttribute('aria-expanded'), 'true')
    assert.equal(await press('ArrowDown Enter ArrowDown'), 'well.mdx')
    assert.equal(await press('ArrowLeft'), 'deep')
    assert.equal(await press('ArrowLeft ArrowLeft'), 'guides')
    assert.equal(await press('ArrowLeft ArrowLeft'), 'docs')
    assert.equal(await press('ArrowLeft ArrowDown'), 'package.json')
    assert.equal(await press('* Home ArrowDown'), 'docs.json')
    const reachable = page.locator('[role="tree"]').first().locator('[role="treeitem"][tabindex="0"]')
    assert.equal(await reachable.count(), 1)
    assert.equal(await item(page, 'node_modules').getAttribute('aria-expanded'), null)
  }),
)

browserTest('clicking a folder name opens and closes the folder', (browser) =>
  withHome(browser, async (page) => {
    const file = page.getByText('export.mdx')
    const name = page.getByText('guides')
    assert.equal(await file.isVisible(), false)
    await name.click()
    assert.ok(await file.isVisible())
    assert.equal(await active(page), 'guides')
    await name.click()
    assert.equal(await file.isVisible(), false)
    assert.equal(await active(page), 'guides')
  }),
)

browserTest('navigating to a target inside closed folders opens them', (browser) =>
  withHome(browser, async (page) => {
    await page.evaluate(() => {
      const [name] = [...document.querySelectorAll('.tree-name')].filter(
        ({ textContent }) => textContent === 'well.mdx',
      )
      if (name) name.id = 'well'
      location.hash = '#well'
    })
    await page.getByText('well.mdx').waitFor()
    for (const name of ['guides', 'deep'])
      assert.equal(await item(page, name).getAttribute('aria-expanded'), 'true', name)
  }),
)

browserTest('a tree that an island renders later works as a tree', (browser) =>
  withHome(browser, async (page) => {
    await page.locator('o-island[data-state="alive"]').waitFor()
    await page.locator('#show').click()
    const late = item(page, 'late')
    assert.equal(await late.getAttribute('aria-expanded'), 'false')
    await page.getByText('late', { exact: true }).click()
    assert.ok(await page.getByText('later.md').isVisible())
  }),
)

browserTest('without JavaScript the whole tree is shown as lists', (browser) =>
  site.visit(browser, 'index', { javaScriptEnabled: false }, async (page) => {
    for (const name of ['export.mdx', 'well.mdx', 'package.json'])
      assert.ok(await page.getByText(name).isVisible(), name)
    assert.equal(await page.getByRole('tree').count(), 0)
    assert.equal(await page.locator('.tree .chevron:visible').count(), 0)
  }),
)

browserTest('axe finds no violations on a page with trees, closed and open', (browser) =>
  withHome(browser, async (page) => {
    assert.deepEqual(await allFaultsInBothSchemes(page), [])
    await item(page, 'guides').press('Enter')
    assert.deepEqual(await allFaultsInBothSchemes(page), [])
  }),
)
