/**
 * Finds small text with negative letter-spacing: on screens with one pixel per point, the space between words
 * disappears.
 */
import type { Page } from 'playwright-core'

/** Minimum font size in px for negative letter-spacing. */
const LEAST_SIZE = 18

/** Returns the texts below that size with negative letter-spacing. */
export function tightTexts(page: Page): Promise<string[]> {
  return page.evaluate((least) => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    const tight = new Set<string>()
    while (walker.nextNode()) {
      const { parentElement: element, data } = walker.currentNode as Text
      if (element === null || data.trim() === '' || element.matches('script, style')) continue
      const { fontSize, letterSpacing } = getComputedStyle(element)
      if (Number.parseFloat(fontSize) < least && Number.parseFloat(letterSpacing) < 0)
        tight.add(`${element.localName}.${element.className}: ${fontSize}, ${letterSpacing}`)
    }
    return [...tight]
  }, LEAST_SIZE)
}
