import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import type { Page } from 'playwright-core'
import { seriousFaultsInBothSchemes } from '../kit/axe.ts'
import { browserTest } from '../kit/browser.ts'
import type { ScriptedAnswer } from '../kit/model-server.ts'
import { HIT, injectionPayloads } from '../kit/payloads.ts'
import { until } from '../kit/until.ts'
import { IS_WHOLE } from '../kit/whole-run.ts'
import { openWorkScene, type WorkScene } from './dashboard-work-scene.ts'

const BREW = 'guides/brew.mdx'
const EDIT = { path: BREW, oldText: '70 degrees', newText: '100 degrees' }

const CHANGE: ScriptedAnswer[] = [
  { text: 'I read the page first.', toolCalls: [{ name: 'read_file', input: { path: BREW } }] },
  {
    toolCalls: [
      { name: 'plan', input: { items: [{ text: 'Correct the number', state: 'at_work' }] } },
      { name: 'edit_file', input: EDIT },
    ],
  },
  {
    toolCalls: [
      {
        name: 'finish',
        input: {
          title: 'Tell the right temperature',
          summary: 'Black tea wants boiling water.',
          reasons: [{ path: BREW, reason: 'The page told the wrong number.' }],
        },
      },
    ],
  },
]

const FOLLOW_UP: ScriptedAnswer[] = [
  ...CHANGE,
  {
    toolCalls: [{ name: 'edit_file', input: { path: BREW, oldText: '100 degrees', newText: '95 degrees' } }],
  },
  CHANGE[2] as ScriptedAnswer,
]

const PAYLOADS = injectionPayloads(IS_WHOLE ? 500 : 50)
const IN_ONE_STEP = 25

const HOSTILE: ScriptedAnswer[] = [
  ...Array.from({ length: PAYLOADS.length / IN_ONE_STEP }, (_, step) => ({
    text: PAYLOADS.slice(step * IN_ONE_STEP, (step + 1) * IN_ONE_STEP).join('\n'),
    toolCalls: [{ name: 'search', input: { query: PAYLOADS[step * IN_ONE_STEP + 1] ?? '' } }],
  })),
  {
    toolCalls: [
      {
        name: 'plan',
        input: { items: PAYLOADS.slice(0, 10).map((text) => ({ text: text || 'x', state: 'open' })) },
      },
      {
        name: 'write_file',
        input: {
          path: 'guides/milk.mdx',
          text: `---\ntitle: Milk\ndescription: Whether milk goes in first.\n---\n\n~~~~\n${PAYLOADS.join('\n')}\n~~~~\n`,
        },
      },
      {
        name: 'update_navigation',
        input: { operation: 'add_page', page: 'guides/milk', within: ['Start'] },
      },
      { name: 'edit_file', input: EDIT },
    ],
  },
  {
    toolCalls: [
      {
        name: 'finish',
        input: {
          title: `"'><img src=x onerror="window.${HIT}=1">`,
          summary: PAYLOADS.slice(0, 40).join('\n'),
          reasons: [BREW, 'docs.json', 'guides/milk.mdx'].map((path) => ({ path, reason: PAYLOADS[5] })),
        },
      },
    ],
  },
]

let work: WorkScene
before(async () => {
  work = await openWorkScene({
    conversations: { 'right number': CHANGE, 'and then': FOLLOW_UP, hostile: HOSTILE },
  })
})
after(() => work[Symbol.asyncDispose]())

const status = async (id: string) => (await work.agent.octavo.client.getAgentJob(work.projectId, id)).status
const jobOf = (page: Page) => /\/agent\/(aj_\w+)/.exec(page.url())?.[1] ?? ''
const steps = (page: Page) => page.getByRole('list', { name: 'Steps' })

async function begin(page: Page, prompt: string): Promise<string> {
  await page.goto(work.at('/agent'))
  await page.getByLabel('What should the agent change?').fill(prompt)
  await page.getByRole('button', { name: 'Start the job' }).click()
  await page.waitForURL(/\/agent\/aj_/)
  return jobOf(page)
}

