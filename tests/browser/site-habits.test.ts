/** Patterns of public sites that the component tests do not cover. All tests share one build. */
import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { loadAxe, serious } from '../kit/axe.ts'
import { browserTest } from '../kit/browser.ts'
import { type BuiltSite, buildSite } from '../kit/built-site.ts'
import { writeSite } from '../kit/site.ts'
import { htmlFaults } from '../kit/valid-html.ts'
import { FILES } from './site-habits-scene.ts'

let site: BuiltSite
let folder: string

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'octavo-habits-'))
  await writeSite(folder, FILES)
  site = await buildSite(folder, 'client-hosted')
})

after(async () => {
  await site?.[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

const read = (path: string) => readFile(join(site.out, path), 'utf8')

test('an operation page without a matching operation names the missing operation', async () => {
  const html = await read('deep/down/gone.html')
  assert.match(html, /not in the API descriptions of this site: <code>\.\.\/own\.json post \/nothing<\/code>/)
})

test('an alternative URL of an operation redirects to its page', async () => {
  assert.match(
    await read('api-reference/full-text/search-made.html'),
    /url=(?:\.\.\/)+api-reference\/full_text\/search_made\.html/,
  )
  assert.match(await read('index.html'), /href="api-reference\/full_text\/search_made\.html"/)
})

browserTest('images in the settings resolve from every page', async (browser) => {
  await site.visit(browser, 'deep/down/fields', {}, async (page) => {
    const logo = page.locator('.nav-logo img').first()
    assert.equal(await logo.evaluate((image: HTMLImageElement) => image.naturalWidth), 24)
    const icon = await page.locator('link[rel=icon]').last().getAttribute('href')
    assert.match(icon ?? '', /^\.\.\/\.\.\//)
  })
})

browserTest('links to fields resolve by the current ids and by older ids', async (browser) => {
  const places = [
    'body-highlight-pre-tag',
    'param-base-url',
    'param-baseurl',
    'response-uid',
    'response-200-uid',
  ]
  for (const javaScriptEnabled of [true, false]) {
    await site.visit(browser, 'deep/down/fields', { javaScriptEnabled }, async (page) => {
      for (const id of places) {
        await page.goto(`${site.at('deep/down/fields')}#${id}`)
        const target = page.locator(':target')
        const field = page.locator('.field').filter({ has: target }).or(page.locator('.field:target'))
        assert.equal(await field.first().isVisible(), true, id)
      }
    })
  }
  await site.visit(browser, 'deep/down/fields', {}, async (page) => {
    await page.goto(`${site.at('deep/down/fields')}#response-code`)
    assert.equal(await page.locator('#response-404-code').isVisible(), true)
  })
})

browserTest('a custom content width leaves a readable column', async (browser) => {
  for (const [width, least] of [
    [1280, 570],
    [390, 300],
  ] as const)
    await site.visit(browser, 'long', { viewport: { width, height: 900 } }, async (page) => {
      await page.addStyleTag({ content: '#content-area { width: calc(100% - 20rem) !important; }' })
      const text = await page.locator('#content p').first().boundingBox()
      assert.ok((text?.width ?? 0) >= least, `${text?.width} of ${width}`)
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth), false)
    })
})

browserTest('custom styles and scripts find page elements where the format has them', async (browser) => {
  for (const width of [1440, 1100, 390]) {
    await site.visit(browser, 'long', { viewport: { width, height: 900 } }, async (page) => {
      const sizes = await page.evaluate(() => {
        const box = (selector: string) => document.querySelector(selector)?.getBoundingClientRect()
        return {
          title: box('#page-title'),
          notice: box('#own-notice'),
          text: box('#content'),
          contents: box('#table-of-contents'),
          isTitleInHeader: document.querySelector('#content-area > #header #page-title') !== null,
          isContentsOutside: document.querySelector('#content-area #table-of-contents') === null,
          isNavbarWhole: document.querySelector('#navbar .nav-logo') !== null,
          isInWindow: document.documentElement.scrollWidth <= innerWidth,
        }
      })
      const { title, notice, text, contents } = sizes
      assert.ok(title && notice && text && contents)
      assert.deepEqual(
        [sizes.isTitleInHeader, sizes.isContentsOutside, sizes.isNavbarWhole, sizes.isInWindow],
        [true, true, true, true],
      )
      assert.ok(notice.bottom <= title.top, `the notice stands above the title at ${width}`)
      assert.ok(title.width > 150 && text.width > 300, `${width}: ${title.width}, ${text.width}`)
      if (width >= 1280) assert.ok(contents.left > text.right && text.width <= 640)
      else assert.ok(contents.top >= title.bottom && contents.bottom <= text.top)
    })
  }
})

browserTest('title and text stay aligned when custom styles center them', async (browser) => {
  await site.visit(browser, 'long', { viewport: { width: 1440, height: 900 } }, async (page) => {
    const sides = await page.evaluate(() =>
      ['#header', '#content'].map((selector) => {
        const box = document.querySelector(selector)?.getBoundingClientRect()
        return box && [Math.round(box.left), Math.round(box.width)]
      }),
    )
    assert.deepEqual(sides[0], sides[1])
    assert.equal(sides[0]?.[1], 600)
  })
})

browserTest('on a phone no button covers code, and table columns stay readable', async (browser) => {
  await site.visit(browser, 'narrow', { viewport: { width: 390, height: 900 } }, async (page) => {
    const button = await page.locator('.code-wrap').first().boundingBox()
    const line = await page.locator('.code-block .line').first().boundingBox()
    assert.ok(button && line && button.y + button.height <= line.y + 4, JSON.stringify([button, line]))
    const cell = await page.locator('td').nth(1).boundingBox()
    assert.ok(cell && cell.width >= 140, JSON.stringify(cell))
  })
})

browserTest('a table head stays above its rows, and type names do not wrap', async (browser) => {
  await site.visit(browser, 'narrow', { viewport: { width: 1440, height: 900 } }, async (page) => {
    const table = page.locator('#content table').last()
    const head = await table.locator('th').first().boundingBox()
    const row = await table.locator('td').first().boundingBox()
    assert.ok(head && row && head.y + head.height <= row.y + 1, JSON.stringify([head, row]))
    const code = await table.locator('code').boundingBox()
    assert.ok(code && code.height < 30, JSON.stringify(code))
  })
})

test('author code can use side-effect-free web APIs, and names without an import', async () => {
  const html = await read('code.html')
  assert.match(
    html,
    /<p id="encoded">https:\/\/acme\.dev\/search\?x=1&amp;q=inner 5 production 2 36 0 false<\/p>/,
  )
  assert.match(html, /<p id="groesse">nothing<\/p>/)
  assert.match(html, /class="card[^>]*>(?:(?!<\/div>).)*Given/s)
  assert.match(html, /id="greets"[^>]*>Hello 0/)
  assert.doesNotMatch(html, /import \{/)
  assert.match(html, /<strong>given<\/strong>/)
  const codes = site.problems.filter(({ file }) => file === 'code.mdx' || file.startsWith('snippets/'))
  assert.deepEqual(
    codes.map(({ code, message }) => [code, /<(\w+)>/.exec(message)?.[1] ?? '']),
    [
      ['mdx.module_failed', ''],
      ['mdx.browser_only', 'Width'],
    ],
  )
})

browserTest('a tooltip near the edge of a phone stays within the page', async (browser) => {
  await site.visit(browser, 'long', { viewport: { width: 390, height: 900 } }, async (page) => {
    const width = () => page.evaluate(() => document.documentElement.scrollWidth)
    assert.equal(await width(), 390)
    const tip = page.getByRole('tooltip')
    assert.equal(await tip.isVisible(), false)
    await page.getByText('edge', { exact: true }).focus()
    await tip.waitFor()
    const box = await tip.boundingBox()
    assert.ok(box !== null && box.x >= 0 && box.x + box.width <= 390, JSON.stringify(box))
    assert.equal(await width(), 390)
    await page.keyboard.press('Escape')
    await tip.waitFor({ state: 'hidden' })
  })
})

browserTest('components that cannot render at build time render in the browser', async (browser) => {
  await site.visit(browser, 'code', {}, async (page) => {
    const width = page.locator('#width')
    await width.click()
    assert.equal(await width.textContent(), 'wide 1 given')
    assert.equal(await width.locator('strong').count(), 1)
    await page.locator('#greets').click()
    assert.equal(await page.locator('#greets').textContent(), 'Hello 1')
    assert.equal(await page.locator('#falls').textContent(), 'drawn')
  })
  await site.visit(browser, 'code', { javaScriptEnabled: false }, async (page) => {
    assert.equal(await page.getByText('given', { exact: true }).isVisible(), true)
  })
})

browserTest("links of a frame mode page keep their author's styling", async (browser) => {
  const lineOf = (name: string, selector: string) => {
    let line = ''
    return site
      .visit(browser, name, {}, async (page) => {
        line = await page
          .locator(selector)
          .first()
          .evaluate((link) => getComputedStyle(link).textDecorationLine)
      })
      .then(() => line)
  }
  assert.equal(await lineOf('free', '#bare'), 'none')
  assert.equal(await lineOf('index', '#content a[href]'), 'underline')
})

browserTest('a custom style sheet can use the bundled fonts', (browser) =>
  site.visit(browser, 'long', {}, async (page) => {
    const faces = await page.evaluate(async () => {
      await document.fonts.ready
      return [...document.fonts].filter((face) => face.status === 'loaded').map((face) => face.family)
    })
    assert.ok(faces.includes('Inter'), faces.join())
  }),
)

browserTest(
  'a first visit scrolls the current page into view, even when styles load late',
  async (browser) => {
    const context = await browser.newContext({ viewport: { width: 1280, height: 700 } })
    try {
      const page = await context.newPage()
      await page.route(/\.css$/, async (route) => {
        await new Promise((resolve) => setTimeout(resolve, 300))
        await route.continue()
      })
      await page.goto(site.at('free'))
      await page.waitForFunction(() => {
        const box = document.querySelector('#sidebar [aria-current="page"]')?.getBoundingClientRect()
        return box !== undefined && box.top > 0 && box.bottom < innerHeight
      })
    } finally {
      await context.close()
    }
  },
)

browserTest('a background decoration does not make a narrow page scroll sideways', async (browser) => {
  await site.visit(browser, 'index', { viewport: { width: 390, height: 900 } }, async (page) => {
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390)
  })
})

test('reports page menu options that a static site cannot offer', async () => {
  assert.doesNotMatch(await read('long.html'), /page-action-group/)
  const told = site.problems.filter(({ code }) => code === 'menu.left_out').map(({ message }) => message)
  assert.deepEqual(told, [
    'The page menu does not show mcp, devin-mcp here: static sites have no MCP server.',
  ])
})

test('pages are valid HTML', async () => {
  const files = ['index', 'long', 'code', 'free', 'narrow', 'deep/down/fields', 'deep/down/gone', '404']
  const paths = files.map((file) => join(site.out, `${file}.html`))
  assert.deepEqual(await htmlFaults(site.out, paths), [])
})

browserTest('landmarks of a page are unique', async (browser) => {
  const rules = [
    'landmark-unique',
    'landmark-one-main',
    'landmark-no-duplicate-main',
    'landmark-no-duplicate-banner',
    'landmark-no-duplicate-contentinfo',
    'region',
  ]
  for (const [name, width] of [
    ['long', 1440],
    ['deep/down/fields', 1440],
    ['long', 390],
  ] as const) {
    await site.visit(browser, name, { viewport: { width, height: 900 } }, async (page) => {
      await page.locator('#own-notice').evaluate((notice) => notice.remove())
      await loadAxe(page)
      const found = await page.evaluate(serious, { root: 'html', rules, isAnyImpact: true })
      assert.deepEqual(found, [], `${name} ${width}`)
    })
  }
})

browserTest(
  'a script that redeclares a name of an earlier script does not run, and a hint names both',
  async (browser) => {
    await site.visit(browser, 'index', {}, async (page) => {
      const errors: string[] = []
      page.on('pageerror', ({ message }) => errors.push(message))
      await page.reload({ waitUntil: 'load' })
      const { second, third } = await page.evaluate(() => ({ ...document.documentElement.dataset }))
      assert.deepEqual([second, third], [undefined, 'ran'])
      assert.deepEqual(errors, ["Identifier 'notice' has already been declared"])
    })
    const told = site.problems.filter(({ code }) => code === 'script.name_twice')
    assert.deepEqual(
      told.map(({ file, line, message }) => [file, line, message]),
      [
        [
          'second.js',
          1,
          'Browsers reject this script because it declares notice, which own.js already declares.',
        ],
      ],
    )
  },
)

test('writes attributes in HTML form and does not wrap a single line of text in a paragraph', async () => {
  const page = await read('free.html')
  const html = page.slice(page.indexOf('id="content"'))
  assert.match(html, /<iframe [^>]*allowfullscreen[^>]*referrerpolicy="no-referrer"[^>]*spellcheck="false"/)
  assert.match(html, /class="tooltip-term"[^>]*>word<\/span>/)
  assert.match(html, /data-badge[^>]*>New<\/span>/)
})

test('import statements quoted in the text of a page are shown as text', async () => {
  const text = (await read('code.html')).replace(/<[^>]*>/g, '')
  for (const place of ['in-a-line', 'in-bold', 'behind-a-tag', 'in-code'])
    assert.match(text, new RegExp(`import .{0,20}shown/${place}`), place)
})

browserTest('a component can use what only its page imports, in the browser too', async (browser) => {
  assert.match(await read('code.html'), /id="lending">.*Counted 0.*lent by a function/s)
  await site.visit(browser, 'code', {}, async (page) => {
    await page.locator('#counts').click()
    assert.equal(await page.locator('#lending').textContent(), 'Counted 1lent by a function')
  })
})

test('an imported component can have the name of a built-in one', async () => {
  assert.match(await read('named.html'), /<b id="own-badge">Own<\/b>/)
})

browserTest('layered custom styles do not override the theme', async (browser) => {
  await site.visit(browser, 'long', {}, async (page) => {
    const paragraph = page.locator('#content p').first()
    assert.notEqual(await paragraph.evaluate((element) => getComputedStyle(element).marginBottom), '0px')
  })
})

test('a heading is reachable by its anchor without the badge', async () => {
  assert.match(await read('code.html'), /id="sums-beta"[^>]*><span class="other-anchor" id="sums">/)
})

test('a snippet uses its default for a prop that it was not given', async () => {
  const text = (await read('code.html')).replace(/<[^>]*>/g, '')
  assert.match(text, /Search is part of a plan\./)
  assert.match(text, /Roles are part of a plan\./)
})

browserTest('headings named like layout elements are reachable and styled as headings', async (browser) => {
  await site.visit(browser, 'long', { viewport: { width: 1440, height: 900 } }, async (page) => {
    for (const name of ['Content', 'Pagination']) {
      const link = page.locator('#table-of-contents a', { hasText: name })
      await link.click()
      assert.equal(await page.locator('h2:target').textContent(), name)
      assert.equal(
        await page.locator('h2:target').evaluate((one) => getComputedStyle(one).borderTopWidth),
        '0px',
      )
    }
    assert.equal(
      await page.locator('nav.pagination').evaluate((one) => getComputedStyle(one).display),
      'flex',
    )
  })
})

test('a site with a canonical URL has a sitemap and a social image for each page', async () => {
  const sitemap = await read('sitemap.xml')
  assert.match(sitemap, /<loc>https:\/\/acme\.dev\/docs\/deep\/down\/fields<\/loc>/)
  assert.match(await read('robots.txt'), /Sitemap: https:\/\/acme\.dev\/docs\/sitemap\.xml/)
  const page = await read('long.html')
  assert.match(page, /<link rel="canonical" href="https:\/\/acme\.dev\/docs\/long">/)
  const [, picture = ''] = /property="og:image" content="https:\/\/acme\.dev\/docs\/([^"]+)"/.exec(page) ?? []
  assert.equal((await readFile(join(site.out, picture))).subarray(1, 4).toString(), 'PNG')
})

test('a field without a name has no empty link', async () => {
  const html = await read('deep/down/fields.html')
  assert.match(html, /Without a name/)
  assert.doesNotMatch(html, /class="field-name"[^>]*><\/a>/)
})
