import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import type { Request } from 'playwright-core'
import { createId } from '../../src/base/ids.ts'
import { A_MONTH, putReading, type Read } from '../analytics/reading-history.ts'
import { putRows } from '../feedback/feedback-scene.ts'
import { assertAccessible, seriousFaults } from '../kit/axe.ts'
import { browserTest } from '../kit/browser.ts'
import { until } from '../kit/until.ts'
import { type InboxScene, openInboxScene } from './dashboard-inbox-scene.ts'

let inbox: InboxScene
before(async () => {
  // The models are never called: the agent page needs one to show its input, and the questions are inserted as rows.
  inbox = await openInboxScene({
    OCTAVO_ASSISTANT_MODEL: 'openai-compatible:stand-in',
    OCTAVO_MODEL: 'openai-compatible:stand-in',
    OCTAVO_MODEL_URL: 'http://127.0.0.1:9/v1',
  })
})
after(() => inbox[Symbol.asyncDispose]())

const database = () => inbox.scene.node.node.context.database

browserTest('an empty overview lists the first steps until they are hidden', async (browser) => {
  await inbox.clear()
  await using admin = await inbox.look(browser, 'admin')
  const { page, errors } = admin
  await page.goto(inbox.at(''))
  await page.getByText('No feedback yet').waitFor()
  const site = page.getByRole('link', { name: 'Open the site and vote' })
  assert.match((await site.getAttribute('href')) ?? '', new RegExp(`^${inbox.scene.hosted}`))
  await page.getByRole('link', { name: 'Feedback widgets' }).waitFor()
  await page.getByRole('link', { name: 'Ask the agent for a change' }).waitFor()
  const steps = page.getByRole('region', { name: 'First steps' })
  await steps.getByRole('link', { name: 'Collect feedback' }).waitFor()
  // The scene already has a project and several members, so at least two steps are done.
  assert.equal((await steps.getByText('Done').count()) >= 2, true)
  assert.deepEqual(await seriousFaults(page), [])
  await steps.getByRole('button', { name: 'Hide' }).click()
  await steps.waitFor({ state: 'detached' })
  await page.reload()
  await page.getByText('No feedback yet').waitFor()
  assert.equal(await steps.count(), 0)
  assert.deepEqual(errors, [])

  await using viewer = await inbox.look(browser, 'viewer')
  await viewer.page.goto(inbox.at(''))
  await viewer.page.getByText('No feedback yet').waitFor()
  assert.equal(await viewer.page.getByRole('link', { name: 'Feedback widgets' }).count(), 0)
  assert.equal(await viewer.page.getByRole('link', { name: 'Ask the agent for a change' }).count(), 0)
})

browserTest('figures of the overview link to what they count and update live', async (browser) => {
  await inbox.clear()
  await inbox.fill(100)
  await using looking = await inbox.look(browser, 'editor')
  const { page, errors } = looking
  await page.goto(inbox.at(''))
  await page.getByRole('link', { name: /Open\s*100/ }).waitFor()
  await page.getByText('Least helpful pages').waitFor()
  await assertAccessible(page)
  // 77 of 100 entries have a vote.
  await page.getByRole('link', { name: /^Helpful\s*\d+%/ }).waitFor()
  await page.getByRole('link', { name: /^Feedback, 30 days\s*100/ }).click()
  await page.waitForURL(/\/feedback\?status=any&source=any&since=30$/)
  await page.locator('[data-row]').first().waitFor()
  await page.goBack()
  await page
    .getByRole('row', { name: /Introduction/ })
    .getByRole('link', { name: /Introduction/ })
    .click()
  await page.waitForURL(/\/feedback\?path=%2F&status=any&source=any&since=30$/)

  await page.goto(inbox.at('?days=7'))
  await page.getByRole('radio', { name: '7 days', checked: true }).waitFor()
  // The current day is incomplete, so its figures are separate from the lines.
  await page.getByRole('img', { name: /The last day is incomplete\.$/ }).waitFor()
  await page.getByText('Today so far').waitFor()
  await page.getByRole('button', { name: 'Show as a table' }).click()
  const days = page.getByRole('table', { name: 'Each day' }).or(page.locator('figure table'))
  assert.equal(await days.getByRole('row').count(), 8)
  assert.equal(await days.getByRole('rowheader', { name: /, so far$/ }).count(), 1)
  await page.getByRole('radio', { name: '90 days' }).click()
  await page.waitForURL(/\?days=90$/)
  await page.getByText('Feedback, 90 days').waitFor()
  await inbox.arrive('One more')
  await page.getByRole('link', { name: /^Open\s*101\s/ }).waitFor()
  assert.deepEqual(errors, [])
})

