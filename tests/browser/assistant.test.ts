import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { allFaultsInBothSchemes } from '../kit/axe.ts'
import { browserTest } from '../kit/browser.ts'
import { type Behaviour, type ModelServer, replies, startModelServer } from '../kit/model-server.ts'
import { DOMAIN, type FeedbackScene, openFeedbackScene, openPage, serveFolder } from './feedback-scene.ts'

const FILES = {
  'docs.json': JSON.stringify({
    theme: 'mint',
    name: 'Acme',
    colors: { primary: '#5B5BD6' },
    navigation: { groups: [{ group: 'Start', pages: ['index', 'guides/backup', 'talk'] }] },
  }),
  'index.mdx': '---\ntitle: Introduction\n---\n\nWelcome.\n\n## First steps\n\nInstall it, then open it.\n',
  'guides/backup.mdx':
    '---\ntitle: Back up\n---\n\nKeep copies.\n\n## A schedule\n\nRun `octavo backup` every night. Keep seven of the copies.\n',
  'talk.mdx':
    '---\ntitle: Talk\nmode: assistant\n---\n\nAsk about anything.\n\n## What is kept\n\nNothing.\n',
  'hidden.mdx': '---\ntitle: Hidden\nnoindex: true\n---\n\nThe backup password is violet-otter.\n',
}

const TRUTH = {
  say: 'Run `octavo backup` **every night**. <img src=x onerror="globalThis.hacked=1"> [click](https://evil.example)',
  quote: 'every night',
}

let model: ModelServer
let scene: FeedbackScene
let behaviour: Behaviour
before(async () => {
  model = await startModelServer(() => (exchange) => behaviour(exchange))
  scene = await openFeedbackScene(FILES, {
    OCTAVO_ASSISTANT_MODEL: 'openai-compatible:stand-in',
    OCTAVO_MODEL_URL: model.url,
    OCTAVO_LIMIT_QUESTIONS: '1000/60',
  })
  await scene.publish()
})
after(async () => {
  await scene[Symbol.asyncDispose]()
  await model[Symbol.asyncDispose]()
})

/** Makes the model write these statements, each citing the passage that contains its quote. */
function says(...statements: { say: string; quote: string }[]): Behaviour {
  return (exchange) => {
    const asked = String(exchange.request.messages.at(-1)?.content)
    const lines = statements.map(({ say, quote }) => {
      const before = asked.slice(0, Math.max(0, asked.indexOf(quote)))
      return JSON.stringify({
        say,
        passage: Number(
          before
            .match(/Passage \d+/g)
            ?.at(-1)
            ?.slice(8) ?? 0,
        ),
        quote,
      })
    })
    return replies({ text: lines.join('\n') })(exchange)
  }
}

const GOOD = says({ say: 'Run `octavo backup` **every night**.', quote: 'every night' })

async function ask(page: Page, question: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Ask a question…' }).fill(question)
  await page.keyboard.press('Enter')
}

test('stores passages only of pages that search shows', async () => {
  const rows = await scene.node.node.context.database.queries
    .selectFrom('assistant_passages')
    .select(['path', 'body'])
    .execute()
  assert.deepEqual([...new Set(rows.map(({ path }) => path))].toSorted(), ['/', '/guides/backup', '/talk'])
})

browserTest(
  'asks by keyboard, shows the answer with its source, rates it and keeps the conversation',
  async (browser) => {
    behaviour = GOOD
    await openPage(browser, `${scene.hosted}/`, {}, async (page, errors) => {
      await page.keyboard.press('ControlOrMeta+i')
      const panel = page.getByRole('dialog', { name: 'Assistant' })
      await panel.getByRole('button', { name: 'First steps' }).waitFor()
      await ask(page, 'How do I make a backup?')
      const source = panel.getByRole('link', { name: /Back up › A schedule/ })
      assert.equal(
        await source.getAttribute('href'),
        `${scene.hosted}/guides/backup#a-schedule:~:text=every%20night`,
      )
      assert.equal(await panel.locator('.ask-claim strong').textContent(), 'every night')
      await panel.getByRole('button', { name: 'This helped' }).click()
      await panel.locator('[aria-pressed=true]').waitFor()
      const rated = await scene.node.node.context.database.queries
        .selectFrom('assistant_questions')
        .select(['helpful', 'status', 'path'])
        .execute()
      assert.deepEqual(rated, [{ helpful: true, status: 'answered', path: '/' }])
      assert.deepEqual(await allFaultsInBothSchemes(page), [])
      await page.goto(`${scene.hosted}/guides/backup`)
      await page.getByRole('button', { name: 'Ask the assistant' }).click()
      await panel.getByText('How do I make a backup?').waitFor()
      await page.keyboard.press('Escape')
      await panel.waitFor({ state: 'hidden' })
      assert.deepEqual(errors, [])
    })
  },
)

