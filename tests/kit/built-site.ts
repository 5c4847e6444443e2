/** Builds a folder of docs as static files that need no server, and opens its pages in a browser. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import type { FeatureChoices } from '../../src/base/api/features.ts'
import type { Problem } from '../../src/base/errors/problem.ts'
import { silentLog } from '../../src/base/log.ts'
import { buildFolder } from '../../src/features/export/build-folder.ts'
import { patience } from './until.ts'

export interface BuiltSite extends AsyncDisposable {
  out: string
  problems: readonly Problem[]
  /** Returns the URL of a page by its path without the extension. */
  at(name: string): string
  /** Opens a page in a new browser context. */
  visit(
    browser: Browser,
    name: string,
    options: BrowserContextOptions,
    act: (page: Page) => Promise<void>,
  ): Promise<void>
}

export async function buildSite(
  folder: string,
  deployment: 'client-hosted' | 'air-gapped' = 'air-gapped',
  features: FeatureChoices = {},
): Promise<BuiltSite> {
  const out = await mkdtemp(join(tmpdir(), 'octavo-built-'))
  const { problems } = await buildFolder({
    folder,
    out,
    deployment,
    features,
    log: silentLog,
    report() {},
    signal: patience(),
  })
  const at = (name: string) => pathToFileURL(join(out, `${name}.html`)).href
  return {
    out,
    problems,
    at,
    async visit(browser, name, options, act) {
      const context = await browser.newContext({ reducedMotion: 'reduce', ...options })
      try {
        const page = await context.newPage()
        await page.goto(at(name))
        await act(page)
      } finally {
        await context.close()
      }
    },
    [Symbol.asyncDispose]: () => rm(out, { recursive: true, force: true }),
  }
}
