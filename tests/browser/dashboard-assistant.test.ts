/** Questions to the assistant in the dashboard, in a real browser, on a real node. */
import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { createId } from '../../src/base/ids.ts'
import { assertAccessible } from '../kit/axe.ts'
import { browserTest } from '../kit/browser.ts'
import { type InboxScene, openInboxScene } from './dashboard-inbox-scene.ts'

let inbox: InboxScene
before(async () => {
  // Nobody asks it: the questions of these tests are rows.
  inbox = await openInboxScene({
    OCTAVO_ASSISTANT_MODEL: 'openai-compatible:stand-in',
    OCTAVO_MODEL: 'openai-compatible:stand-in',
    OCTAVO_MODEL_URL: 'http://127.0.0.1:9',
  })
})
after(() => inbox[Symbol.asyncDispose]())

const queries = () => inbox.scene.node.node.context.database.queries

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

/** The first is the oldest; each is a minute younger. */
async function areAsked(questions: readonly Put[]): Promise<void> {
  await queries().deleteFrom('assistant_questions').execute()
  for (const [index, put] of questions.entries()) {
    const id = createId('ask')
    const isAnswered = (put.status ?? 'unanswered') === 'answered'
    await queries()
      .insertInto('assistant_questions')
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

const MANY = Array.from({ length: 60 }, (_, index) => ({ question: `Question number ${60 - index}?` }))
const SOME: readonly Put[] = [
  { question: 'How do I copy code?', status: 'answered', helpful: true, thread: 'thread-of-code-01' },
  { question: 'And without a mouse?', thread: 'thread-of-code-01' },
  { question: 'Wo steht das auf Deutsch?', language: 'de', path: '/' },
  { question: 'Who wins the cup?', offTopic: true, path: null },
]

browserTest('without a question the page says how the first comes to be', async (browser) => {
  await areAsked([])
  await using looking = await inbox.look(browser, 'viewer')
  const { page, errors } = looking
  await page.goto(inbox.at(''))
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Assistant' }).click()
  await page.getByText('No questions yet').waitFor()
  await page.getByRole('link', { name: 'Open the site and ask' }).waitFor()
  assert.deepEqual(errors, [])
})

browserTest('filters stand in the address, and a question opens to its conversation', async (browser) => {
  await areAsked(SOME)
  await using looking = await inbox.look(browser, 'editor')
  const { page, errors } = looking
  await page.goto(inbox.at('/assistant'))
  const list = page.getByRole('list', { name: 'Questions' })
  await list.getByRole('link', { name: /Who wins the cup/ }).waitFor()
  assert.equal(await list.getByRole('listitem').count(), 4)
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

browserTest('chosen questions are handed to an agent job', async (browser) => {
  await areAsked(SOME)
  await using looking = await inbox.look(browser, 'editor')
  const { page, errors } = looking
  await page.goto(inbox.at('/assistant?resolution=unanswered'))
  await page.getByRole('checkbox', { name: /And without a mouse/ }).check()
  const bar = page.getByRole('region', { name: 'Selected questions' })
  await bar.getByText('1 chosen').waitFor()
  await bar.getByRole('button', { name: 'Select all shown' }).click()
  await bar.getByRole('link', { name: 'Agent job from these' }).click()
  await page.waitForURL(/\/agent\?questions=ask_/)
  await page.getByText('Answers 2 questions of readers').waitFor()
  await page.getByRole('button', { name: 'Leave this question out' }).last().click()
  await page.getByText('Answers 1 question of readers').waitFor()
  await page.getByRole('button', { name: 'Start the job' }).click()
  await page.waitForURL(/\/agent\/aj_/)
  await page.getByRole('heading', { name: 'Questions it answers' }).waitFor()
  await page.goto(inbox.at('/assistant?handed=yes'))
  await page.getByRole('img', { name: 'Handed to an agent job' }).waitFor()
  assert.deepEqual(errors, [])
})

browserTest('a viewer reads, page after page, and chooses nothing', async (browser) => {
  await areAsked(MANY)
  await using looking = await inbox.look(browser, 'viewer')
  const { page, errors } = looking
  await page.goto(inbox.at('/assistant'))
  const rows = page.getByRole('list', { name: 'Questions' }).getByRole('listitem')
  await page.getByRole('button', { name: 'Show older questions' }).click()
  await page.getByRole('link', { name: /Question number 60\?/ }).waitFor()
  assert.equal(await rows.count(), 60)
  assert.equal(await page.getByRole('checkbox').count(), 0)
  assert.deepEqual(errors, [])
})

browserTest('figures of the insights lead to their questions', async (browser) => {
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
  assert.deepEqual(errors, [])
})

const HOSTILE: readonly Put[] = [
  ...SOME,
  {
    question: `<img src=x onerror=alert(1)> ${'averyverylongword'.repeat(40)}\n${'many lines\n'.repeat(30)}`,
    path: `/${'deep/'.repeat(80)}end`,
    language: 'x-not-a-language',
  },
]

browserTest("nothing of the questions stands in anybody's way, at any width", async (browser) => {
  await areAsked(HOSTILE)
  await using looking = await inbox.look(browser, 'editor')
  const { page } = looking
  await page.goto(inbox.at('/assistant'))
  await page.getByRole('link', { name: /averyverylong/ }).waitFor()
  await assertAccessible(page, 'the list')
  await page.getByRole('link', { name: /averyverylong/ }).click()
  await page.getByRole('list', { name: 'Turns' }).waitFor()
  await assertAccessible(page, 'hostile words')
  await page.goto(inbox.at('/assistant'))
  await page.getByRole('link', { name: /How do I copy/ }).click()
  await page.getByText('“Copy it with the button”').waitFor()
  await assertAccessible(page, 'a conversation')
  await page.goto(inbox.at('/insights'))
  await page.getByRole('heading', { name: 'Questions to the assistant' }).waitFor()
  await page.getByRole('link', { name: /^Wo steht/ }).waitFor()
  await assertAccessible(page, 'the insights')
})