browserTest('an assistant page shows the conversation below its content at any width', async (browser) => {
  behaviour = GOOD
  for (const width of [1280, 390]) {
    const options = { viewport: { width, height: 800 } }
    await openPage(browser, `${scene.hosted}/talk`, options, async (page, errors) => {
      const talk = page.locator('#content-area').getByRole('region', { name: 'Assistant', exact: true })
      await page.getByText('Ask about anything.').waitFor()
      await talk.getByRole('button', { name: 'What is kept' }).waitFor()
      await ask(page, 'How do I make a backup?')
      await talk.getByRole('link', { name: /Back up › A schedule/ }).waitFor()
      await page.keyboard.press('Escape')
      await page.keyboard.press('ControlOrMeta+i')
      assert.ok(await talk.getByRole('textbox').evaluate((field) => field === document.activeElement))
      assert.equal(
        await page.locator('#table-of-contents, .feedback-toolbar, .page-footer, dialog').count(),
        0,
      )
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), width)
      assert.deepEqual(await allFaultsInBothSchemes(page), [])
      assert.deepEqual(errors, [])
    })
  }
})

browserTest('renders model markup as text and hides claims that the docs do not support', async (browser) => {
  behaviour = says(TRUTH, { say: 'Run `octavo backup --now` every night.', quote: 'every night' })
  await openPage(browser, `${scene.hosted}/`, {}, async (page, errors) => {
    await page.getByRole('button', { name: 'Ask the assistant' }).click()
    await ask(page, 'How do I make a backup?')
    await page.locator('.ask-state', { hasText: 'The docs do not answer this.' }).waitFor()
    await page.locator('.ask-nearest a').first().waitFor()
    behaviour = says({
      say: 'Keep seven of the copies <b>every night</b>, [so](javascript:alert).',
      quote: 'every night',
    })
    await ask(page, 'How many copies of a backup?')
    await page.locator('.ask-claim').waitFor()
    assert.match(
      String(await page.locator('.ask-claim').textContent()),
      /<b>every night<\/b>, so \(javascript:alert\)/,
    )
    assert.equal(await page.locator('.ask-claim b, .ask-claim img').count(), 0)
    assert.equal(await page.evaluate(() => 'hacked' in globalThis), false)
    assert.deepEqual(errors, [])
  })
})

browserTest('asks about a selection, stops an answer and retries it', async (browser) => {
  const [asked, gone] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  behaviour = async ({ response, gone: left }) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.flushHeaders()
    left.addEventListener('abort', () => gone.resolve())
    asked.resolve()
    await gone.promise
  }
  const phone = { viewport: { width: 390, height: 800 } }
  await openPage(browser, `${scene.hosted}/guides/backup`, phone, async (page) => {
    await page.getByText('Keep copies.').click({ clickCount: 3 })
    await page.getByRole('button', { name: 'Ask about this' }).click()
    await page.getByText('Keep copies.', { exact: true }).nth(1).waitFor()
    await ask(page, 'How often?')
    await page.locator('.ask-state', { hasText: 'Looking in the docs…' }).waitFor()
    // The page shows this state before the request reaches the model.
    await asked.promise
    await page.getByRole('button', { name: 'Stop' }).click()
    await page.locator('.ask-state', { hasText: 'Stopped.' }).waitFor()
    await gone.promise
    behaviour = GOOD
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('link', { name: /A schedule/ }).waitFor()
    assert.match(
      String(model.requests.at(-1)?.messages.at(-1)?.content),
      /the reader's selection on the page[\s\S]*Keep copies/,
    )
    const { width } = (await page.getByRole('dialog').boundingBox()) ?? { width: 0 }
    assert.equal(width, 390)
  })
})

browserTest('a client-hosted bundle asks the platform and links to its own files', async (browser) => {
  const { client, dataFolder } = scene.node
  const { jobId } = await client.startExport({
    domain: DOMAIN,
    deployment: 'client-hosted',
    features: { assistant: true },
  })
  assert.equal((await scene.node.finished(jobId)).status, 'completed')
  const { bundleUrl } = await client.generateBundle(jobId)
  const folder = await mkdtemp(join(dataFolder, 'bundle-'))
  await writeFile(join(folder, 'b.tar.gz'), Buffer.from(await (await fetch(bundleUrl)).arrayBuffer()))
  await promisify(execFile)('tar', ['xzf', 'b.tar.gz'], { cwd: folder })
  await using server = await serveFolder(folder)
  behaviour = GOOD
  await openPage(browser, `${server.url}/index.html`, {}, async (page, errors) => {
    await page.getByRole('button', { name: 'Ask the assistant' }).click()
    await ask(page, 'How do I make a backup?')
    const source = page.getByRole('link', { name: /Back up › A schedule/ })
    await source.click()
    await page.waitForURL(/\/guides\/backup\.html#a-schedule/)
    assert.deepEqual(errors, [])
  })
})
