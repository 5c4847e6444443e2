/** Titles of tabs and views that the reader has chosen; they apply to later pages and to other open windows. */
import { KEYS, readStoredList, writeStored } from './storage.ts'

const MAX_REMEMBERED_TITLES = 20

export function findChosenTitle(titles: readonly string[]): string | undefined {
  return readStoredList(KEYS.tabs).find((title) => titles.includes(title))
}

export function rememberTitle(title: string): void {
  const others = readStoredList(KEYS.tabs).filter((one) => one !== title)
  writeStored(KEYS.tabs, JSON.stringify([title, ...others].slice(0, MAX_REMEMBERED_TITLES)))
}

/** Calls `callback` when a title is chosen in another window. */
export function onTitleChosenElsewhere(callback: () => void): void {
  addEventListener('storage', (event) => {
    if (event.key === KEYS.tabs) callback()
  })
}