browserTest('starts, follows, reviews and merges a job by keyboard alone', async (browser) => {
  const release = work.hold()
  await using looking = await work.look(browser, 'editor')
  const { page, errors } = looking
  await page.goto(work.at('/agent'))
  await page.getByText('No agent job yet').waitFor()
  await page.keyboard.press('c')
  await page.keyboard.type('Tell the right number.')
  await page.keyboard.press('Control+Enter')
  await page.waitForURL(/\/agent\/aj_/)
  await page.getByText('Working …').waitFor()
  await page.getByRole('progressbar', { name: 'Steps' }).waitFor()
  release()
  await steps(page).getByText('I read the page first.').waitFor()
  await steps(page).getByText('Done: 1 file changed').waitFor()
  await page.getByRole('complementary').getByText('Correct the number').waitFor()
  await page.getByRole('heading', { level: 1, name: 'Tell the right temperature' }).waitFor()

  const read = steps(page).locator('summary').filter({ hasText: 'Read' }).first()
  await read.focus()
  await page.keyboard.press('Enter')
  await steps(page).getByText('Use water of 70 degrees.').waitFor()
  await page.keyboard.press('Escape') // Leaves nothing open: goes to the list.
  await page.getByRole('list', { name: 'Jobs' }).waitFor()
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  await page.getByRole('tab', { name: 'Changes' }).waitFor()

  await page.keyboard.press('2')
  await page.getByText('The page told the wrong number.').waitFor()
  assert.equal(await page.locator('tr[data-line="removed"] del').textContent(), '70')
  assert.equal(await page.locator('tr[data-line="added"] ins').textContent(), '100')
  // The heading above the changed line has the color of its token.
  await page.locator('tr[data-line="same"] span[style*="--syntax-keyword"]', { hasText: 'Water' }).waitFor()
  await page.getByRole('radio', { name: 'Side by side' }).click()
  const beside = page.locator('tr', { has: page.locator('td[data-line="removed"]') })
  assert.equal(await beside.locator('td[data-line="removed"] del').textContent(), '70')
  assert.equal(await beside.locator('td[data-line="added"] ins').textContent(), '100')
  await page.getByRole('radio', { name: 'Unified' }).click()
  await page.locator('tr[data-line="removed"] del').waitFor()
  // The radio group handles digits itself while it has the focus.
  await page.getByRole('radio', { name: 'Unified' }).blur()
  await page.keyboard.press('3')
  const after = page.frameLocator('iframe[title^="After"]')
  await after.getByText('Use water of 100 degrees.').waitFor()
  await page.frameLocator('iframe[title^="Before"]').getByText('Use water of 70 degrees.').waitFor()

  await page.getByRole('button', { name: 'Accept …' }).focus()
  await page.keyboard.press('Enter')
  const asked = page.getByRole('dialog', { name: 'Merge this change into main?' })
  await asked.getByText('1 file.').waitFor()
  await page.keyboard.press('Escape')
  await asked.waitFor({ state: 'detached' })
  assert.match(await work.agent.repository.git('show', `main:${BREW}`), /70 degrees/)
  await page.getByRole('button', { name: 'Accept …' }).press('Enter')
  await asked.getByRole('button', { name: 'Merge' }).press('Enter')
  await page.getByText('The change is merged into main', { exact: true }).waitFor()
  await page.getByText('Merged').first().waitFor()
  assert.match(await work.agent.repository.git('show', `main:${BREW}`), /100 degrees/)
  assert.deepEqual(errors, [])
  await work.agent.repository.commit({
    [BREW]: '---\ntitle: Brew\n---\n\n## Water\n\nUse water of 70 degrees.\n',
  })
})

browserTest('preview frames are sandboxed from the dashboard', async (browser) => {
  await using looking = await work.look(browser, 'editor')
  const { page } = looking
  const id = await begin(page, 'Tell the right number once more.')
  await work.agent.ended(id)
  await page.goto(work.at(`/agent/${id}?tab=preview`))
  const frame = page.locator('iframe[title^="After"]')
  assert.equal(await frame.getAttribute('sandbox'), 'allow-scripts allow-popups')
  const inner = await (await frame.elementHandle())?.contentFrame()
  await inner?.waitForLoadState()
  const told = await inner?.evaluate(() => {
    const isClosed = (look: () => unknown) => {
      try {
        look()
        return false
      } catch {
        return true
      }
    }
    return [
      self.origin,
      isClosed(() => parent.document),
      isClosed(() => document.cookie),
      isClosed(() => localStorage),
    ]
  })
  assert.deepEqual(told, ['null', true, true, true])
})