browserTest('other pages of the project are prefetched and open while offline', async (browser) => {
  await inbox.clear()
  await inbox.fill(30)
  await using looking = await inbox.look(browser, 'editor')
  const { page, context } = looking
  const unfinished = new Set<Request>()
  const isStream = (request: Request) => request.url().endsWith('/events')
  page.on('request', (request) => {
    if (!isStream(request)) unfinished.add(request)
  })
  page.on('requestfinished', (request) => unfinished.delete(request))
  page.on('requestfailed', (request) => unfinished.delete(request))
  const last = page.waitForRequest(/settings-page/)
  await page.goto(inbox.at(''))
  await page.getByRole('link', { name: /^Open\s*30/ }).waitFor()
  await last
  await until(async () => unfinished.size === 0, 'all is fetched')
  await context.setOffline(true)
  const places = page.getByRole('navigation', { name: 'Pages' })
  const goTo = async (name: string) => {
    await places.getByRole('link', { name, exact: true }).click()
    await page.getByRole('heading', { level: 1, name }).waitFor()
  }
  await goTo('Feedback')
  await page.locator('[data-row]').first().waitFor()
  await goTo('Exports')
  await page.getByText('No export yet').waitFor()
  await goTo('Site')
  await page.getByText('Content problems').waitFor()
  await goTo('Settings')
})

browserTest("the dashboard uses the browser's language until another one is chosen", async (browser) => {
  await inbox.clear()
  await inbox.fill(1200)
  await using looking = await inbox.look(browser, 'viewer', { locale: 'fr-CA' })
  const { page, errors } = looking
  const language = () => page.evaluate(() => document.documentElement.lang)
  await page.goto(inbox.at(''))
  // French separates thousands with a narrow no-break space.
  await page.getByText('1\u202f200', { exact: true }).first().waitFor()
  assert.equal(await language(), 'fr')
  const account = new URL('/account', inbox.at('')).href
  await page.goto(account)
  await page.getByRole('heading', { name: 'Votre compte' }).waitFor()
  await page.getByRole('combobox', { name: 'Langue' }).selectOption({ label: '日本語' })
  await page.getByRole('button', { name: 'Enregistrer', exact: true }).click()
  await page.getByRole('heading', { name: '自分のアカウント' }).waitFor()
  assert.equal(await language(), 'ja')
  await page.reload()
  await page.getByRole('combobox', { name: '言語' }).selectOption({ value: '' })
  await page.getByRole('button', { name: '保存', exact: true }).click()
  await page.getByRole('heading', { name: 'Votre compte' }).waitFor()
  assert.deepEqual(errors, [])
})

async function nothingIsRead(): Promise<void> {
  await database().pool.query('DELETE FROM analytics_counts')
  await database().queries.deleteFrom('feedback').execute()
}

/** Replaces all reads, deletes the feedback, and waits until the reads are counted. */
async function isRead(reads: readonly Read[]): Promise<void> {
  await nothingIsRead()
  await putReading(database().queries, inbox.projectId, reads)
  await until(async () => {
    const { rows } = await database().pool.query('SELECT FROM analytics_inbox LIMIT 1')
    return rows.length === 0
  }, 'all is counted')
}

