/** Texts of components in a page, and of buttons that scripts add. */
import { COMPONENT_WORDS } from './languages/en.ts'

export type ComponentWord = keyof typeof COMPONENT_WORDS
export type ComponentWords = Readonly<Record<ComponentWord, string>>

/** Replaces the placeholder: `Tab {count}` and 2 give `Tab 2`. */
export function filled(text: string, value: string | number): string {
  return text.replace(/\{\w+\}/, () => String(value))
}

/** Returns only the texts of components. */
export function componentWords(words: ComponentWords): ComponentWords {
  return Object.fromEntries(allWords().map((word) => [word, words[word]])) as ComponentWords
}

/** Texts of buttons that scripts add. */
const SCRIPT_WORDS: readonly ComponentWord[] = [
  'image',
  'diagram',
  'zoomIn',
  'zoomOut',
  'resetView',
  'fullScreen',
  'download',
  'copyImage',
]

/** Returns, as JSON, the texts that differ from the English ones in the scripts; null if there are none. */
export function wordsForScripts(words: ComponentWords, hasIslands: boolean): string | null {
  const wanted = hasIslands ? allWords() : SCRIPT_WORDS
  const other = wanted.filter((word) => words[word] !== COMPONENT_WORDS[word])
  return other.length === 0
    ? null
    : JSON.stringify(Object.fromEntries(other.map((word) => [word, words[word]])))
}

function allWords(): ComponentWord[] {
  return Object.keys(COMPONENT_WORDS) as ComponentWord[]
}
