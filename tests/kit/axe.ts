/** What axe finds wrong with a page for people who see, hear or move differently. */
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js')

export function loadAxe(page: Page) {
  return page.addScriptTag({ path: AXE })
}

/** Runs in the page: a line for each element with something serious or critical. A page in a frame is looked at on its own. */
export const serious = async ({
  root,
  rules,
}: {
  root: string
  rules: string[] | null
}): Promise<string[]> => {
  interface Violation {
    id: string
    impact: string
    nodes: { target: string[]; failureSummary: string }[]
  }
  const { axe } = globalThis as unknown as {
    axe: { run(root: string, options: object): Promise<{ violations: Violation[] }> }
  }
  const options = { iframes: false, resultTypes: ['violations'], ...(rules ? { runOnly: rules } : {}) }
  const { violations } = await axe.run(root, options)
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) =>
      nodes.map(
        ({ target, failureSummary }) => `${id} ${target.join(' ')} ${failureSummary.replace(/\s+/g, ' ')}`,
      ),
    )
}