async function isDisliked(path: string, times: number): Promise<void> {
  const vote = { source: 'thumbs_only' as const, helpful: false, path, createdAt: new Date().toISOString() }
  await putRows(
    database(),
    inbox.projectId,
    Array.from({ length: times }, () => vote),
  )
}

browserTest('insights lists what to write next, and each figure links to its rows', async (browser) => {
  await nothingIsRead()
  await using looking = await inbox.look(browser, 'admin')
  const { page, errors } = looking
  await page.goto(inbox.at(''))
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Insights' }).click()
  await page.getByText('No views yet').waitFor()
  const site = page.getByRole('link', { name: 'Open the site' })
  assert.match((await site.getAttribute('href')) ?? '', new RegExp(`^${inbox.scene.hosted}`))
  await page.getByRole('link', { name: 'Analytics in bundles' }).click()
  await page.waitForURL(/\/settings\/features$/)

  await isRead(A_MONTH)
  await isDisliked('/code', 3)
  await page.goto(inbox.at('/insights'))
  await page.getByText('Write about “single sign-on”.').waitFor()
  await page.getByRole('link', { name: /^Views\s*75/ }).click()
  await page.waitForURL(/\/insights\?show=pages$/)
  const detail = page.getByRole('region', { name: 'Detail' })
  await detail.getByRole('link', { name: /Code/ }).click()
  await page.waitForURL(/\/insights\?page=%2Fcode$/)
  await detail.getByRole('heading', { name: 'Code', exact: true }).waitFor()
  await detail.getByRole('link', { name: /news\.example\.org/ }).click()
  await page.waitForURL(/show=referrers&name=news\.example\.org$/)
  await detail.getByRole('row', { name: /Code.*40/ }).waitFor()
  await page.keyboard.press('Escape')
  await page.waitForURL(/\/insights$/)
  await page.getByRole('link', { name: /^single sign-on\s*12 searches/ }).click()
  await detail.getByRole('region', { name: 'Without a result' }).getByRole('row', { name: /12/ }).waitFor()
  await page.getByRole('link', { name: /^Code.*3 of 3 votes/ }).click()
  await page.waitForURL(/\/feedback\?path=%2Fcode&status=any&vote=down&since=30$/)
  await page.goBack()
  await page.getByRole('link', { name: 'Ask the agent to write about single sign-on' }).click()
  await page.waitForURL(/\/agent\?prompt=/)
  assert.match(
    await page.getByRole('textbox', { name: 'What should the agent change?' }).inputValue(),
    /single sign-on/,
  )
  assert.deepEqual(errors, [])
})

browserTest('period and audience are stored in the URL and apply to the detail view', async (browser) => {
  await isRead(A_MONTH)
  await using looking = await inbox.look(browser, 'viewer')
  const { page } = looking
  await page.route(/\/internal\/.*\/insights\?/, (route) =>
    route.fulfill({ status: 404, json: { error: 'Gone' } }),
  )
  await page.goto(inbox.at('/insights?days=7&audience=ai'))
  const again = page.getByRole('button', { name: 'Try again' })
  await again.waitFor()
  await page.unroute(/\/internal\/.*\/insights\?/)
  await again.click()
  await page.getByRole('link', { name: /^Views\s*10/ }).waitFor()
  assert.equal(await page.getByRole('heading', { name: 'Where readers come from' }).count(), 0)
  await page
    .getByRole('table', { name: 'AI agents', exact: true })
    .getByRole('row', { name: /Claude.*10/ })
    .getByRole('link')
    .click()
  await page.waitForURL(/\/insights\?days=7&audience=ai&show=agents&name=Claude$/)
  await page
    .getByRole('region', { name: 'Detail' })
    .getByRole('row', { name: /Code.*10/ })
    .waitFor()
  await page.getByRole('combobox', { name: 'Readers' }).selectOption('human')
  await page.getByRole('radio', { name: '90 days' }).click()
  await page.waitForURL(/days=90&audience=human/)
  await page.getByRole('link', { name: /^Views\s*129/ }).waitFor()
  await page.getByRole('button', { name: 'Show as a table' }).click()
  assert.equal(await page.locator('figure table').getByRole('row').count(), 91)
})

