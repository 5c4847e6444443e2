/** Starts a node without users and opens browsers on its dashboard, for tests of sign-in, members and settings. */

import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import type { Role } from '../../src/base/api/roles.ts'
import { startTestNode, type TestNode } from '../kit/node.ts'
import { addPerson, PASSWORD, signedIn } from '../kit/people.ts'
import { type Looking, visit } from './dashboard-look.ts'

export interface PeopleScene extends AsyncDisposable {
  octavo: TestNode
  projectId: string
  /** Opens a signed-out page in a new browser context. */
  visit(browser: Browser, options?: BrowserContextOptions): Promise<Looking>
  /** Opens a page as a signed-in member with the given role. The name in the email address is the role. */
  enter(browser: Browser, role: Role, options?: BrowserContextOptions): Promise<Looking>
}

const PAGES = {
  'docs.json': JSON.stringify({ name: 'Guide', navigation: { pages: ['index'] } }),
  'index.mdx': '---\ntitle: Start\n---\n\nHello.\n',
}

/** `env` overrides settings of the node by their environment variables. */
export async function openPeopleScene(env: Record<string, string> = {}): Promise<PeopleScene> {
  await using opening = new AsyncDisposableStack()
  const octavo = opening.use(await startTestNode({ OCTAVO_LIMIT_MEMBERS: '100000/60', ...env }))
  const { projectId } = await octavo.addSite('docs.localhost', PAGES)
  // The first request builds the dashboard if there is no build of the current sources.
  await (await fetch(`${octavo.url}/sign-in`, { headers: { accept: 'text/html' } })).text()
  const { database } = octavo.node.context
  const people = new Set<string>()
  const open = opening.move()

  const visitHere = (browser: Browser, options?: BrowserContextOptions) =>
    visit(browser, options, (message) => /Content Security Policy/i.test(message))
  return {
    octavo,
    projectId,
    visit: visitHere,
    async enter(browser, role, options) {
      const { organizationId, url } = octavo
      const email = `${role}@example.com`
      if (!people.has(email)) {
        await addPerson(database, { email, organizationId, role, name: `The ${role}` })
        people.add(email)
      }
      const person = await signedIn(url, { email, organizationId })
      const looking = await visitHere(browser, options)
      await looking.context.addCookies([...person.cookies].map(([name, value]) => ({ name, value, url })))
      return looking
    },
    [Symbol.asyncDispose]: () => open.disposeAsync(),
  }
}

export async function signInAs(page: Page, email: string, password: string = PASSWORD): Promise<void> {
  await page.getByLabel('Email address').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}
