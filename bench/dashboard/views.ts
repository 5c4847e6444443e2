/**
 * Measures how fast views of the dashboard open after the first load, and how smoothly a long list of feedback scrolls:
 *
 *   node bench/dashboard/views.ts <url> <e-mail> <password> [project id]
 *
 * Requires a running server with feedback in the project. Times are from the click to the frame that shows the page
 * with its content. Later rounds are the ones that count, because the first one also fetches.
 */
import type { Page } from 'playwright-core'
import { launchBrowser } from '../../tests/kit/browser.ts'

const PLACES = ['Overview', 'Feedback', 'Agent', 'Exports', 'Site', 'Settings']
const ROUNDS = 5
/** Wait on the first page, during which the other pages are fetched. */
const LOOK_MS = 5000
/** Pixels to scroll per frame, and number of frames. */
const STEP = 120
const FRAMES = 400

const [url, email, password, wanted] = process.argv.slice(2)
if (!url || !email || !password) throw new Error('usage: views.ts <url> <e-mail> <password> [project id]')
const browser = await launchBrowser()
if (browser === null) throw new Error('There is no browser on this machine.')
try {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  const signedIn = await context.request.post(`${url}/auth/sign-in/email`, {
    headers: { Origin: url },
    data: { email, password },
  })
  if (!signedIn.ok()) throw new Error(await signedIn.text())
  const page = await context.newPage()
  await page.goto(wanted ? `${url}/p/${wanted}` : url)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.waitForTimeout(LOOK_MS)
  await switchViews(page)
  await scroll(page)
} finally {
  await browser.close()
}

async function switchViews(page: Page): Promise<void> {
  const times = new Map<string, number[]>()
  for (let round = 0; round <= ROUNDS; round++) {
    for (const place of [...PLACES.slice(1), 'Overview']) {
      const took = await page.evaluate(timeOfSwitch, place)
      times.set(place, [...(times.get(place) ?? []), took])
      await page.waitForTimeout(300)
    }
  }
  for (const [place, [first = 0, ...later]] of times) {
    const worst = Math.max(...later)
    console.log(
      `${place}: first ${first.toFixed(0)} ms, later ${median(later)} ms, at most ${worst.toFixed(0)} ms`,
    )
  }
}

/** Runs in the page. */
async function timeOfSwitch(place: string): Promise<number> {
  const link = [...document.querySelectorAll<HTMLAnchorElement>('nav a')].find(
    (one) => one.textContent?.trim() === place,
  )
  if (link === undefined) throw new Error(`no place ${place}`)
  const began = performance.now()
  link.click()
  const isThere = () =>
    document.querySelector('h1')?.textContent?.trim() === place &&
    document.querySelector(
      'main [role="status"][aria-label^="Loading"]:not([aria-label="Loading feedback"])',
    ) === null
  while (!isThere()) await new Promise((resolve) => requestAnimationFrame(resolve))
  await new Promise((resolve) => requestAnimationFrame(resolve))
  return performance.now() - began
}

async function scroll(page: Page): Promise<void> {
  await page.getByRole('navigation').getByRole('link', { name: 'Feedback' }).first().click()
  await page.locator('[data-row]').first().waitFor()
  const gaps = await page.evaluate(
    async ([step, frames]) => {
      const box = document.querySelector('[data-scroller]') as HTMLElement
      const found: number[] = []
      let last = await new Promise<number>((resolve) => requestAnimationFrame(resolve))
      for (let frame = 0; frame < (frames ?? 0); frame++) {
        box.scrollTop += step ?? 0
        const now = await new Promise<number>((resolve) => requestAnimationFrame(resolve))
        found.push(now - last)
        last = now
      }
      return found
    },
    [STEP, FRAMES],
  )
  const sorted = gaps.toSorted((a, b) => a - b)
  const at = (part: number) => (sorted[Math.floor(sorted.length * part)] ?? 0).toFixed(1)
  console.log(
    `${FRAMES} frames of ${STEP} px: median ${at(0.5)} ms, 95 of 100 in ${at(0.95)} ms, longest ${at(0.999)} ms`,
  )
}

function median(values: readonly number[]): string {
  return (values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0).toFixed(0)
}