browserTest(
  'a job started by one user appears to another at once and continues with a message',
  async (browser) => {
    await using first = await work.look(browser, 'editor')
    await using second = await work.look(browser, 'viewer')
    await second.page.goto(work.at('/agent'))
    await second.page.getByRole('list', { name: 'Jobs' }).waitFor()
    const release = work.hold()
    const id = await begin(first.page, 'Tell it, and then more.')
    await second.page.locator(`a[href$="${id}"]`).getByText('Working').waitFor()
    release()
    await second.page.locator(`a[href$="${id}"]`).getByText('To review').waitFor()
    await second.page.locator(`a[href$="${id}"]`).click()
    await steps(second.page).getByText('Done: 1 file changed').waitFor()

    await first.page.keyboard.press('r')
    await first.page.keyboard.type('Make it 95.')
    await first.page.keyboard.press('Control+Enter')
    for (const { page } of [first, second]) {
      await steps(page).getByText('Make it 95.').waitFor()
      await until(
        async () => (await steps(page).getByText('Done: 1 file changed').count()) === 2,
        'both turns',
      )
    }
    await first.page.getByRole('button', { name: 'Decline …' }).click()
    await first.page.getByRole('dialog').getByRole('button', { name: 'Decline' }).click()
    await first.page.getByText('The change was declined', { exact: true }).waitFor()
    await second.page.getByText('Declined').first().waitFor()
  },
)

browserTest('a viewer sees no job controls, and the server refuses their requests', async (browser) => {
  await using editor = await work.look(browser, 'editor')
  const id = await begin(editor.page, 'Tell the right number, a third time.')
  await work.agent.ended(id)
  await using viewer = await work.look(browser, 'viewer')
  await viewer.page.goto(work.at('/agent'))
  await viewer.page.getByRole('list', { name: 'Jobs' }).waitFor()
  assert.equal(await viewer.page.getByLabel('What should the agent change?').count(), 0)
  await viewer.page.goto(work.at(`/agent/${id}`))
  await steps(viewer.page).getByText('Done: 1 file changed').waitFor()
  for (const name of ['Accept …', 'Decline …', 'Archive', 'Cancel …', 'Send', 'Retry'])
    assert.equal(await viewer.page.getByRole('button', { name, exact: true }).count(), 0, name)
  const job = `/v2/agent/${work.projectId}/job`
  for (const path of [job, `${job}/${id}/message`, `${job}/${id}/accept`, `${job}/${id}/archive`]) {
    const response = await viewer.ask('POST', path, path.endsWith('accept') ? {} : { prompt: 'x' })
    assert.equal(response.status, 403, path)
    assert.match(((await response.json()) as { error: string }).error, /role does not allow/)
  }
})

browserTest(
  'line comments on a change become one message, and the page says when the change is closed',
  async (browser) => {
    await using looking = await work.look(browser, 'editor')
    const { page, errors } = looking
    const id = await begin(page, 'Tell the right number, line by line.')
    await work.agent.ended(id)
    await page.goto(work.at(`/agent/${id}?tab=changes`))
    await page.getByRole('button', { name: 'Comment on line 7 after the change' }).click()
    await page.keyboard.type('Say for which tea.')
    await page.getByRole('button', { name: 'Comment on line 7 before the change' }).click()
    await page.keyboard.type('Was it never right?')
    const message = [
      'On guides/brew.mdx, line 7, “Use water of 100 degrees.”: ',
      'Say for which tea.',
      '',
      'On guides/brew.mdx, line 7 before the change, “Use water of 70 degrees.”: ',
      'Was it never right?',
    ].join('\n')
    assert.equal(await page.getByLabel('Message to the agent').inputValue(), message)
    const sent = page.waitForResponse((response) => response.url().endsWith(`/job/${id}/message`))
    await page.getByRole('button', { name: 'Send' }).click()
    await sent
    await page.goto(work.at(`/agent/${id}`))
    await steps(page).getByText('Was it never right?').waitFor()
    await work.agent.ended(id)
    await work.agent.octavo.client.declineAgentJob(work.projectId, id)
    await page.reload()
    await page.getByText('The change is closed. A new message starts a new branch').waitFor()
    assert.deepEqual(errors, [])
  },
)

