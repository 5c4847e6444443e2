/** Accessibility checks with axe. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js')

export function loadAxe(page: Page) {
  return page.addScriptTag({ path: AXE })
}

/** Rules that depend on the colour scheme, the only ones run again in the second scheme. */
export const COLOR_RULES = ['color-contrast', 'link-in-text-block']

/** Returns the serious faults of the page in its current state, checking only `rules` if given. */
export async function seriousFaults(page: Page, rules: string[] | null = null): Promise<string[]> {
  await loadPastPolicy(page)
  await page.evaluate(settled)
  return page.evaluate(serious, { root: 'body', rules })
}

/** Uses `evaluate` because the content security policy would block a script tag. */
async function loadPastPolicy(page: Page): Promise<void> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(await readFile(AXE, 'utf8'))
}

/** Checks the whole page for faults of any impact: all rules in light mode, the colour rules in dark mode. */
export function allFaultsInBothSchemes(page: Page): Promise<string[]> {
  return faultsInBothSchemes(page, { root: 'html', isAnyImpact: true })
}

async function faultsInBothSchemes(
  page: Page,
  options: { root: string; isAnyImpact: boolean },
): Promise<string[]> {
  await loadPastPolicy(page)
  await page.evaluate(withoutTransitions, true)
  const faults: string[] = []
  for (const [colorScheme, rules] of [['light', null] as const, ['dark', COLOR_RULES] as const]) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.evaluate(settled)
    const found = await page.evaluate(serious, { ...options, rules })
    faults.push(...found.map((fault) => `${colorScheme} ${fault}`))
  }
  await page.evaluate(withoutTransitions, false)
  return faults
}

/**
 * Asserts that the page is no wider than its window and that axe finds no serious faults, or none at all with
 * `isAnyImpact`, in both schemes. Checks phone and desktop widths because they show different parts.
 */
export async function assertAccessible(page: Page, name = '', { isAnyImpact = false } = {}): Promise<void> {
  for (const width of [390, 820, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    await page.waitForFunction(() => document.documentElement.scrollWidth <= innerWidth)
    if (width === 820) continue
    const faults = await faultsInBothSchemes(page, { root: isAnyImpact ? 'html' : 'body', isAnyImpact })
    assert.deepEqual(faults, [], `${name} at ${width}`)
  }
}

/**
 * Runs in the page. Colours that change with the scheme start a zero-length transition even with reduced motion, and
 * elements that inherit a colour start theirs after their parent's has ended, which takes several frames per level.
 */
const withoutTransitions = (isOn: boolean): void => {
  const page = globalThis as { withoutTransitions?: CSSStyleSheet }
  if (page.withoutTransitions === undefined) {
    page.withoutTransitions = new CSSStyleSheet()
    document.adoptedStyleSheets.push(page.withoutTransitions)
  }
  page.withoutTransitions.replaceSync(isOn ? '*, ::before, ::after { transition: none !important }' : '')
}

/** Runs in the page: waits for the next frames and for all finite animations. */
const settled = async (): Promise<void> => {
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
  for (let round = 0; round < 50; round++) {
    await frame()
    await frame()
    const running = document
      .getAnimations()
      .filter(({ effect }) => effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY)
    if (running.length === 0) return
    await Promise.allSettled(running.map(({ finished }) => finished))
  }
}

/** Checks both schemes, starting with the current one. `ready` waits for the content after each load. */
export async function seriousFaultsInBothSchemes(
  page: Page,
  ready: () => Promise<unknown>,
): Promise<string[]> {
  await ready()
  const found = await seriousFaults(page)
  const isDark = await page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches)
  await page.emulateMedia({ colorScheme: isDark ? 'light' : 'dark' })
  await page.reload()
  await ready()
  return [...found, ...(await seriousFaults(page, COLOR_RULES))]
}

/**
 * Runs in the page: returns a line for each element with a serious or critical fault, or any fault with `isAnyImpact`.
 * Frames are not included and have to be checked separately.
 */
export const serious = async ({
  root,
  rules,
  isAnyImpact = false,
}: {
  root: string
  rules: readonly string[] | null
  isAnyImpact?: boolean
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
    .filter(({ impact }) => isAnyImpact || impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) =>
      nodes.map(
        ({ target, failureSummary }) => `${id} ${target.join(' ')} ${failureSummary.replace(/\s+/g, ' ')}`,
      ),
    )
}