const LONG = 'very long words that go on '.repeat(12).trim()
const HOSTILE: readonly Read[] = [
  ...A_MONTH,
  { daysAgo: 2, kind: 'search', path: `/${'deep/'.repeat(80)}end`, subject: LONG, results: 0, times: 90 },
  { daysAgo: 2, path: `/${'deep/'.repeat(80)}end`, times: 5, subject: `${'a-long-label.'.repeat(15)}org` },
]

browserTest('insights with long texts and large figures are accessible at any width', async (browser) => {
  await isRead(HOSTILE)
  await database().pool.query('UPDATE analytics_counts SET human = human * 10000000')
  await using looking = await inbox.look(browser, 'editor')
  const { page } = looking
  await page.goto(inbox.at('/insights?show=searches'))
  await page.getByRole('heading', { name: 'Searches', exact: true }).last().waitFor()
  await assertAccessible(page)
})

interface Put {
  question: string
  status?: 'answered' | 'unanswered' | 'failed'
  path?: string | null
  language?: string
  helpful?: boolean
  offTopic?: boolean
  thread?: string
}

const SOURCE = {
  path: '/code',
  anchor: 'copy',
  title: 'Code',
  heading: 'Copy it',
  quote: 'Copy it with the button',
}

/** Replaces all questions. The first is the oldest, and each is a minute newer. */
async function areAsked(questions: readonly Put[]): Promise<void> {
  await database().queries.deleteFrom('assistant_questions').execute()
  for (const [index, put] of questions.entries()) {
    const id = createId('ask')
    const isAnswered = (put.status ?? 'unanswered') === 'answered'
    await database()
      .queries.insertInto('assistant_questions')
      .values({
        id,
        project_id: inbox.projectId,
        thread_id: put.thread ?? id,
        at: new Date(Date.now() - (questions.length - index) * 60_000),
        path: put.path === undefined ? '/code' : put.path,
        language: put.language ?? 'en',
        question: put.question,
        status: put.status ?? 'unanswered',
        claims: JSON.stringify(isAnswered ? [{ text: 'Copy it with the button.', source: SOURCE }] : []),
        withheld: isAnswered ? 0 : 2,
        nearest: JSON.stringify(isAnswered ? [] : [{ ...SOURCE, quote: undefined }]),
        category: put.offTopic === true ? 'off_topic' : null,
        helpful: put.helpful ?? null,
      })
      .execute()
  }
}

const SOME: readonly Put[] = [
  { question: 'How do I copy code?', status: 'answered', helpful: true, thread: 'thread-of-code-01' },
  { question: 'And without a mouse?', thread: 'thread-of-code-01' },
  { question: 'Wo steht das auf Deutsch?', language: 'de', path: '/' },
  { question: 'Who wins the cup?', offTopic: true, path: null },
]