browserTest('cancels and archives a job and shows why it ended', async (browser) => {
  const release = work.hold()
  await using looking = await work.look(browser, 'editor')
  const { page } = looking
  const id = await begin(page, 'Tell the right number, slowly.')
  await page.getByRole('button', { name: 'Cancel …', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel the job' }).click()
  await steps(page).getByText('The job was cancelled.').waitFor()
  release()
  assert.equal(await status(id), 'failed')
  await page.getByRole('button', { name: 'Archive', exact: true }).click()
  await page.getByText('Job archived', { exact: true }).waitFor()
  await page.getByText('accepts no more messages. Start a new one').waitFor()
  await page.goto(work.at('/agent?list=archived'))
  await page.locator(`a[href$="${id}"]`).waitFor()
})

browserTest('retries a failed job with one click', async (browser) => {
  await using looking = await work.look(browser, 'editor')
  const { page, errors } = looking
  const id = await begin(page, 'Nobody has a conversation for this.')
  await work.agent.ended(id)
  await page.reload()
  await page.getByRole('region', { name: 'Why it failed' }).getByRole('button', { name: 'Retry' }).click()
  await steps(page).getByText('Continue from where it stopped').waitFor()
  await work.agent.ended(id)
  await page.goto(work.at(`/agent?feedback=${'fb_00000000000000000000000001'}`))
  const prompt = page.getByLabel('What should the agent change?')
  await prompt.waitFor()
  await page.keyboard.type(' And jkx.')
  assert.match(await prompt.inputValue(), / And jkx\.$/, 'letters are for the prompt')
  assert.equal(errors.filter((error) => !error.includes('404')).length, 0)
})

browserTest(
  'refuses to send while offline, keeps the draft and shows further steps after reconnecting',
  async (browser) => {
    await using looking = await work.look(browser, 'editor')
    const { page, context } = looking
    const release = work.hold()
    await begin(page, 'Tell the right number while I am away.')
    await page.getByText('Working …').waitFor()
    await page.getByLabel('Message to the agent').fill('And say why.')
    await context.setOffline(true)
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByRole('alert').getByText('You are offline').waitFor()
    assert.equal(await page.getByLabel('Message to the agent').inputValue(), 'And say why.')
    release()
    await context.setOffline(false)
    await steps(page).getByText('Done: 1 file changed').waitFor()
  },
)

browserTest('renders text of models, prompts and files as plain text', async (browser) => {
  await using looking = await work.look(browser, 'editor')
  const { page, errors } = looking
  const id = await begin(page, `hostile ${PAYLOADS[3]}`)
  const { status: end, error } = await work.agent.ended(id)
  assert.deepEqual([end, error], ['completed', null])
  for (const tab of ['', '?tab=changes', '?tab=preview']) {
    await page.goto(work.at(`/agent/${id}${tab}`))
    await page.getByRole('heading', { level: 1 }).getByText('<img src=x').waitFor()
    if (tab === '') await steps(page).getByText('Done: 3 files changed').waitFor()
    if (tab === '?tab=changes')
      await page
        .locator('tr[data-line="added"]')
        .nth(0.8 * PAYLOADS.length)
        .waitFor()
    for (const summary of await page.locator('main summary').all()) await summary.dispatchEvent('click')
    assert.equal(await page.evaluate((name) => (globalThis as never)[name], HIT), undefined, tab)
    assert.equal(
      await page.locator('main :is(img, script, object, video, math, style, marquee)').count(),
      0,
      tab,
    )
  }
  await page.goto(work.at('/agent'))
  await page.locator(`a[href$="${id}"]`).getByText('<img src=x').waitFor()
  assert.equal(await page.evaluate((name) => (globalThis as never)[name], HIT), undefined)
  assert.deepEqual(
    errors.filter((error) => !/sandbox|CORS|ERR_FAILED|Failed to load resource/.test(error)),
    [],
  )
})

browserTest(
  'agent pages have no serious accessibility violations and fit a phone screen',
  async (browser) => {
    await using looking = await work.look(browser, 'editor')
    const { page } = looking
    const id = await begin(page, 'Tell the right number, for everybody.')
    await work.agent.ended(id)
    for (const path of ['/agent', `/agent/${id}`, `/agent/${id}?tab=changes`, `/agent/${id}?tab=preview`]) {
      await page.setViewportSize({ width: 1440, height: 900 })
      await page.goto(work.at(path))
      const words = page.getByText(path.includes('changes') ? '100 degrees' : 'Tell the right').first()
      assert.deepEqual(await seriousFaultsInBothSchemes(page, () => words.waitFor()), [], path)
      await page.setViewportSize({ width: 390, height: 844 })
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390, path)
    }
  },
)
