/** Titles of tabs and views that the reader has chosen; they apply to later pages and to other open windows. */
import { KEYS, recallList, remember } from './storage.ts'

const REMEMBERED = 20

/** Returns the most recently chosen of these titles. */
export function chosenOf(titles: readonly string[]): string | undefined {
  return recallList(KEYS.tabs).find((title) => titles.includes(title))
}

export function rememberTitle(title: string): void {
  const others = recallList(KEYS.tabs).filter((one) => one !== title)
  remember(KEYS.tabs, JSON.stringify([title, ...others].slice(0, REMEMBERED)))
}

/** Calls `act` when a title is chosen in another window. */
export function onTitleChosenElsewhere(act: () => void): void {
  addEventListener('storage', (event) => {
    if (event.key === KEYS.tabs) act()
  })
}