browserTest('filters are stored in the URL, and a question opens its conversation', async (browser) => {
  await areAsked([])
  await using looking = await inbox.look(browser, 'viewer')
  const { page, errors } = looking
  await page.goto(inbox.at(''))
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Assistant' }).click()
  await page.getByText('No questions yet').waitFor()
  await page.getByRole('link', { name: 'Open the site and ask' }).waitFor()

  await areAsked(SOME)
  await page.goto(inbox.at('/assistant'))
  const list = page.getByRole('list', { name: 'Questions' })
  await list.getByRole('link', { name: /Who wins the cup/ }).waitFor()
  assert.equal(await list.getByRole('listitem').count(), 4)
  assert.equal(await page.getByRole('checkbox').count(), 0, 'a viewer chooses nothing')
  await page.getByRole('combobox', { name: 'Language' }).selectOption('de')
  await page.waitForURL(/\?language=de$/)
  await list.getByRole('link', { name: /Wo steht das/ }).waitFor()
  assert.equal(await list.getByRole('listitem').count(), 1)
  await page.getByRole('button', { name: 'Clear' }).click()
  const result = page.getByRole('combobox', { name: 'Result' })
  assert.deepEqual(await result.locator('option').allInnerTexts(), [
    ...['All questions (4)', 'Answered (1)', 'Unanswered (2)', 'Off topic (1)', 'Unfinished (0)'],
  ])
  await result.selectOption('unanswered')
  await list.getByRole('link', { name: /And without a mouse/ }).click()
  await page.waitForURL(/resolution=unanswered&question=ask_/)
  const detail = page.getByRole('region', { name: 'Detail' })
  await detail.getByText('“Copy it with the button”').waitFor()
  assert.equal(await detail.getByRole('list', { name: 'Turns' }).locator('> li').count(), 2)
  const passage = await detail.getByRole('link', { name: 'Code › Copy it' }).first().getAttribute('href')
  assert.match(passage ?? '', /\/code#copy$/)
  await page.keyboard.press('Escape')
  await page.waitForURL(/\?resolution=unanswered$/)
  assert.deepEqual(errors, [])
})

browserTest('hands selected questions to an agent job', async (browser) => {
  await areAsked(SOME)
  await using looking = await inbox.look(browser, 'editor')
  const { page, errors } = looking
  await page.goto(inbox.at('/insights?days=7'))
  await page.getByRole('link', { name: /^Answered\s*33%/ }).click()
  await page.waitForURL(/\/assistant\?resolution=answered&days=7$|\/assistant\?days=7&resolution=answered$/)
  await page.getByRole('link', { name: /How do I copy code/ }).waitFor()
  await page.goBack()
  await page.getByRole('link', { name: 'Ask the agent to answer: And without a mouse?' }).click()
  await page.waitForURL(/\/agent\?questions=ask_/)
  await page.goto(inbox.at('/assistant?resolution=unanswered'))
  await page.getByRole('checkbox', { name: /And without a mouse/ }).check()
  const bar = page.getByRole('region', { name: 'Selected questions' })
  await bar.getByText('1 selected').waitFor()
  await bar.getByRole('button', { name: 'Select all shown' }).click()
  await bar.getByRole('link', { name: 'Start agent job' }).click()
  await page.waitForURL(/\/agent\?questions=ask_/)
  await page.getByText('Answers 2 reader questions').waitFor()
  await page.getByRole('button', { name: 'Remove this question' }).last().click()
  await page.getByText('Answers 1 reader question').waitFor()
  await page.getByRole('button', { name: 'Start the job' }).click()
  await page.waitForURL(/\/agent\/aj_/)
  await page.getByRole('heading', { name: 'Questions it answers' }).waitFor()
  await page.goto(inbox.at('/assistant?handed=yes'))
  await page.getByRole('img', { name: 'With an agent job' }).waitFor()
  assert.deepEqual(errors, [])
})

const HOSTILE_QUESTIONS: readonly Put[] = [
  ...SOME,
  {
    question: `<img src=x onerror=alert(1)> ${'averyverylongword'.repeat(40)}\n${'many lines\n'.repeat(30)}`,
    path: `/${'deep/'.repeat(80)}end`,
    language: 'x-not-a-language',
  },
]

browserTest('renders a hostile question as plain text that is accessible at any width', async (browser) => {
  await areAsked(HOSTILE_QUESTIONS)
  await using looking = await inbox.look(browser, 'editor')
  const { page } = looking
  await page.goto(inbox.at('/assistant'))
  await page.getByRole('link', { name: /averyverylong/ }).click()
  await page.getByRole('list', { name: 'Turns' }).waitFor()
  await assertAccessible(page)
})
