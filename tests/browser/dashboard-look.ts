/** Opens the dashboard for several people, each in their own browser context. */
import assert from 'node:assert/strict'
import type { Browser, BrowserContext, BrowserContextOptions, Locator, Page } from 'playwright-core'
import type { Role } from '../../src/base/api/roles.ts'
import { createId } from '../../src/base/ids.ts'
import type { TestNode } from '../kit/node.ts'
import { addPerson, signedIn } from '../kit/people.ts'

export interface Looking extends AsyncDisposable {
  context: BrowserContext
  page: Page
  /** Uncaught errors of the page and errors on its console. */
  errors: string[]
}

export interface MemberLooking extends Looking {
  userId: string
  /** Calls the API as this member. */
  ask(method: string, path: string, body?: unknown): Promise<Response>
}

/** Opens a signed-out page. */
export async function visit(
  browser: Browser,
  options: BrowserContextOptions = {},
  isFault: (message: string, kind: string) => boolean = (_message, kind) => kind === 'error',
): Promise<Looking> {
  const context = await browser.newContext({
    reducedMotion: 'reduce',
    viewport: { width: 1440, height: 900 },
    ...options,
  })
  const page = await context.newPage()
  const errors: string[] = []
  page.on('pageerror', (error) => errors.push(String(error.stack ?? error)))
  page.on('console', (message) => {
    if (isFault(message.text(), message.type())) errors.push(message.text())
  })
  return { context, page, errors, [Symbol.asyncDispose]: () => context.close() }
}

/** Opens a page as a new member with the given role, signed in. */
export async function look(
  browser: Browser,
  { node, organizationId, url }: TestNode,
  role: Role,
  options?: BrowserContextOptions,
): Promise<MemberLooking> {
  const email = `${createId('usr')}@example.com`
  const user = await addPerson(node.context.database, { email, organizationId, role, name: `The ${role}` })
  const person = await signedIn(url, { email, organizationId })
  const looking = await visit(browser, options)
  await looking.context.addCookies([...person.cookies].map(([name, value]) => ({ name, value, url })))
  const ask = (method: string, path: string, body?: unknown) => person.ask(path, { method, body })
  return { ...looking, userId: user.id, ask }
}

/** Tab presses to reach an element. Nobody would take more. */
const MOST_STOPS = 40

const isFocused = (target: Locator) => target.evaluate((element) => element === document.activeElement)

export async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor()
  for (let stops = 0; stops < MOST_STOPS; stops++) {
    if (await isFocused(target)) return
    await page.keyboard.press('Tab')
  }
  assert.fail(`${target} is not within ${MOST_STOPS} stops`)
}

export async function enterAt(page: Page, target: Locator): Promise<void> {
  await tabTo(page, target)
  await page.keyboard.press('Enter')
}

/** Asserts that the focus returned to the target when the dialog closed. */
export async function isBackAt(page: Page, target: Locator): Promise<void> {
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  assert.ok(await isFocused(target), `the focus is back at ${target}`)
}
